import { counted, namesUpTo } from "../../../text";
import type { Row } from "../../difference";
import { type Equal, placesOf } from "../../document/equal";
import type { Report, ReportAccess, ReportDiagnostic, ReportObject } from "../../document/model";
import {
  ACTIONS,
  type Cause,
  type Causes,
  type Entries,
  type Entry,
  factsOf,
  type Label,
  MAX_SOURCES,
  rowsOfEntry,
  STATUSES,
  sourceName,
} from "./entries";
import {
  addressesOf,
  type Budget,
  code,
  details,
  fence,
  indented,
  linked,
  MAX_EXPANDED_NAMES,
  placeNames,
  prose,
  STRICTNESS_LABELS,
} from "./markdown-text";

/**
 * Makes anchors at the entries that cause access changes, and links to these anchors. An anchor is an `<a>` with a `name`,
 * because the platform removes all other ids from comments.
 */
export class Anchors {
  readonly #linked: ReadonlySet<string>;
  readonly #prefix: string;

  /** @param app the name of the app. The name makes the anchors different from the anchors of other comments on the page */
  constructor(
    private readonly entries: Entries,
    access: readonly ReportAccess[] = [],
    app = "",
  ) {
    this.#linked = new Set(entries.sourcesOf(access).map(({ id }) => id));
    this.#prefix = `${app === "" ? "steward" : app}-`;
  }

  /** Returns the anchor of an entry; empty if no link leads to the entry. */
  at({ id }: Entry): string {
    return this.#linked.has(id) ? `<a name="${this.#prefix}${id}"></a>` : "";
  }

  /** Returns links to the entries that cause access changes. The caller adds the links after the text of these changes. */
  to(access: readonly ReportAccess[]): string {
    const found = this.entries.sourcesOf(access);
    if (found.length === 0) return "";
    const links = found.map((source) => `[${code(sourceName(source))}](#${this.#prefix}${source.id})`);
    return `, by ${namesUpTo(MAX_SOURCES, links)}`;
  }
}

/** The maximum number of lines of a diff that a comment shows without a collapsible section. */
const SHORT_DIFF = 12;

/** The values that all parts of a comment need, such as the report and the `Budget` that collects the text. */
export interface Context {
  readonly report: Report;
  readonly causes: Causes;
  readonly anchors: Anchors;
  readonly budget: Budget;
  /** Whether long differences are in collapsible sections. */
  readonly isCollapsible: boolean;
  /** The objects that the list of equal changes in several stacks already contains. */
  readonly elsewhere: ReadonlySet<ReportObject>;
}

/**
 * Returns true if the head of the comment shows a problem. The head shows errors, and warnings that affect several objects or
 * stacks.
 */
export const isAtHead = ({ diagnostic, objects, stacks }: Cause): boolean =>
  diagnostic.severity === "error" || objects.length > 1 || stacks.size > 1;

const FAILURES: Readonly<Partial<Record<ReportObject["status"], string>>> = {
  failed: "❌ failed",
  not_done: "⏸️ not started",
};

export const renderHead = (object: ReportObject): string => `${headOf(object, code(object.address))}\n`;

function headOf(object: ReportObject, name: string, anchor = ""): string {
  const { strictness } = object;
  const risk = strictness === undefined ? "" : `, ${STRICTNESS_LABELS[strictness]}`;
  return `\n- ${anchor}${label(object)} ${name}${risk}`;
}

function label({ action, status, deleted_outside: isDeletedOutside }: ReportObject): string {
  return (
    [
      action && marked(ACTIONS[action]),
      isDeletedOutside && "deleted outside",
      marked(STATUSES[status]) ?? FAILURES[status],
    ]
      .filter((part) => part !== undefined)
      .join(", ") ||
    (action ?? status)
  );
}

const marked = (label: Label | undefined) => label?.emoji && `${label.emoji} ${label.word}`;

