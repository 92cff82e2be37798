import type { Diagnostic } from "../../diagnostics";
import type { Plan, ResourceChange } from "../../engine";

/** Counts by the names in Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

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

/** The counts of the objects that a plan takes over, and of those among them that it changes. Left out if there are none. */
function existingCounts(changes: readonly Pick<ResourceChange, "importing" | "action">[]): Counts {
  const existing = changes.filter(({ importing }) => importing?.existing === true);
  if (existing.length === 0) return {};
  const changing = existing.filter(({ action }) => action !== "no-op");
  return { existing: existing.length, existing_to_change: changing.length };
}

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
