import {
  attributeOf,
  causeOf,
  type Diagnostic,
  DiagnosticError,
  error,
  groupAlike,
  titleOf,
} from "../../diagnostics";
import { compareNatural, counted, namesUpTo, oneLine } from "../../text";
import type { ViewArguments } from "../arguments/shared-options";
import { detailOf, stewardCommand } from "../arguments/suggested-command";
import type { NamedSource, Terminal } from "../terminal/terminal";
import { type Style, styleFor } from "../terminal/text";
import { diagnosticEvent } from "./json/events";

/** Renders a diagnostic with a frame, in Terraform's style. Wraps the text if the width of the terminal is known. */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  style: Style,
  columns?: number,
  source?: NamedSource,
): string[] {
  const { severity } = diagnostic;
  const paint = severity === "error" ? style.red : style.yellow;
  const title = `${style.bold(paint(severity === "error" ? "Error: " : "Warning: "))}${style.bold(titleOf(diagnostic))}`;
  const width = columns === undefined ? undefined : Math.max(columns - 2, 20);
  const body = [
    title,
    "",
    ...location(diagnostic),
    ...firstItems(detailOf(diagnostic, source).split("\n")).flatMap((line) => wrap(oneLine(line), width)),
  ];
  return [paint("╷"), ...body.map((line) => `${paint("│")} ${line}`.trimEnd()), paint("╵")];
}

/** The maximum number of list items that a diagnostic shows. Reports show all items. */
const MAX_ITEMS = 20;

/** Shortens a long list in a detail: returns the first `MAX_ITEMS` items, and one line with the number of the omitted items. */
function firstItems(lines: readonly string[]): readonly string[] {
  const items = lines.flatMap((line, at) => (line.startsWith("- ") ? [at] : []));
  const left = items.slice(MAX_ITEMS);
  if (left.length === 0) return lines;
  const more = `- and ${left.length} more. To list all of them, add --report FILE.`;
  return lines.flatMap((line, at) => {
    if (at === left[0]) return [more];
    return left.includes(at) ? [] : [line];
  });
}

function location(diagnostic: Diagnostic): string[] {
  const { address, construct, position } = diagnostic;
  const attribute = attributeOf(diagnostic);
  const lines = [
    ...(address === undefined ? [] : [`with ${oneLine(address)}`]),
    ...(construct === undefined ? [] : [`construct ${oneLine(construct)}`]),
    ...(position === undefined ? [] : [`declared in ${oneLine(position)}`]),
    ...(attribute === undefined ? [] : [`attribute ${oneLine(attribute)}`]),
  ];
  if (lines.length === 0) return [];
  return [...lines.map((line, index) => `  ${line}${index < lines.length - 1 ? "," : ":"}`), ""];
}

