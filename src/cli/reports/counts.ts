import type { Report, ReportObject } from "./model";

/** Every object of a report, whatever its stack. */
export const allObjects = (report: Report): ReportObject[] => report.stacks.flatMap(({ objects }) => objects);

const COUNTED: Readonly<
  Partial<Record<NonNullable<ReportObject["action"]>, readonly ("create" | "update" | "delete")[]>>
> = {
  create: ["create"],
  update: ["update"],
  delete: ["delete"],
  replace: ["create", "delete"],
};

/**
 * How many objects are created, updated and deleted, a replacement counting as one of each. For drift: what an apply
 * would create again and change back.
 */
export function actionCounts(
  objects: readonly ReportObject[],
): Record<"create" | "update" | "delete", number> {
  const counts = { create: 0, update: 0, delete: 0 };
  for (const { action, status } of objects) {
    for (const kind of (action && COUNTED[action]) ?? []) counts[kind]++;
    if (status === "vanished") counts.create++;
    if (status === "changed") counts.update++;
  }
  return counts;
}

/** How many objects have got another address, whatever else happens to them. */
export const moveCount = (objects: readonly ReportObject[]): number =>
  objects.filter(({ previous_address }) => previous_address !== undefined).length;

/** How many objects have each status. */
export function statusCounts(
  objects: readonly ReportObject[],
): Partial<Record<ReportObject["status"], number>> {
  const counts: Partial<Record<ReportObject["status"], number>> = {};
  for (const { status } of objects) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
