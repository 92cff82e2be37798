import { suppressedSentence } from "../../drift/suppressed-sentence";
import { actionCounts, allObjects, moveCount, statusCounts } from "../counts";
import type { Report, ReportDiagnostic, ReportObject, ReportStack } from "../model";
import { Budget } from "./budget";

/** The platform takes comments of a million characters; some are left for what a pipeline writes around the report. */
export const COMMENT_LIMIT = 990_000;

/** With more lines of differences than this in all, each difference is folded. */
const OPEN_LINES = 60;

/**
 * A report as the comment on a merge request. The first line marks it, so that a pipeline finds its comment again.
 * Where the whole is longer than a comment may be, differences are left out first, then objects, and that is said.
 */
export function markdownReport(report: Report, limit = COMMENT_LIMIT): string {
  const lines = allObjects(report).reduce((sum, { diff }) => sum + diff.split("\n").length, 0);
  const budget = new Budget(limit);
  budget.must(`<!-- steward ${report.command} -->\n## ${headline(report)}\n`);
  for (const stack of report.stacks) writeStack(stack, report, lines > OPEN_LINES, budget);
  return budget.text();
}

function headline(report: Report): string {
  const objects = allObjects(report);
  const failed = report.result === "failed" ? INCOMPLETE : "";
  return `Steward ${report.command}: ${summaryOf(report.command, objects, report.stacks)}${failed}`;
}

const INCOMPLETE = " (incomplete: see the errors)";

function headlineOf(stack: ReportStack, command: Report["command"]): string {
  const diagnostics = [...stack.diagnostics, ...stack.objects.flatMap((object) => object.diagnostics)];
  const failed = diagnostics.some(({ severity }) => severity === "error") ? INCOMPLETE : "";
  return `${code(stack.name ?? "configuration")}: ${summaryOf(command, stack.objects, [stack])}${failed}`;
}

function summaryOf(
  command: Report["command"],
  objects: readonly ReportObject[],
  stacks: readonly ReportStack[],
): string {
  const statuses = statusCounts(objects);
  const left = uncheckedWords(objects);
  if (command === "drift") {
    const kinds = (["changed", "vanished", "unmanaged"] as const).filter((kind) => statuses[kind]);
    const found = kinds.map((kind) => `${statuses[kind]} ${kind}`);
    const unchecked = objects.filter((object) => object.unchecked).length;
    const checked = objects.length - (statuses.unmanaged ?? 0) - unchecked;
    if (found.length + left.length === 0) found.push(suppressedIn(stacks) ?? "no drift");
    return [...found, `${plural(checked, "object")} checked`, ...left].join(", ");
  }
  const counted = command === "plan" ? objects : objects.filter(({ status }) => status === "done");
  const { create, update, delete: gone } = actionCounts(counted);
  const words =
    command === "plan" ? ["to create", "to update", "to delete"] : ["created", "updated", "deleted"];
  const moved = moveCount(counted);
  const isKnown = left.length === 0 && objects.every(({ status }) => status !== "failed");
  if (create + update + gone + moved === 0 && command === "plan" && isKnown) return "no changes";
  const moves = moved === 0 ? [] : [`${moved} ${command === "plan" ? "to move" : "moved"}`];
  const counts = [create, update, gone].map((count, index) => `${count} ${words[index]}`);
  return [...moves, ...counts, ...left].join(", ");
}

const suppressedIn = (stacks: readonly ReportStack[]): string | undefined =>
  suppressedSentence(
    stacks.reduce((sum, { known }) => sum + known, 0),
    stacks.reduce((sum, { ignored }) => sum + ignored.length, 0),
  );

function uncheckedWords(objects: readonly ReportObject[]): string[] {
  const count = objects.filter(({ unchecked }) => unchecked).length;
  return count === 0 ? [] : [`${plural(count, "object")} could not be checked`];
}

