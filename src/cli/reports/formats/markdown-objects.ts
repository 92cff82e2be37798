import { counted } from "../../../text";
import type { Row } from "../../difference";
import { rowsIn } from "../../document/describe";
import { attributesOf, placesOf, reasonText } from "../../document/equal";
import type { Report, ReportDiagnostic, ReportObject } from "../../document/model";
import { ACTIONS, type Cause, type Causes, type Entry, type Label, STATUSES } from "./entries";
import type { Anchors } from "./markdown-access";
import {
  addressesOf,
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

/** A diff of so many lines takes no more space collapsed. */
const SHORT_DIFF = 12;

export interface Context {
  readonly report: Report;
  readonly isCollapsible: boolean;
  readonly causes: Causes;
  readonly anchors: Anchors;
}

/** Whether a problem stands at the head: every error does, and a warning of several objects or stacks. */
export const isAtHead = ({ diagnostic, objects, stacks }: Cause): boolean =>
  diagnostic.severity === "error" || objects.length > 1 || stacks.size > 1;

export const renderEntry = (entry: Entry, { isCollapsible, causes, anchors }: Context): string =>
  entry.objects.length === 1
    ? renderObject(entry.objects[0], anchors.at(entry), isCollapsible, causes)
    : renderEqual(entry, anchors.at(entry), isCollapsible);

const FAILURES: Readonly<Partial<Record<ReportObject["status"], string>>> = {
  failed: "❌ failed",
  not_done: "⏸️ not started",
};

export function renderHead(object: ReportObject, anchor = ""): string {
  return `\n- ${anchor}${label(object)} ${code(object.address)}${strictnessOf(object)}\n`;
}

const strictnessOf = ({ strictness }: ReportObject): string =>
  strictness === undefined ? "" : `, ${STRICTNESS_LABELS[strictness]}`;

/** A line of an item. */
function whyOf(objects: readonly ReportObject[]): string {
  const why = reasonText(objects);
  return why === undefined ? "" : `  \n  why: ${prose(why)}`;
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

function renderObject(object: ReportObject, anchor: string, isCollapsible: boolean, causes: Causes): string {
  const { url, id, file, previous_address: before, commands, diagnostics } = object;
  const fact = (name: string, value: string | undefined) =>
    value === undefined ? "" : `  \n  ${name} ${code(value)}`;
  const container = (name: string, path: string | undefined) =>
    path === undefined
      ? ""
      : `  \n  ${name} ${linked(path, url)}${id === undefined ? "" : `, id ${code(id)}`}`;
  const where = `${container("project", object.project)}${container("group", object.group)}`;
  const facts = `${whyOf([object])}${fact("moved from", before)}${fact("left over from a replacement:", object.deposed)}${fact("imported from", object.import_id)}${where}${fact("construct", object.construct)}${fact("in", file && `${file}:${object.line}`)}${fact("live values not known:", object.live_not_known)}${fact("import", commands?.import)}${fact("adopt", commands?.adopt)}${fact("repair", commands?.repair)}${fact("accept", commands?.accept)}${fact("ignore", commands?.ignore)}`;
  const problems = diagnostics
    .map((one) => indented(isAtHead(causes.of(one)) ? renderHeadline(one) : renderDiagnostic(one)))
    .join("");
  return `${renderHead(object, anchor).trimEnd()}${facts}\n${renderDiff(rowsIn(object), isCollapsible)}${problems}`;
}

/** Equal changes as one item: what changes, once, and where. */
function renderEqual({ objects, stacks }: Entry, anchor: string, isCollapsible: boolean): string {
  const [first] = objects;
  const { heading, items } = placesOf(objects, stacks.length, code);
  const names = items.map(({ name, url, keys }) =>
    [linked(name, url), ...(keys.length > 0 ? [`(${keys.map(code).join(", ")})`] : [])].join(" "),
  );
  const addresses = addressesOf(objects.map(({ address }) => address));
  const list =
    names.length <= MAX_EXPANDED_NAMES
      ? `  ${heading}: ${names.join(", ")}\n${details(counted(objects.length, "address", "addresses"), addresses)}`
      : `  ${heading}\n${details(heading.replace(/^in /, ""), `${placeNames(items)}\n\n${addresses}`)}`;
  const head = `\n- ${anchor}${label(first)} ${objects.length} × ${code(first.type)}${strictnessOf(first)}${whyOf(objects)}`;
  const notKnown =
    first.live_not_known === undefined ? "" : `\n  live values not known: ${code(first.live_not_known)}\n`;
  const rows = rowsIn({ ...first, attributes: attributesOf(objects) });
  return `${head}  \n${list}${notKnown}${renderDiff(rows, isCollapsible)}`;
}

/** A block that the platform highlights as a diff: marks in the first column, `!` for a change. In a collapsible section on request. */
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

/** A problem whose text stands at the head. */
function renderHeadline({ severity, summary, attribute }: ReportDiagnostic): string {
  const where = attribute === undefined ? "" : ` (${code(attribute)})`;
  return `\n${severity === "error" ? "❌" : "⚠️"} **${prose(summary)}**${where}\n`;
}

export const renderDiagnostic = (diagnostic: ReportDiagnostic): string =>
  `${renderHeadline(diagnostic)}\n${fence(diagnostic.detail)}text\n${diagnostic.detail}\n${fence(diagnostic.detail)}\n`;
