import { type Equal, groupEqual } from "../../printing/equal";
import type { ReportObject } from "../model";

/** Objects of one type in different projects or groups that change or drift in the same way. */
export const groupEqualObjects = (objects: readonly ReportObject[]): Equal<ReportObject>[] =>
  groupEqual(objects, keyOf);

function keyOf(object: ReportObject): string | undefined {
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
    withoutNames(object),
  ]);
}

/** Matches the line of an attribute that names the object. */
const NAME = /^[-+~ ] (?:id|project|group) += /;

/** The diff without the lines that name the object. */
export const withoutNames = ({ diff }: ReportObject): string =>
  diff
    .split("\n")
    .filter((line) => !NAME.test(line))
    .join("\n");
