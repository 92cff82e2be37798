import { counted } from "../../../text";
import type { Report, ReportDiagnostic, ReportObject, ReportStack } from "../../document/model";
import { suppressedSentence } from "../../drift/finding-filter";
import { outsideSentences } from "../../views/summary";

// The sentences that people read at the head of a report, for all formats that have them.

/** Such as `Steward plan: 1 to create, 0 to update, 0 to destroy`. */
export function headline(report: Report): string {
  const objects = allObjects(report);
  const failed = report.result === "failed" ? whyFailed(report.stacks) : "";
  return `Steward ${report.command}: ${summaryOf(report.command, objects, report.stacks)}${failed}`;
}

/** What a headline adds after a failure. */
export const whyFailed = (stacks: readonly ReportStack[]): string =>
  hasOnlyPolicyViolations(stacks) ? " (violates a policy: see the errors)" : " (incomplete: see the errors)";

/** Whether all errors are violations of policies: then the plan is whole. */
export function hasOnlyPolicyViolations(stacks: readonly ReportStack[]): boolean {
  const errors = stacks.flatMap(errorsOf);
  return errors.length > 0 && errors.every(({ code }) => code === "policy_violated");
}

/** Whether the report has everything: no error kept the run from it. */
export const isWhole = ({ result, stacks }: Report): boolean =>
  result !== "failed" || hasOnlyPolicyViolations(stacks);

/** Whether a stack or one of its objects has an error. */
export const hasErrorsIn = (stack: ReportStack): boolean => errorsOf(stack).length > 0;

const errorsOf = ({ diagnostics, objects }: ReportStack): ReportDiagnostic[] =>
  [...diagnostics, ...objects.flatMap((object) => object.diagnostics)].filter(
    ({ severity }) => severity === "error",
  );

/** What a command found or did, in a line. */
export function summaryOf(
  command: Report["command"],
  objects: readonly ReportObject[],
  stacks: readonly ReportStack[],
): string {
  const statuses = statusCounts(objects);
  const failedPhrases = failedPhrase(objects);
  if (command === "drift") {
    const kinds = (["changed", "vanished", "unmanaged"] as const).filter((kind) => statuses[kind]);
    const found = kinds.map((kind) => `${statuses[kind]} ${kind}`);
    const unchecked = objects.filter((object) => object.unchecked).length;
    const checked = objects.length - (statuses.unmanaged ?? 0) - unchecked;
    if (found.length + failedPhrases.length === 0 && !stacks.some(hasErrorsIn))
      found.push(suppressedIn(stacks) ?? "no drift");
    return [...found, `${counted(checked, "object")} checked`, ...failedPhrases].join(", ");
  }
  const effective = command === "plan" ? objects : objects.filter(({ status }) => status === "done");
  const { create, update, delete: deleted } = actionCounts(effective);
  const verbs =
    command === "plan" ? ["to create", "to update", "to destroy"] : ["created", "updated", "destroyed"];
  const imports = importedOf(effective);
  const [imported, moved, forgotten] = [imports.length, moveCount(effective), countOf("forget", effective)];
  const isKnown =
    failedPhrases.length === 0 &&
    objects.every(({ status }) => status !== "failed") &&
    !stacks.some(hasErrorsIn);
  const total = create + update + deleted + imported + moved + forgotten;
  if (total === 0 && command === "plan" && isKnown) return "no changes";
  const inState = (
    [
      [imported, "to import", "imported"],
      [moved, "to move", "moved"],
      [forgotten, "to forget", "forgotten"],
    ] as const
  ).flatMap(([count, planned, done]) =>
    count === 0 ? [] : [`${count} ${command === "plan" ? planned : done}`],
  );
  const changing = imports.filter(({ action }) => action !== "import").length;
  if (changing > 0)
    inState.splice(1, 0, `${changing} of them ${command === "plan" ? "to change" : "changed"}`);
  const counts = [create, update, deleted].map((count, index) => `${count} ${verbs[index]}`);
  return [...inState, ...counts, ...failedPhrases].join(", ");
}

const suppressedIn = (stacks: readonly ReportStack[]): string | undefined =>
  suppressedSentence(
    stacks.reduce((sum, { known }) => sum + known, 0),
    stacks.reduce((sum, { ignored }) => sum + ignored.length, 0),
  );

