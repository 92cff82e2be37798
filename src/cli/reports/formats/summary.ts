import { counted } from "../../../text";
import { outsideCounts } from "../../document/describe";
import type { Report, ReportDiagnostic, ReportObject, ReportStack } from "../../document/model";
import { isUndeclared, type RunFindings, UNMANAGED } from "../../document/totals";
import { suppressedSentence } from "../../findings/finding";
import { outsideSentences } from "../../views/summary";

// This file makes the sentences at the head of a report, for all formats that people read.

/** Returns the headline, such as `Steward plan: 1 to add, 0 to change, 0 to destroy`. */
export function headline(report: Report): string {
  const objects = allObjects(report);
  const failed = report.result === "failed" ? whyFailed(report.stacks) : "";
  return `Steward ${report.command}: ${summaryOf(report.command, objects, report.stacks)}${failed}`;
}

/** Returns the part of a headline that gives the reason of a failure. */
export const whyFailed = (stacks: readonly ReportStack[]): string =>
  hasOnlyPolicyViolations(stacks) ? " (violates a policy: see the errors)" : " (incomplete: see the errors)";

/** Returns true if there are errors and all of them are violations of policies. The plan is then complete. */
export function hasOnlyPolicyViolations(stacks: readonly ReportStack[]): boolean {
  const errors = stacks.flatMap(errorsOf);
  return errors.length > 0 && errors.every(({ code }) => code === "policy_violated");
}

/** Returns true if the report is complete. Violations of policies do not make a report incomplete. */
export const isWhole = ({ result, stacks }: Report): boolean =>
  result !== "failed" || hasOnlyPolicyViolations(stacks);

const errorsOf = ({ diagnostics, objects }: ReportStack): ReportDiagnostic[] =>
  [...diagnostics, ...objects.flatMap((object) => object.diagnostics)].filter(
    ({ severity }) => severity === "error",
  );

/** Returns true if a stack or one of its objects has an error. */
export const hasErrorsIn = (stack: ReportStack): boolean => errorsOf(stack).length > 0;

/**
 * Returns true if an item of `stacks` is a real stack or configuration. In a report of several stacks, `stacks` also has items
 * for undeclared objects and for diagnostics of the whole run.
 */
export const isStack = ({ name, objects }: ReportStack): boolean =>
  name === null ? objects.length > 0 : name !== UNMANAGED || !objects.every(isUndeclared);

/** Returns the totals from which the result of a report follows. */
export const findingsOf = (report: Report): RunFindings => ({
  what: report.command === "drift" ? "drift" : "changes",
  stacks: report.stacks.filter(isStack).map((stack) => ({
    name: stack.name ?? "",
    hasFindings: stack.objects.some(isFinding) || stack.outputs.some(({ action }) => action !== "no-op"),
    hasFailed: stack.unchecked > 0 || hasErrorsIn(stack),
    known: stack.known,
    ignored: stack.ignored.length,
  })),
  unmanaged: report.stacks.reduce((sum, { objects }) => sum + objects.filter(isUndeclared).length, 0),
});

/** Returns true if an object has changes or drift, and did not fail. */
const isFinding = ({ status, action }: ReportObject): boolean =>
  status !== "failed" &&
  status !== "unchanged" &&
  status !== "in_sync" &&
  status !== "unmanaged" &&
  action !== "no-op";

const VERBS = {
  import: ["to import", "imported"],
  move: ["to move", "moved"],
  forget: ["to forget", "forgotten"],
  create: ["to add", "added"],
  update: ["to change", "changed"],
  destroy: ["to destroy", "destroyed"],
} as const;

/** Returns a line that sums up the result of a command. */
export function summaryOf(
  command: Report["command"],
  objects: readonly ReportObject[],
  stacks: readonly ReportStack[],
): string {
  const totals = totalsIn(command, objects);
  const failures = (
    [
      [totals.failed, "failed"],
      [totals.unchecked, "could not be checked"],
      [totals.not_started, "not started"],
    ] as const
  ).flatMap(([count, what]) => (count === 0 ? [] : [`${counted(count, "object")} ${what}`]));
  const hasFailed = failures.length > 0 || stacks.some(hasErrorsIn);
  if ("changed" in totals) {
    const kinds = (["changed", "vanished", "unmanaged"] as const).filter((kind) => totals[kind] > 0);
    const found = kinds.map((kind) => `${totals[kind]} ${kind}`);
    if (found.length === 0 && !hasFailed) found.push(suppressedIn(stacks) ?? "no drift");
    const checked = objects.length - totals.unmanaged - totals.unchecked;
    return [...found, `${counted(checked, "object")} checked`, ...failures].join(", ");
  }
  const changing = importedOf(objects).filter(
    (object) => object.action !== "import" && isEffective(command, object),
  );
  const tense = command === "plan" ? 0 : 1;
  const phrase = (name: keyof typeof VERBS) => `${totals[name]} ${VERBS[name][tense]}`;
  const inState = (["import", "move", "forget"] as const).filter((name) => totals[name] > 0).map(phrase);
  const total = totals.create + totals.update + totals.destroy + inState.length;
  if (total === 0 && command === "plan" && !hasFailed) return "no changes";
  if (changing.length > 0)
    inState.splice(1, 0, `${changing.length} of them ${["to change", "changed"][tense]}`);
  return [...inState, phrase("create"), phrase("update"), phrase("destroy"), ...failures].join(", ");
}

