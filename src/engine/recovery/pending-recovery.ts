import { type Diagnostic, error } from "../../diagnostics";
import { sameValue } from "../../schema";
import type { ResourceChange } from "../results/plan";
import type { RunContext } from "../stack-run/context";

type PendingRecovery = NonNullable<RunContext["pendingRecovery"]>;

/** Returns the reasons why an object at an address must not be planned or changed; empty if there are none. */
export const recoveryProblems = (
  pending: RunContext["pendingRecovery"],
  address: string,
): readonly Diagnostic[] =>
  pending === undefined || !pending.intents.some(({ change }) => change.address === address)
    ? []
    : pending.diagnostics.filter((one) => one.address === address);

/**
 * Returns the reasons why a create must not be sent. If a declaration was renamed, a pending create at the old address may
 * already have created the object.
 */
export function createRecoveryProblems(
  { intents }: PendingRecovery,
  change: ResourceChange,
): readonly Diagnostic[] {
  if (change.action !== "create") return [];
  const pending = intents.find(({ change: { resource, prior, planned } }) => {
    if (resource.type !== change.type || prior !== undefined || planned === undefined) return false;
    return Object.entries(planned.attributes).every(([name, value]) =>
      sameValue(change.after?.[name] ?? null, value),
    );
  });
  return pending === undefined
    ? []
    : [recoveryPending(change.address, change.construct, pending.change.address)];
}

/** Returns the errors for objects that can't move, because a change of the object at its earlier address is pending. */
export const moveRecoveryProblems = (
  pending: RunContext["pendingRecovery"],
  previous: ReadonlyMap<string, string>,
): readonly Diagnostic[] =>
  [...previous].flatMap(([address, before]) =>
    recoveryProblems(pending, before).length === 0 ? [] : [moveBlocked(address, before)],
  );

const moveBlocked = (address: string, before: string): Diagnostic =>
  error({
    code: "journal_not_settled",
    summary: "Interrupted run not recovered",
    detail: `An interrupted run changed the object at ${before}, and Steward could not recover this change. Until the change is recovered, the object can't move to ${address}. Nothing was planned. Fix the other errors, or remove the \`moved\` block for now.`,
    address,
  });

/**
 * Returns the error for an object whose change by an interrupted run has an unknown outcome.
 *
 * @param of the address of the pending change, if it is not the address of the object
 */
export function recoveryPending(address: string, construct: string | undefined, of = address): Diagnostic {
  const what = of === address ? "this object" : `the same object as ${of}`;
  return error({
    code: "object_not_settled",
    summary: "Unknown outcome of an interrupted run",
    detail: `A run was interrupted while it changed ${what}, and the outcome can't be determined. Nothing is planned or sent for this object and the objects that depend on it. Fix the other errors, then run again.`,
    address,
    ...(construct !== undefined && { construct }),
  });
}