/** The objects that could not be checked, those that failed otherwise, and those that an apply did not start, apart. */
const failures = (objects: readonly ReportObject[]) => ({
  failed: objects.filter((one) => one.status === "failed" && !one.unchecked && !hasPolicyViolation(one))
    .length,
  unchecked: objects.filter((one) => one.unchecked).length,
  not_started: objects.filter(({ status }) => status === "not_done").length,
});

function failedPhrase(objects: readonly ReportObject[]): string[] {
  const { failed, unchecked, not_started: waiting } = failures(objects);
  return [
    ...(failed === 0 ? [] : [`${counted(failed, "object")} failed`]),
    ...(unchecked === 0 ? [] : [`${counted(unchecked, "object")} could not be checked`]),
    ...(waiting === 0 ? [] : [`${counted(waiting, "object")} not started`]),
  ];
}

/** The numbers of the headline, for programs, in objects. A replacement counts as a create and a destroy. */
export function totalsOf(report: Report): Record<string, number> {
  const objects = allObjects(report);
  if (report.command === "drift") {
    const { changed = 0, vanished = 0, unmanaged = 0, in_sync = 0 } = statusCounts(objects);
    return { changed, vanished, unmanaged, in_sync, ...failures(objects) };
  }
  const effective = report.command === "plan" ? objects : objects.filter(({ status }) => status === "done");
  const { create, update, delete: destroy } = actionCounts(effective);
  const inState = {
    import: importedOf(effective).length,
    move: moveCount(effective),
    forget: countOf("forget", effective),
  };
  return { create, update, destroy, ...inState, ...failures(objects) };
}

/** Whether an object failed only because it violates policies. */
export function hasPolicyViolation({ diagnostics }: ReportObject): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(({ code }) => code === "policy_violated");
}

/** Whether an object has changes or drift, whatever became of it. */
export const isFinding = ({ status, action }: ReportObject): boolean =>
  status !== "failed" && status !== "unchanged" && status !== "in_sync" && action !== "no-op";

/** What a report of this command looks for. */
export const findingOf = ({ command }: Report): string => (command === "drift" ? "drift" : "changes");

/** Whether there is nothing to show of a stack. */
export const isClean = ({ objects, outputs, ignored, known, diagnostics, unchecked }: ReportStack): boolean =>
  !objects.some(isListed) &&
  outputs.every(({ action }) => action === "no-op") &&
  ignored.length + known + diagnostics.length + unchecked === 0;

/** Whether a report shows the object. */
export const isListed = ({ status, diagnostics, action }: ReportObject): boolean =>
  diagnostics.length > 0 || (status !== "unchanged" && status !== "in_sync" && action !== "no-op");

/** How many objects were changed or deleted outside, and what becomes of that. */
export function outsideOf(report: Report): string[] {
  const objects = allObjects(report);
  const changed = objects.filter(isChangedOutside).length;
  const deleted = objects.filter((object) => object.deleted_outside).length;
  return outsideSentences({ changed, deleted }, { isApplied: report.command !== "plan" });
}

export const isChangedOutside = ({ attributes }: ReportObject): boolean =>
  attributes.some(({ changed_outside: values }) => values !== undefined);

/** What the differences of drift mean. */
export const DIRECTION = "Differences are applied → live: - was applied, + is live.";

/** The time of a report as people read it, in UTC. */
export const timeOf = ({ started_at: started }: Report): string =>
  `${started.slice(0, 19).replace("T", " ")} UTC`;

/** The objects of all stacks of a report. */
export const allObjects = (report: Report): ReportObject[] => report.stacks.flatMap(({ objects }) => objects);

/** The services that stacks show, by the web addresses of their projects and groups. */
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
 * The number of objects that are created, updated and deleted. A replacement counts as a create and a delete.
 * In a drift report: what an apply would create and update.
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

/** The number of objects with a new address, whatever else changes in them. */
export const moveCount = (objects: readonly ReportObject[]): number =>
  objects.filter(({ previous_address }) => previous_address !== undefined).length;

/** The objects that are imported, whatever else changes in them. */
export const importedOf = (objects: readonly ReportObject[]): readonly ReportObject[] =>
  objects.filter(({ import_id: id, action }) => id !== undefined || action === "import");

/** The number of objects with this action. */
export const countOf = (action: ReportObject["action"], objects: readonly ReportObject[]): number =>
  objects.filter((object) => object.action === action).length;

/** The number of objects of each status. */
export function statusCounts(
  objects: readonly ReportObject[],
): Partial<Record<ReportObject["status"], number>> {
  const counts: Partial<Record<ReportObject["status"], number>> = {};
  for (const { status } of objects) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