/** Returns the sentence about the search for unmanaged objects; undefined if the run did not search. */
export function coverageSentence({
  coverage,
  stacks,
}: Pick<Report, "coverage" | "stacks">): string | undefined {
  if (coverage === undefined) return undefined;
  const isEmpty = stacks.every(
    ({ objects, ignored, known }) =>
      ignored.length + known === 0 && objects.every(({ status }) => status !== "unmanaged"),
  );
  const searched = counted(coverage.length, "project or group", "projects and groups");
  return `Searched ${searched} for unmanaged objects${isEmpty && coverage.length > 0 ? ", and found none" : ""}.`;
}

const suppressedIn = (stacks: readonly ReportStack[]): string | undefined =>
  suppressedSentence(
    stacks.reduce((sum, { known }) => sum + known, 0),
    stacks.reduce((sum, { ignored }) => sum + ignored.length, 0),
  );

/**
 * Returns the numbers of the headline, for programs. Each number counts objects; a replacement counts as a create and a
 * destroy.
 */
export const totalsOf = (report: Report) => totalsIn(report.command, allObjects(report));

function totalsIn(command: Report["command"], objects: readonly ReportObject[]) {
  // The numbers of objects that failed, that could not be checked, and whose change the apply did not start. Each object counts
  // once.
  const failures = {
    failed: objects.filter((one) => one.status === "failed" && !one.unchecked && !hasPolicyViolation(one))
      .length,
    unchecked: objects.filter((one) => one.unchecked).length,
    not_started: objects.filter(({ status }) => status === "not_done").length,
  };
  if (command === "drift") {
    const { changed = 0, vanished = 0, unmanaged = 0, in_sync = 0 } = statusCounts(objects);
    return { changed, vanished, unmanaged, in_sync, ...failures };
  }
  const effective = objects.filter((object) => isEffective(command, object));
  const { create, update, delete: destroy } = actionCounts(effective);
  return {
    create,
    update,
    destroy,
    import: importedOf(effective).length,
    move: effective.filter(({ previous_address: before }) => before !== undefined).length,
    forget: effective.filter(({ action }) => action === "forget").length,
    ...failures,
  };
}

/**
 * Returns true if a change counts in totals. For a plan, the totals include every change. For an apply, the totals include only
 * changes that are done.
 */
const isEffective = (command: Report["command"], { status }: ReportObject): boolean =>
  command === "plan" || status === "done";

/** Returns true if an object failed only because it violates policies. */
export function hasPolicyViolation({ diagnostics }: ReportObject): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(({ code }) => code === "policy_violated");
}

/** Returns the noun for the findings of a report of this command. */
export const findingOf = ({ command }: Report): string => (command === "drift" ? "drift" : "changes");

/** Returns true if the report has nothing to show about a stack. */
export const isClean = ({ objects, outputs, ignored, known, diagnostics, unchecked }: ReportStack): boolean =>
  !objects.some(isListed) &&
  outputs.every(({ action }) => action === "no-op") &&
  ignored.length + known + diagnostics.length + unchecked === 0;

/** Returns true if reports show the object. */
export const isListed = ({ status, diagnostics, action }: ReportObject): boolean =>
  diagnostics.length > 0 || (status !== "unchanged" && status !== "in_sync" && action !== "no-op");

/** Returns sentences about objects that were changed or deleted outside, and about the effect of an apply on these objects. */
export const outsideOf = (report: Report): string[] =>
  outsideSentences(outsideCounts(allObjects(report)), { isApplied: report.command !== "plan" });

/**
 * Returns a sentence that explains the marks in the differences of drift. Returns an empty text if there are no differences.
 */
export const directionOf = (report: Report, code = (mark: string): string => mark): string[] =>
  report.command === "drift" && allObjects(report).some(({ status }) => status === "changed")
    ? [`Differences are applied → live: ${code("-")} was applied, ${code("+")} is live.`]
    : [];

/** Returns the start time of a report for people, in UTC. */
export const timeOf = ({ started_at: started }: Report): string =>
  `${started.slice(0, 19).replace("T", " ")} UTC`;

/** Returns the objects of all stacks of a report. */
export const allObjects = (report: Report): ReportObject[] => report.stacks.flatMap(({ objects }) => objects);

/** Returns the web addresses of the services of all stacks, from the web pages of their objects. */
export const servicesOf = (stacks: readonly ReportStack[]): string[] => {
  const urls = stacks.flatMap(({ objects }) => objects.flatMap(({ url }) => url ?? []));
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))].sort();
};

const COUNTED_ACTIONS: Readonly<
  Partial<Record<NonNullable<ReportObject["action"]>, readonly ("create" | "update" | "delete")[]>>
> = {
  create: ["create"],
  update: ["update"],
  delete: ["delete"],
  replace: ["create", "delete"],
};

/**
 * Counts the objects that are created, updated and deleted. A replacement counts as a create and a delete. For drift, counts the
 * objects that an apply would create or update again.
 */
export function actionCounts(
  objects: readonly ReportObject[],
): Record<"create" | "update" | "delete", number> {
  const counts = { create: 0, update: 0, delete: 0 };
  for (const { action, status } of objects) {
    for (const kind of (action && COUNTED_ACTIONS[action]) ?? []) counts[kind]++;
    if (status === "vanished") counts.create++;
    if (status === "changed") counts.update++;
  }
  return counts;
}

/** Returns the imported objects, with or without other changes. */
const importedOf = (objects: readonly ReportObject[]): readonly ReportObject[] =>
  objects.filter(({ import_id: id, action }) => id !== undefined || action === "import");

/** Returns the number of objects of each status. */
function statusCounts(objects: readonly ReportObject[]): Partial<Record<ReportObject["status"], number>> {
  const counts: Partial<Record<ReportObject["status"], number>> = {};
  for (const { status } of objects) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
