import type { Diagnostic } from "../../diagnostics";
import type { Plan, ResourceChange } from "../../engine";

/** Counts by the names in Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

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

/** The counts of the objects that a plan takes over, and of those among them that it changes. Left out if there are none. */
function existingCounts(changes: readonly Pick<ResourceChange, "importing" | "action">[]): Counts {
  const existing = changes.filter(({ importing }) => importing?.existing === true);
  if (existing.length === 0) return {};
  const changing = existing.filter(({ action }) => action !== "no-op");
  return { existing: existing.length, existing_to_change: changing.length };
}

/** The numbers of objects that failed and that could not be checked, after a space. Empty if there are none. */
export const failedSentence = ({ failed = 0, unchecked = 0 }: Counts): string =>
  [
    [failed, "failed"],
    [unchecked, "could not be checked"],
  ]
    .map(([count, what]) => (count === 0 ? "" : ` ${count} ${count === 1 ? "object" : "objects"} ${what}.`))
    .join("");

/** All counts of a plan. */
export const planCounts = ({
  summary,
  changes,
  unchecked,
  diagnostics,
}: Pick<Plan, "summary" | "changes" | "unchecked" | "diagnostics">): Counts => ({
  ...summary,
  ...existingCounts(changes),
  ...failedCounts(diagnostics, unchecked),
});

const NO_OBJECT = /^(?:output|var|local|provider|check|module)\./;

/** The counts of objects that could not be checked, and of others with an error. Left out if there are none. */
export function failedCounts(diagnostics: readonly Diagnostic[], unchecked: readonly string[]): Counts {
  const apart = new Set(unchecked);
  const errors = diagnostics.filter(
    ({ severity, code, address }) =>
      severity === "error" &&
      code !== "policy_violated" &&
      address !== undefined &&
      !NO_OBJECT.test(address) &&
      !apart.has(address),
  );
  const { size: failed } = new Set(errors.map(({ address }) => address));
  return {
    ...(failed > 0 && { failed }),
    ...(unchecked.length > 0 && { unchecked: unchecked.length }),
  };
}

/** The summary line of an apply or a destroy. */
export function doneSentence(of: "apply" | "destroy", counts: Counts, hasFailed: boolean): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const stateOnlyPart = `${countOf(imported, "imported")}${countOf(moved, "moved")}`;
  const result = hasFailed ? "incomplete, see the errors." : "complete!";
  const failedPart = failedSentence(counts);
  if (of === "destroy") return `Destroy ${result} Resources: ${remove} destroyed.${failedPart}`;
  return `Apply ${result} Resources: ${stateOnlyPart}${add} added, ${change} changed, ${remove} destroyed.${failedPart}`;
}
