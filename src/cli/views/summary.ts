import { counted } from "../../text";
import type { Counts } from "../document/stack-parts";

const countOf = (count: number, what: string): string => (count > 0 ? `${count} ${what}, ` : "");

/** The summary line of a plan. */
export function planSentence(counts: Counts): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const stateOnlyPart = `${countOf(imported, "to import")}${countOf(moved, "to move")}`;
  return `Plan: ${stateOnlyPart}${add} to add, ${change} to change, ${remove} to destroy.${existingSentence(counts)}${failedSentence(counts)}`;
}

/** The objects that a plan takes over, after a space: Terraform counts them among all imports and all changes. */
function existingSentence({ existing = 0, existing_to_change: changing = 0 }: Counts): string {
  if (existing === 0) return "";
  return ` Existing objects: ${existing} to import, ${changing === 0 ? "none" : changing} of them to change.`;
}

/** The numbers of objects that failed and that could not be checked, after a space. Empty if there are none. */
export const failedSentence = ({ failed = 0, unchecked = 0 }: Counts): string =>
  `${objectsThat(failed, "failed")}${objectsThat(unchecked, "could not be checked")}`;

const objectsThat = (count: number, what: string): string =>
  count === 0 ? "" : ` ${counted(count, "object")} ${what}.`;

/** The summary line of an apply or a destroy. */
export function doneSentence(of: "apply" | "destroy", counts: Counts, hasFailed: boolean): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const stateOnlyPart = `${countOf(imported, "imported")}${countOf(moved, "moved")}`;
  const result = hasFailed ? "incomplete, see the errors." : "complete!";
  const failedPart = failedSentence(counts);
  if (of === "destroy") return `Destroy ${result} Resources: ${remove} destroyed.${failedPart}`;
  return `Apply ${result} Resources: ${stateOnlyPart}${add} added, ${change} changed, ${remove} destroyed.${failedPart}`;
}

/** How many objects were changed and deleted outside since the last apply, and what applying does about it. */
export function outsideSentences(
  { changed, deleted }: { readonly changed: number; readonly deleted: number },
  {
    planner = "Steward",
    isApplied = false,
  }: { readonly planner?: string; readonly isApplied?: boolean } = {},
): string[] {
  const objects = (count: number) => counted(count, "object was", "objects were");
  const where = `outside of ${planner} since the last apply`;
  const [overwrites, creates] = isApplied
    ? ["the apply overwrote that", "the apply created"]
    : ["applying overwrites that", "applying creates"];
  return [
    ...(changed > 0 ? [`${objects(changed)} changed ${where}: ${overwrites}.`] : []),
    ...(deleted > 0
      ? [`${objects(deleted)} deleted ${where}: ${creates} ${deleted === 1 ? "it" : "them"} again.`]
      : []),
  ];
}