function writeStack(stack: ReportStack, report: Report, folds: boolean, budget: Budget): void {
  if (report.stacks.length > 1) budget.must(`\n### ${headlineOf(stack, report.command)}\n`);
  for (const diagnostic of stack.diagnostics) budget.try(renderDiagnostic(diagnostic));
  const told = stack.objects.filter(isTold);
  let left = 0;
  for (const object of told) {
    if (!budget.try(renderObject(object, folds)) && !budget.try(renderHead(object))) left++;
  }
  if (left > 0)
    budget.must(`\n${plural(left, "more object")}: too many for a comment. The JSON report has them all.\n`);
  for (const { object, reason } of stack.ignored)
    budget.try(`\n- ignored ${code(object)}: ${prose(reason)}\n`);
  if (stack.known > 0) budget.must(`\n${plural(stack.known, "difference")} known from an earlier run.\n`);
  const outputs = stack.outputs.filter(({ action }) => action !== "no-op");
  if (outputs.length > 0)
    budget.try(`\nOutputs: ${outputs.map(({ name, action }) => `${code(name)} (${action})`).join(", ")}\n`);
}

const isTold = ({ status, diagnostics, action }: ReportObject): boolean =>
  diagnostics.length > 0 || (status !== "unchanged" && status !== "in_sync" && action !== "no-op");

const SIGNS: Readonly<Partial<Record<NonNullable<ReportObject["action"]>, string>>> = {
  create: "➕ create",
  update: "✏️ update",
  delete: "➖ delete",
  replace: "♻️ replace",
  read: "🔎 read",
};

const STATUSES: Readonly<Partial<Record<ReportObject["status"], string>>> = {
  changed: "✏️ changed",
  vanished: "➖ vanished",
  unmanaged: "❔ unmanaged",
  failed: "❌ failed",
  not_done: "⏸️ not begun",
};

function renderHead(object: ReportObject): string {
  return `\n- ${label(object)} ${code(object.address)}\n`;
}

function label({ action, status }: ReportObject): string {
  return (
    [action && SIGNS[action], STATUSES[status]].filter((part) => part !== undefined).join(", ") ||
    (action ?? status)
  );
}

function renderObject(object: ReportObject, folds: boolean): string {
  const { diff, construct, previous_address: before, diagnostics } = object;
  const fact = (name: string, value: string | undefined) =>
    value === undefined ? "" : `  \n  ${name} ${code(value)}`;
  const facts = `${fact("moved from", before)}${fact("construct", construct)}`;
  const problems = diagnostics.map((one) => indented(renderDiagnostic(one))).join("");
  return `${renderHead(object).trimEnd()}${facts}\n${diff === "" ? "" : indented(renderDiff(diff, folds))}${problems}`;
}

/** A block that the platform colours line by line; folded, it opens with a click. */
function renderDiff(diff: string, folds: boolean): string {
  const lines = diff
    .split("\n")
    .map((line) =>
      line.replace(/^(\s*)([-+~]) /, (_, space, mark) => `${mark === "~" ? "!" : mark}${space} `),
    );
  const block = `${fence(diff)}diff\n${lines.join("\n")}\n${fence(diff)}`;
  if (!folds) return `\n${block}\n`;
  return `\n<details><summary>${plural(lines.length, "line")}</summary>\n\n${block}\n\n</details>\n`;
}

function renderDiagnostic({ severity, summary, detail, attribute }: ReportDiagnostic): string {
  const where = attribute === undefined ? "" : ` (${code(attribute)})`;
  const sign = severity === "error" ? "❌" : "⚠️";
  return `\n${sign} **${prose(summary)}**${where}\n\n${fence(detail)}text\n${detail}\n${fence(detail)}\n`;
}

/** Inside of a list item. */
const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** Longer than any run of backticks inside. */
const fence = (text: string): string => "`".repeat(Math.max(3, longestRun(text) + 1));

/** Text as it stands, whatever is in it. */
function code(text: string): string {
  const mark = "`".repeat(longestRun(text) + 1);
  const flat = text.replace(/\s+/g, " ");
  return flat.startsWith("`") || flat.endsWith("`") ? `${mark} ${flat} ${mark}` : `${mark}${flat}${mark}`;
}

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A sentence that no renderer reads as anything else: no mark-up, no entity, no address that becomes a link by itself. */
const PROSE = /^(?!.*(?:\/\/|www\.))[\p{L}\p{N} .,:;'"()/%=?+-]*$/iu;

/** A sentence as it is, or as code where a part of it would become a link, a mention or mark-up. */
const prose = (text: string): string => (PROSE.test(text) ? text : code(text));

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
