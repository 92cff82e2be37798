import type { Diagnostic } from "../../diagnostics";
import {
  type ExplainedSetting,
  groupBy,
  isUnknown,
  type SettingOrigin,
  sameValue,
  type Value,
} from "../../engine";
import { oneLine, SENSITIVE } from "../../text";
import type { ViewArguments } from "../arguments/shared-options";
import { groupEqual } from "../document/equal";
import type { Terminal } from "../terminal/terminal";
import { styleFor } from "../terminal/text";
import { reportDiagnostics } from "./diagnostics";
import { diagnosticJson } from "./json/events";

export interface ExplainedStack {
  readonly stack: string | undefined;
  readonly settings: readonly ExplainedSetting[];
}

/**
 * The maximum length of a value in the text about a project's settings. Longer values are cut, so that the settings of a
 * project fit on a screen.
 */
const MAX_VALUE = 90;

/** Writes the settings of a project: one line for each setting, or one JSON object. */
export function writeExplained(
  project: string,
  stacks: readonly ExplainedStack[],
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  args: ViewArguments,
): void {
  if (args.json) {
    terminal.out.line(
      JSON.stringify({
        format_version: "1.0",
        project,
        settings: stacks.flatMap(({ stack, settings }) => settings.map((one) => ({ stack, ...one }))),
        diagnostics: diagnostics.map((one) => diagnosticJson(one, terminal.source)),
      }),
    );
    return;
  }
  reportDiagnostics(diagnostics, terminal, args);
  if (stacks.length === 0) return;
  const { bold } = styleFor(terminal.out, terminal, args.color);
  terminal.out.line(bold(`project ${project}`));
  for (const { stack, settings } of stacks)
    for (const [first, ...others] of groupEqual(explainedObjects(settings), ({ key }) => key)) {
      const title = others.length === 0 ? first.title : `${others.length + 1} objects ${first.type}`;
      const where = stack === undefined ? "" : ` (stack ${stack})`;
      terminal.out.lines(["", `  ${title}${where}`, ...first.lines.map((line) => `    ${line}`)]);
    }
}

interface ExplainedObject {
  readonly title: string;
  readonly type: string;
  readonly lines: readonly string[];
  /** A text that is the same for objects with the same settings. Undefined for a setting that a layer removes. */
  readonly key: string | undefined;
}

/**
 * Returns the objects to which settings belong, in the order of the settings. The output groups equal objects, because
 * objects such as invitations often have the same settings.
 */
const explainedObjects = (settings: readonly ExplainedSetting[]): ExplainedObject[] =>
  [
    ...groupBy(settings, ({ address, construct, dropped }) =>
      dropped === true ? `dropped by layers of ${construct}` : address,
    ),
  ].map(([title, all]) => {
    const { type, dropped } = all[0]!;
    const lines = all.map(lineOf);
    return { title, type, lines, key: dropped === true ? undefined : JSON.stringify([type, lines]) };
  });

function lineOf(setting: ExplainedSetting): string {
  const { attribute, value, live, from, overrides, dropped, sensitive, type, address } = setting;
  const name = dropped
    ? [type.replace(/^steward_/, ""), address, attribute].filter(Boolean).join(" ")
    : attribute;
  const assigned = dropped ? "" : ` = ${sensitive ? SENSITIVE : textOf(value)}`;
  const over = overrides.length === 0 ? "" : `, over ${overrides.map(place).join(", ")}`;
  const notes = [from.reason, from.owner, from.until && `until ${from.until}`].filter(Boolean).join(", ");
  const isDifferent = !dropped && !sensitive && !sameValue(value ?? null, live ?? null);
  const leftOut =
    from.leavesOut === undefined
      ? ""
      : `; without ${from.leavesOut}, because the list of a project never contains the project itself`;
  return `${name}${assigned}  # ${place(from)}${notes === "" ? "" : ` (${notes})`}${over}${leftOut}${isDifferent ? `; live: ${textOf(live)}` : ""}`;
}

const place = ({ where, position }: SettingOrigin): string => {
  const layer = where === undefined ? "declared" : layerName(where);
  return position === undefined ? layer : `${layer} at ${position}`;
};

const layerName = (where: string): string => (where === "" ? "the baseline" : `layer ${where}`);

/** Returns a value as a text. Leaves out the null fields of elements. */
function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return "none";
  if (isUnknown(value)) return "(known after apply)";
  const text = oneLine(JSON.stringify(value, (_, one: unknown) => one ?? undefined));
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}
