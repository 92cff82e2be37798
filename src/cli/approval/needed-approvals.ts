import type { Diagnostic } from "../../diagnostics";
import type { Policies } from "../policy/policies";
import type { ApprovedChange } from "./file";

/** The violations of a stack that belong to none of its changes. */
export function sharedViolations(
  changes: readonly ApprovedChange[],
  violations: readonly Diagnostic[],
): readonly Diagnostic[] {
  const addresses = new Set(changes.map(({ address }) => address));
  return violations.filter(({ address }) => address === undefined || !addresses.has(address));
}

/** Adds the people that have to approve each change of a stack. */
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
