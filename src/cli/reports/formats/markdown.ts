import { groupAlike } from "../../../diagnostics";
import { counted } from "../../../text";
import { rowsIn } from "../../document/equal";
import type { Report, ReportObject, ReportStack } from "../../document/model";
import { stacksSentence } from "../../document/totals";
import { rightsLines } from "../../views/rights";
import { waiverLines } from "../../views/waivers";
import { type Cause, Causes, Entries, type Entry, nameOf, type StackEntries } from "./entries";
import { writeAccess } from "./markdown-access";
import {
  Anchors,
  type Context,
  isAtHead,
  renderAlike,
  renderDiagnostic,
  renderEntry,
  renderHead,
} from "./markdown-parts";
import { Budget, code, linked, MAX_EXPANDED_NAMES, prose } from "./markdown-text";
import {
  allObjects,
  coverageSentence,
  directionOf,
  findingOf,
  findingsOf,
  hasErrorsIn,
  headline,
  isClean,
  outsideOf,
  summaryOf,
  timeOf,
  whyFailed,
} from "./summary";

/**
 * The maximum number of bytes of a report in a comment. The platform accepts a million characters; the rest is for texts that a
 * pipeline adds.
 */
export const COMMENT_LIMIT = 990_000;

/** If all differences together have more lines than this number, long differences are in collapsible sections. */
const MAX_EXPANDED_LINES = 150;

/**
 * Returns the report as a merge request comment. The first line is a marker by which a pipeline finds its earlier comment. To
 * stay below the limit, the comment leaves out differences first, and then objects. The comment gives the number of omitted
 * objects.
 *
 * @param app the name of the app. The name makes the anchors different from the anchors of other comments
 */
export function markdownReport(report: Report, limit = COMMENT_LIMIT, app = ""): string {
  const lines = allObjects(report).reduce((sum, object) => sum + Math.max(1, rowsIn(object).length), 0);
  const isCollapsible = lines > MAX_EXPANDED_LINES;
  const budget = new Budget(limit);
  const causes = new Causes(report);
  const entries = new Entries(report, causes);
  const anchors = new Anchors(entries, report.access, app);
  const elsewhere = new Set(entries.several.flatMap(({ objects }) => objects));
  const context = { report, causes, anchors, budget, isCollapsible, elsewhere };
  budget.must(`<!-- steward ${report.command} -->\n## ${headline(report)}\n`);
  if (report.run !== undefined) budget.must(`\n${runLine(report)}\n`);
  for (const sentence of directionOf(report, code)) budget.must(`\n${sentence}\n`);
  for (const sentence of outsideOf(report)) budget.must(`\n⚠️ ${sentence}\n`);
  const searched = coverageSentence(report);
  if (searched !== undefined) budget.must(`\n${searched}\n`);
  writeProblems(context);
  if (report.access !== undefined) writeAccess(report.access, context);
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 && budget.try(`\n### ${title}\n\n${lines.map((line) => `- ${line}\n`).join("")}`);
  if (report.rights !== undefined)
    list("Rights", rightsLines(report.rights, { name: code, sentence: prose }));
  list("Waivers", waiverLines(report.waivers ?? []).map(prose));
  const hasSeveral = report.stacks.length > 1;
  const hasParts = report.access !== undefined || report.rights !== undefined || causes.all.some(isAtHead);
  if (hasSeveral) budget.must(`\n${stacksSentence(findingsOf(report))}.\n`);
  else if (hasParts && entries.all.length > 0)
    budget.must(`\n### ${report.command === "drift" ? "Drift" : "Changes"}\n`);
  if (entries.several.length > 0) budget.must("\n### In several stacks\n");
  writeEntries(entries.several, context);
  const told = hasSeveral ? entries.stacks.filter((one) => isTold(one, causes)) : [];
  const inList = new Set(told);
  for (const one of entries.stacks) if (!inList.has(one)) writeStack(one, context);
  const stacksWith = (what: string, of: readonly StackEntries[]) =>
    of.length > 0 &&
    budget.try(
      `\n${what} in ${counted(of.length, "stack")}: ${of.map(({ stack }) => code(nameOf(stack.name))).join(", ")}\n`,
    );
  stacksWith(
    "Nothing else",
    told.filter(({ stack }) => !isClean(stack)),
  );
  stacksWith(
    `No ${findingOf(report)}`,
    told.filter(({ stack }) => isClean(stack)),
  );
  return budget.text();
}

/** Returns a line about the run: service, commit, pipeline, job and time. */
function runLine(report: Report): string {
  const { commit, pipeline, job, services = [] } = report.run ?? {};
  return [
    services.length > 0 && `on ${services.map(code).join(", ")}`,
    commit && `commit ${code(commit)}`,
    pipeline && `pipeline ${linked(pipeline, pipeline)}`,
    job && `job ${linked(job, job)}`,
    timeOf(report),
  ]
    .filter(Boolean)
    .join(", ");
}

