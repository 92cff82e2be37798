import type { Report, ReportObject } from "../document/model";

/** The objects of all stacks of a report. */
export const allObjects = (report: Report): ReportObject[] => report.stacks.flatMap(({ objects }) => objects);

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
