import type { Row } from "../../difference";
import { rowsIn } from "../../document/describe";
import { attributesOf, placesOf } from "../../document/equal";
import type { Report, ReportDiagnostic, ReportObject, ReportStack } from "../../document/model";
import { rightsLines } from "../../views/rights";
import { type Cause, Causes } from "../causes";
import { allObjects } from "../counts";
import { Entries, type Entry, nameOf, type StackEntries } from "./entries";
import { Anchors, writeAccess } from "./markdown-access";
import {
  addressesOf,
  Budget,
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
import {
  findingOf,
  hasErrorsIn,
  headline,
  isClean,
  isFinding,
  isWhole,
  outsideOf,
  plural,
  summaryOf,
  timeOf,
  whyFailed,
} from "./summary";
import { waiversMarkdown } from "./waivers";

/**
 * The platform accepts comments of a million characters. The rest is for the text that a pipeline adds to the
 * report.
 */
export const COMMENT_LIMIT = 990_000;

/** Above this total number of diff lines, long diffs are collapsed. */
const MAX_EXPANDED_LINES = 150;

/** A diff of so many lines takes no more space collapsed. */
const SHORT_DIFF = 12;

/**
 * The report as a merge request comment. The first line is a marker by which a pipeline finds its earlier
 * comment. A report beyond the limit loses diffs first, then objects, and states how many objects are left
 * out.
 *
 * @param app what sets its anchors apart from those of other comments
 */
export function markdownReport(report: Report, limit = COMMENT_LIMIT, app = ""): string {
  const lines = allObjects(report).reduce((sum, object) => sum + Math.max(1, rowsIn(object).length), 0);
  const budget = new Budget(limit);
  budget.must(`<!-- steward ${report.command} -->\n## ${headline(report)}\n`);
  if (report.run !== undefined) budget.must(`\n${runLine(report, report.run)}\n`);
  if (report.command === "drift" && allObjects(report).some(({ status }) => status === "changed"))
    budget.must("\nDifferences are applied → live: `-` was applied, `+` is live.\n");
  for (const sentence of outsideOf(report)) budget.must(`\n⚠️ ${sentence}\n`);
  const causes = new Causes(report);
  writeProblems(causes, report.stacks.length > 1, budget);
  const entries = new Entries(report, causes);
  const anchors = new Anchors(entries, report.access, app);
  if (report.access !== undefined) writeAccess(report.access, isWhole(report), anchors, budget);
  const rights = report.rights && rightsLines(report.rights, code);
  if (rights !== undefined) budget.try(`\n### Rights\n\n${rights.map((line) => `- ${line}\n`).join("")}`);
  budget.try(waiversMarkdown(report));
  const isCollapsible = lines > MAX_EXPANDED_LINES;
  const hasSeveral = report.stacks.length > 1;
  const hasParts = report.access !== undefined || rights !== undefined || causes.all.some(isAtHead);
  if (hasSeveral) budget.must(`\n${stackTotal(report)}\n`);
  else if (hasParts && entries.all.length > 0)
    budget.must(`\n### ${report.command === "drift" ? "Drift" : "Changes"}\n`);
  const context = { report, isCollapsible, causes, anchors };
  if (entries.several.length > 0) budget.must("\n### In several stacks\n");
  writeEntries(entries.several, context, budget);
  const elsewhere = new Set(entries.several.flatMap(({ objects }) => objects));
  const told = hasSeveral ? entries.stacks.filter((one) => isTold(one, causes)) : [];
  const inList = new Set(told);
  for (const one of entries.stacks) if (!inList.has(one)) writeStack(one, elsewhere, context, budget);
  const list = (what: string, of: readonly StackEntries[]) =>
    of.length > 0 &&
    budget.try(
      `\n${what} in ${plural(of.length, "stack")}: ${of.map(({ stack }) => code(nameOf(stack.name))).join(", ")}\n`,
    );
  list(
    "Nothing else",
    told.filter(({ stack }) => !isClean(stack)),
  );
  list(
    `No ${findingOf(report)}`,
    told.filter(({ stack }) => isClean(stack)),
  );
  return budget.text();
}

/** Where and when the run took place. */
function runLine(
  report: Report,
  { commit, pipeline, job, services = [] }: NonNullable<Report["run"]>,
): string {
  return [
    ...(services.length > 0 ? [`on ${services.map(code).join(", ")}`] : []),
    ...(commit === undefined ? [] : [`commit ${code(commit)}`]),
    ...(pipeline === undefined ? [] : [`pipeline ${linked(pipeline, pipeline)}`]),
    ...(job === undefined ? [] : [`job ${linked(job, job)}`]),
    timeOf(report),
  ].join(", ");
}

/** The number of stacks, of those with findings, and of those with errors: a stack may have both. */
function stackTotal(report: Report): string {
  const found = report.stacks.filter(hasFindings).length;
  const failed = report.stacks.filter((stack) => stack.unchecked > 0 || hasErrorsIn(stack)).length;
  const parts = [
    ...(found > 0 || failed === 0 ? [`${found === 0 ? "no" : `${found} with`} ${findingOf(report)}`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return `${report.stacks.length} stacks: ${parts.join(", ")}.`;
}

const hasFindings = ({ objects, outputs, ignored, known }: ReportStack): boolean =>
  objects.some(isFinding) || outputs.some(({ action }) => action !== "no-op") || ignored.length + known > 0;

function stackHeadline(stack: ReportStack, command: Report["command"]): string {
  const failed = hasErrorsIn(stack) ? whyFailed([stack]) : "";
  return `${code(nameOf(stack.name))}: ${summaryOf(command, stack.objects, [stack])}${failed}`;
}

interface Context {
  readonly report: Report;
  readonly isCollapsible: boolean;
  readonly causes: Causes;
  readonly anchors: Anchors;
}

/** Whether a problem stands at the head: every error does, and a warning of several objects or stacks. */
const isAtHead = ({ diagnostic, objects, stacks }: Cause): boolean =>
  diagnostic.severity === "error" || objects.length > 1 || stacks.size > 1;

/** Whether what stands above says all about a stack: problems, and changes that are equal in several stacks. */
const isTold = ({ stack, entries }: StackEntries, causes: Causes): boolean =>
  entries.length + stack.ignored.length + stack.known === 0 &&
  stack.outputs.every(({ action }) => action === "no-op") &&
  stack.diagnostics.every((diagnostic) => isAtHead(causes.of(diagnostic)));

/** What keeps a run from being complete, before everything else: each cause once, with all that it concerns. */
function writeProblems(causes: Causes, hasSeveral: boolean, budget: Budget): void {
  let omitted = 0;
  const all = causes.all.filter(isAtHead);
  if (all.length > 0) budget.must("\n### Problems\n");
  for (const cause of all) {
    if (budget.try(renderCause(cause, hasSeveral))) continue;
    omitted++;
  }
  if (omitted > 0)
    budget.must(
      `\n${plural(omitted, "more problem")}: too many for a comment. The JSON report has them all.\n`,
    );
}

function renderCause({ diagnostic, objects, stacks }: Cause, hasSeveral: boolean): string {
  const namesOf = (of: readonly ReportObject[]) => of.map(({ address }) => code(address)).join(", ");
  const places = hasSeveral
    ? [...stacks].map(([name, of]) => `stack ${code(name)}${of.length === 0 ? "" : `: ${namesOf(of)}`}`)
    : [namesOf(objects)].filter((names) => names !== "");
  const list = places.map((place) => `\n- ${place}`).join("");
  if (objects.length + stacks.size > MAX_EXPANDED_NAMES)
    return `${renderDiagnostic(diagnostic)}\n<details><summary>${plural(objects.length, "object")}</summary>\n${list}\n\n</details>\n`;
  return `${renderDiagnostic(diagnostic)}${list === "" ? "" : `${list}\n`}`;
}

function writeStack(
  { stack, entries }: StackEntries,
  elsewhere: ReadonlySet<ReportObject>,
  context: Context,
  budget: Budget,
): void {
  const { report, causes } = context;
  if (report.stacks.length > 1) budget.must(`\n### ${stackHeadline(stack, report.command)}\n`);
  for (const diagnostic of stack.diagnostics)
    if (!isAtHead(causes.of(diagnostic))) budget.try(renderDiagnostic(diagnostic));
  const above = stack.objects.filter((object) => elsewhere.has(object)).length;
  if (above > 0) budget.try(`\n${plural(above, "object")} above, with equal ones of other stacks.\n`);
  writeEntries(entries, context, budget);
  for (const { object, reason } of stack.ignored)
    budget.try(`\n- ignored ${code(object)}: ${prose(reason)}\n`);
  if (stack.known > 0) budget.must(`\n${plural(stack.known, "difference")} known from an earlier run.\n`);
  const outputs = stack.outputs.filter(({ action }) => action !== "no-op");
  if (outputs.length > 0)
    budget.try(`\nOutputs: ${outputs.map(({ name, action }) => `${code(name)} (${action})`).join(", ")}\n`);
}

/** The entries, or at least the heads of their objects; the number of those that do not fit. */
function writeEntries(entries: readonly Entry[], context: Context, budget: Budget): void {
  let omitted = 0;
  for (const entry of entries) {
    if (budget.try(renderEntry(entry, context))) continue;
    for (const object of entry.objects) if (!budget.try(renderHead(object))) omitted++;
  }
  if (omitted > 0)
    budget.must(
      `\n${plural(omitted, "more object")}: too many for a comment. The JSON report has them all.\n`,
    );
}

const renderEntry = (entry: Entry, { isCollapsible, causes, anchors }: Context): string =>
  entry.objects.length === 1
    ? renderObject(entry.objects[0], anchors.at(entry), isCollapsible, causes)
    : renderEqual(entry, anchors.at(entry), isCollapsible);

const ACTION_LABELS: Readonly<Partial<Record<NonNullable<ReportObject["action"]>, string>>> = {
  create: "➕ create",
  update: "✏️ update",
  delete: "➖ destroy",
  replace: "♻️ replace",
  read: "🔎 read",
  import: "📥 import",
  move: "➡️ move",
  forget: "✂️ forget",
};

const STATUS_LABELS: Readonly<Partial<Record<ReportObject["status"], string>>> = {
  changed: "✏️ changed",
  vanished: "➖ vanished",
  unmanaged: "❔ unmanaged",
  failed: "❌ failed",
  not_done: "⏸️ not started",
};

function renderHead(object: ReportObject, anchor = ""): string {
  return `\n- ${anchor}${label(object)} ${code(object.address)}${strictnessOf(object)}\n`;
}

const strictnessOf = ({ strictness }: ReportObject): string =>
  strictness === undefined ? "" : `, ${STRICTNESS_LABELS[strictness]}`;

function label({ action, status, deleted_outside: deleted }: ReportObject): string {
  return (
    [action && ACTION_LABELS[action], deleted && "deleted outside", STATUS_LABELS[status]]
      .filter((part) => part !== undefined)
      .join(", ") ||
    (action ?? status)
  );
}

function renderObject(object: ReportObject, anchor: string, isCollapsible: boolean, causes: Causes): string {
  const {
    commands,
    project,
    group,
    url,
    id,
    construct,
    file,
    line,
    previous_address: before,
    import_id: imported,
    live_not_known: notKnown,
    diagnostics,
  } = object;
  const fact = (name: string, value: string | undefined) =>
    value === undefined ? "" : `  \n  ${name} ${code(value)}`;
  const container = (name: string, path: string | undefined) =>
    path === undefined
      ? ""
      : `  \n  ${name} ${linked(path, url)}${id === undefined ? "" : `, id ${code(id)}`}`;
  const where = `${container("project", project)}${container("group", group)}`;
  const facts = `${fact("moved from", before)}${fact("left over from a replacement:", object.deposed)}${fact("imported from", imported)}${where}${fact("construct", construct)}${fact("in", file && `${file}:${line}`)}${fact("live values not known:", notKnown)}${fact("import", commands?.import)}${fact("adopt", commands?.adopt)}${fact("repair", commands?.repair)}${fact("accept", commands?.accept)}${fact("ignore", commands?.ignore)}`;
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
      ? `  ${heading}: ${names.join(", ")}\n${details(plural(objects.length, "address", "addresses"), addresses)}`
      : `  ${heading}\n${details(heading.replace(/^in /, ""), `${placeNames(items)}\n\n${addresses}`)}`;
  const head = `\n- ${anchor}${label(first)} ${objects.length} × ${code(first.type)}${strictnessOf(first)}`;
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
  return indented(`\n<details><summary>${plural(rows.length, "line")}</summary>\n\n${block}\n\n</details>\n`);
}

/** A problem whose text stands at the head. */
function renderHeadline({ severity, summary, attribute }: ReportDiagnostic): string {
  const where = attribute === undefined ? "" : ` (${code(attribute)})`;
  return `\n${severity === "error" ? "❌" : "⚠️"} **${prose(summary)}**${where}\n`;
}

const renderDiagnostic = (diagnostic: ReportDiagnostic): string =>
  `${renderHeadline(diagnostic)}\n${fence(diagnostic.detail)}text\n${diagnostic.detail}\n${fence(diagnostic.detail)}\n`;