function stackHeadline(stack: ReportStack, command: Report["command"]): string {
  const failed = hasErrorsIn(stack) ? whyFailed([stack]) : "";
  return `${code(nameOf(stack.name))}: ${summaryOf(command, stack.objects, [stack])}${failed}`;
}

/**
 * Returns true if the earlier sections already contain everything about a stack. These sections list problems, and changes
 * that are equal in several stacks.
 */
const isTold = ({ stack, entries }: StackEntries, causes: Causes): boolean =>
  entries.length + stack.ignored.length + stack.known === 0 &&
  stack.outputs.every(({ action }) => action === "no-op") &&
  stack.diagnostics.every((diagnostic) => isAtHead(causes.of(diagnostic)));

/**
 * Writes the problems that make a run incomplete, before all other parts. Each cause of problems appears once, with all
 * affected objects.
 */
function writeProblems({ report, causes, budget }: Context): void {
  const all = causes.all.filter(isAtHead);
  if (all.length > 0) budget.must("\n### Problems\n");
  const hasSeveral = report.stacks.length > 1;
  budget.each(
    groupAlike(all, ({ diagnostic }) => diagnostic),
    "problem",
    (alike) => (budget.try(renderCauses(alike, hasSeveral)) ? 0 : alike.length),
  );
}

/** Renders one cause, or warnings with the same code and summary in a collapsible section. */
function renderCauses(alike: readonly Cause[], hasSeveral: boolean): string {
  if (alike.length === 1) return renderCause(alike[0]!, hasSeveral);
  const { summary, code: ofAll } = alike[0]!.diagnostic;
  const all = alike.map((cause) => renderCause(cause, hasSeveral)).join("");
  return `\n⚠️ **${prose(summary)}** (${code(ofAll)})\n\n<details><summary>${counted(alike.length, "warning")}</summary>\n${all}\n</details>\n`;
}

function renderCause({ diagnostic, objects, stacks }: Cause, hasSeveral: boolean): string {
  const namesOf = (of: readonly ReportObject[]) => of.map(({ address }) => code(address)).join(", ");
  const places = hasSeveral
    ? [...stacks].map(([name, of]) => `stack ${code(name)}${of.length === 0 ? "" : `: ${namesOf(of)}`}`)
    : [namesOf(objects)].filter((names) => names !== "");
  const list = places.map((place) => `\n- ${place}`).join("");
  if (objects.length + stacks.size > MAX_EXPANDED_NAMES)
    return `${renderDiagnostic(diagnostic)}\n<details><summary>${counted(objects.length, "object")}</summary>\n${list}\n\n</details>\n`;
  return `${renderDiagnostic(diagnostic)}${list === "" ? "" : `${list}\n`}`;
}

function writeStack({ stack, entries }: StackEntries, context: Context): void {
  const { report, causes, budget, elsewhere } = context;
  if (report.stacks.length > 1) budget.must(`\n### ${stackHeadline(stack, report.command)}\n`);
  const own = stack.diagnostics.filter((diagnostic) => !isAtHead(causes.of(diagnostic)));
  for (const alike of groupAlike(own, (diagnostic) => diagnostic))
    budget.try(alike.length === 1 ? renderDiagnostic(alike[0]!) : renderAlike(alike));
  const above = stack.objects.filter((object) => elsewhere.has(object)).length;
  if (above > 0) budget.try(`\n${counted(above, "object")} above, with equal ones of other stacks.\n`);
  writeEntries(entries, context);
  for (const { object, reason } of stack.ignored)
    budget.try(`\n- ignored ${code(object)}: ${prose(reason)}\n`);
  if (stack.known > 0) budget.must(`\n${counted(stack.known, "difference")} known from an earlier run.\n`);
  const outputs = stack.outputs.filter(({ action }) => action !== "no-op");
  if (outputs.length > 0)
    budget.try(`\nOutputs: ${outputs.map(({ name, action }) => `${code(name)} (${action})`).join(", ")}\n`);
}

/** Writes a list of entries. Reverts of manual changes come last, under their own title. */
function writeEntries(entries: readonly Entry[], context: Context): void {
  const isRevert = ({ objects: [first] }: Entry) => first.is_revert === true;
  const reverts = entries.filter(isRevert);
  const own = entries.filter((entry) => !isRevert(entry));
  writeList(own, context);
  if (reverts.length > 0) context.budget.must("\n#### Reverts of manual changes\n");
  writeList(reverts, context);
}

/**
 * Writes as many entries as fit. An entry that does not fit is shortened to the heads of its objects. The last line gives the
 * number of omitted objects.
 */
const writeList = (entries: readonly Entry[], context: Context): void =>
  context.budget.each(entries, "object", (entry) =>
    context.budget.try(renderEntry(entry, context))
      ? 0
      : entry.objects.filter((object) => !context.budget.try(renderHead(object))).length,
  );
