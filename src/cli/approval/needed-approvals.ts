import type { Diagnostic } from "../../diagnostics";
import type { Policies } from "../policy/policies";
import type { ApprovedChange } from "./file";

/** Returns the violations in a stack that belong to no change: either they name no object, or their object does not change. */
export function sharedViolations(
  changes: readonly ApprovedChange[],
  violations: readonly Diagnostic[],
): readonly Diagnostic[] {
  const addresses = new Set(changes.map(({ address }) => address));
  return violations.filter(({ address }) => address === undefined || !addresses.has(address));
}

/** Returns the changes of a stack. Each change that violates policies gets the approvals that it needs. */
export const withNeeded = (
  changes: readonly ApprovedChange[],
  violations: readonly Diagnostic[],
  policies: Policies,
): ApprovedChange[] =>
  changes.map((change) => {
    const own = violations.filter(({ address }) => address === change.address);
    const needs = policies.neededForChange(change.stack, change.address, own);
    return needs === undefined ? change : { ...change, needs };
  });