/** Wraps a line between words. Indented lines, such as commands to copy, are not wrapped. */
function wrap(line: string, width: number | undefined): string[] {
  if (width === undefined || line.length <= width || line.startsWith(" ")) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** Removes duplicates: a plan and its apply often report one problem twice. */
export class Deduplicator {
  readonly #seen = new Set<string>();

  filter(diagnostics: readonly Diagnostic[]): Diagnostic[] {
    return diagnostics.filter((diagnostic) => {
      const key = JSON.stringify(diagnostic);
      const isNew = !this.#seen.has(key);
      this.#seen.add(key);
      return isNew;
    });
  }

  reset(): void {
    this.#seen.clear();
  }
}

/** The maximum number of objects that the text about a group of diagnostics names. */
const MAX_NAMES = 10;

/** A group of diagnostics with the same cause: the first diagnostic, and all affected objects. */
export interface Group {
  /**
   * A text for the cause. The text is the same for groups of several stacks with the same cause. Undefined if only objects of
   * this stack can have the cause.
   */
  readonly cause: string | undefined;
  readonly first: Diagnostic;
  readonly objects: readonly string[];
  /** The addresses of the affected objects, for commands. An address is not shortened or formatted. */
  readonly addresses: readonly string[];
}

/**
 * Groups diagnostics by cause. Errors without a cause are in one group only if all their fields are equal. For warnings
 * without a cause, equal texts are enough.
 */
export function byCause(diagnostics: readonly Diagnostic[]): Group[] {
  const sharedCause = (one: Diagnostic) => causeOf(one) ?? textOf(one);
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const one of diagnostics) {
    const key = sharedCause(one) ?? JSON.stringify(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups].map(([key, all]) => {
    const addresses = [...new Set(all.flatMap(({ address }) => address ?? []))];
    return {
      cause: sharedCause(all[0]) ?? (isOfProvider(all[0]) ? key : undefined),
      first: all[0],
      objects: addresses.map(oneLine),
      addresses,
    };
  });
}

/**
 * Returns a text that identifies the cause of a warning, and is the same for all objects with this warning. Returns undefined
 * for errors.
 */
const textOf = ({ severity, code, summary, detail, attribute }: Diagnostic): string | undefined =>
  severity === "warning" ? JSON.stringify([code, summary, detail, attribute]) : undefined;

/**
 * Returns true if a diagnostic is about the configuration of a provider. Such a problem usually comes from the environment,
 * so all stacks have this problem.
 */
const isOfProvider = ({ address }: Diagnostic): boolean => address?.startsWith("provider.") ?? false;

/** Returns the first diagnostic of a group. The detail of this diagnostic also names all affected objects. */
function withAffectedObjects({ first, objects, addresses }: Group): Diagnostic {
  if (objects.length < 2) return first;
  return {
    ...first,
    // Replaces the command for one object by one command for all objects of the group.
    ...(first.action?.kind === "forget" && { action: { kind: "stateRmAll", addresses } as const }),
    detail: `${first.detail}\n\nThis affects ${objects.length} objects: ${inOrder(objects)}.`,
  };
}

/** Returns a text with at most `MAX_NAMES` names. The names are in natural order, because runs find objects in any order. */
const inOrder = (objects: readonly string[]): string =>
  namesUpTo(MAX_NAMES, [...objects].sort(compareNatural));

/** Groups warnings with the same code and summary. A warning with a command stays ungrouped, so that users see the command. */
export const alikeIn = (groups: readonly Group[]): readonly (readonly Group[])[] =>
  groupAlike(groups, ({ first }) => (first.action === undefined ? first : { ...first, severity: "action" }));

/**
 * Returns one diagnostic for several similar warnings: the first warning in full, and only the first sentence of each later
 * warning.
 */
export function summedUp(alike: readonly Group[]): Diagnostic {
  const [first, ...others] = alike.map(withAffectedObjects) as [Diagnostic, ...Diagnostic[]];
  if (others.length === 0) return first;
  const left = others.length - MAX_NAMES;
  const lines = [
    `${counted(others.length, "more warning")} of this kind:`,
    ...others.slice(0, MAX_NAMES).map((one) => `  - ${beginningOf(one)}`),
    ...(left > 0 ? [`  - and ${left} more, in the files of --report`] : []),
  ];
  return { ...first, detail: `${first.detail}\n\n${lines.join("\n")}` };
}

/** Returns a text with the address (or line of code) and the first sentence of a diagnostic. */
function beginningOf({ address, construct, position, detail }: Diagnostic): string {
  const place = address ?? construct ?? position;
  const [sentence = ""] = detail.split(/(?<=\.)\s|\n/, 1);
  return `${place === undefined ? "" : `${place}: `}${sentence}`;
}

/** Returns a group of diagnostics as one line, because an earlier stack has already reported the problem in full. */
export function asOneLine(group: Group, stack: string, source?: NamedSource): string {
  const { first, objects } = group;
  const here =
    objects.length === 0 ? "" : ` (${counted(objects.length, "object")} here: ${inOrder(objects)})`;
  const severity = first.severity === "error" ? "Error" : "Warning";
  // The line contains the command again, because this stack and the earlier stack have different states.
  const { action, address } = withAffectedObjects(group);
  const isForgetting = action?.kind === "forget" || action?.kind === "stateRmAll";
  const command = isForgetting ? `. ${stewardCommand(action, address, source)}` : "";
  return `${severity}: ${titleOf(first)}, as in the stack "${stack}"${here}${command}`;
}

/** Returns the diagnostics of a thrown value. Any value other than a DiagnosticError is an internal error. */
export function diagnosticsOf(problem: unknown, { env }: Pick<Terminal, "env">): readonly Diagnostic[] {
  if (problem instanceof DiagnosticError) return problem.diagnostics;
  const { message, stack } = problem instanceof Error ? problem : new Error(String(problem));
  const isDebug = env["STEWARD_LOG"] === "debug" || env["STEWARD_LOG"] === "trace";
  return [
    error({
      code: "internal_error",
      summary: "Internal error",
      detail: [
        `Steward stopped because of an unexpected problem: ${message}`,
        "This is a bug in Steward, not in your configuration. Please report it with the output " +
          "of STEWARD_LOG=debug.",
        ...(isDebug && stack !== undefined ? ["", ...stack.split("\n")] : []),
      ],
    }),
  ];
}

/** Reports diagnostics: framed on stderr and grouped by cause, or with `--json` as events on stdout. */
export function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  { json, color }: ViewArguments,
): void {
  const { out, err, source } = terminal;
  if (json) {
    for (const diagnostic of diagnostics) out.line(JSON.stringify(diagnosticEvent(diagnostic, source)));
    return;
  }
  const style = styleFor(err, terminal, color);
  for (const alike of alikeIn(byCause(diagnostics)))
    err.lines(renderDiagnostic(summedUp(alike), style, err.columns, source));
}
