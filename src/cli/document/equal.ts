import { type Equal, groupEqual } from "../printing/equal";
import type { ReportObject, ReportStack } from "./model";

/** Objects of one type in different projects or groups that change or drift in the same way. */
export const groupEqualObjects = (objects: readonly ReportObject[]): Equal<ReportObject>[] =>
  groupEqual(objects, equalKeyOf);

/** Equal objects of different stacks, and the number of these stacks. */
export interface EqualInStacks {
  readonly objects: Equal<ReportObject>;
  readonly stacks: number;
}

/** The objects of a report that change or drift in the same way in several stacks. */
export function equalInStacks(
  stacks: readonly ReportStack[],
  isListed: (object: ReportObject) => boolean,
): EqualInStacks[] {
  if (stacks.length < 2) return [];
  const stackOf = new Map(
    stacks.flatMap((stack) => stack.objects.filter(isListed).map((object) => [object, stack] as const)),
  );
  return groupEqualObjects([...stackOf.keys()])
    .map((objects) => ({ objects, stacks: new Set(objects.map((object) => stackOf.get(object))).size }))
    .filter((group) => group.stacks > 1);
}

/** Equal texts mean equal objects; undefined for one without a project or group, and for a story of its own. */
export function equalKeyOf(object: ReportObject): string | undefined {
  const { type, action, status, reason, project, group, previous_address: before, diagnostics } = object;
  const isOwnStory = diagnostics.length > 0 || before !== undefined || object.not_repaired !== undefined;
  if ((project ?? group) === undefined || isOwnStory) return undefined;
  const kind = project === undefined ? "group" : "project";
  return JSON.stringify([
    type,
    action,
    status,
    reason,
    kind,
    object.unchecked,
    object.live_not_known,
    object.deleted_outside,
    object.import_id !== undefined,
    withoutNames(object).attributes.map(({ name, difference }) => [name, difference]),
  ]);
}

const NAMES = new Set(["id", "project", "group"]);

/** The object without the attributes that name it. */
export const withoutNames = (object: ReportObject): Pick<ReportObject, "attributes"> => ({
  attributes: object.attributes.filter(({ name }) => !NAMES.has(name)),
});