/** Renders an entry as one list item, with its facts and differences. */
export function renderEntry(entry: Entry, { isCollapsible, causes, anchors }: Context): string {
  const { objects, stacks } = entry;
  const [first] = objects;
  const isOne = objects.length === 1;
  const name = isOne ? code(first.address) : `${objects.length} × ${code(first.type)}`;
  const facts = factsOf(objects).map(
    ({ name, text, url, isSentence }) => `  \n  ${name}: ${isSentence ? prose(text) : linked(text, url)}`,
  );
  const problems = first.diagnostics.map((one) =>
    indented(isAtHead(causes.of(one)) ? renderHeadline(one) : renderDiagnostic(one)),
  );
  const places = isOne ? "\n" : `  \n${renderPlaces(objects, stacks)}`;
  const diff = renderDiff(rowsOfEntry(objects), isCollapsible);
  return [headOf(first, name, anchors.at(entry)), ...facts, places, diff, ...problems].join("");
}

function renderPlaces(objects: Equal<ReportObject>, stacks: readonly string[]): string {
  const { heading, items } = placesOf(objects, stacks.length, code);
  const names = items.map(({ name, url, keys }) =>
    [linked(name, url), ...(keys.length > 0 ? [`(${keys.map(code).join(", ")})`] : [])].join(" "),
  );
  const addresses = addressesOf(objects.map(({ address }) => address));
  return names.length <= MAX_EXPANDED_NAMES
    ? `  ${heading}: ${names.join(", ")}\n${details(counted(objects.length, "address", "addresses"), addresses)}`
    : `  ${heading}\n${details(heading.replace(/^in /, ""), `${placeNames(items)}\n\n${addresses}`)}`;
}

/**
 * Renders a block that the platform highlights as a diff. Marks are in the first column, with `!` for a change. If
 * `isCollapsible` is set, a long block is in a collapsible section.
 */
function renderDiff(rows: readonly Row[], isCollapsible: boolean): string {
  if (rows.length === 0) return "";
  const text = rows
    .map(({ depth, mark, text }) => `${mark === "~" ? "!" : mark}${" ".repeat(4 * depth)} ${text}`)
    .join("\n");
  const block = `${fence(text)}diff\n${text}\n${fence(text)}`;
  if (!isCollapsible || rows.length <= SHORT_DIFF) return indented(`\n${block}\n`);
  return indented(
    `\n<details><summary>${counted(rows.length, "line")}</summary>\n\n${block}\n\n</details>\n`,
  );
}

/** Renders a problem without its detail, because the head of the comment already contains the detail. */
function renderHeadline({
  severity,
  summary,
  code: errorCode,
  attribute,
  position,
}: ReportDiagnostic): string {
  const places = [attribute && `attribute ${code(attribute)}`, position && `declared in ${code(position)}`];
  const facts = [code(errorCode), ...places.filter((place) => place !== undefined)];
  return `\n${severity === "error" ? "❌" : "⚠️"} **${prose(summary)}** (${facts.join(", ")})\n`;
}

/** Renders warnings with the same code and summary. The details of the warnings are in a collapsible section. */
export function renderAlike(all: readonly ReportDiagnostic[]): string {
  const { summary, code: ofAll } = all[0]!;
  const texts = all.map(({ detail, position }) =>
    position === undefined ? detail : `${position}: ${detail}`,
  );
  const text = texts.join("\n\n");
  const block = `${fence(text)}text\n${text}\n${fence(text)}`;
  const count = counted(all.length, "warning");
  return `\n⚠️ **${prose(summary)}** (${code(ofAll)})\n\n<details><summary>${count}</summary>\n\n${block}\n\n</details>\n`;
}

export const renderDiagnostic = (diagnostic: ReportDiagnostic): string =>
  `${renderHeadline(diagnostic)}\n${fence(diagnostic.detail)}text\n${diagnostic.detail}\n${fence(diagnostic.detail)}\n`;
