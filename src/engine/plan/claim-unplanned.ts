import type { Diagnostic } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import { at, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { UnplannedDeclaration } from "./unplanned-instances";

/**
 * Declarations that this run can't plan own what they declare all the same. Refuses what a planned declaration owns
 * too: it would be changed as if nobody else declared it.
 */
export const claimUnplanned = (run: StackRun, unplanned: readonly UnplannedDeclaration[]): Diagnostic[] =>
  unplanned.flatMap((one) => claimOf(run, one));

function claimOf(
  run: StackRun,
  { declaration, address, declared, held }: UnplannedDeclaration,
): readonly Diagnostic[] {
  const { type, provider, construct } = declaration;
  const client = run.configured(provider);
  const object = held && String((held.instance.attributes as ValueObject)["id"]);
  for (const state of [declared && withMemory(declared, held), held && stateOf(held)]) {
    const conflicts = state && client?.claim?.({ type, address, object, ...state });
    if (conflicts !== undefined) return at(conflicts, address, construct);
  }
  return [];
}

/** The paths that its object remembers name the targets of a declaration too. */
const withMemory = (declared: StoredState, held: StateObject | undefined): StoredState => ({
  private: held?.instance.private,
  ...declared,
});

const stateOf = ({ instance }: StateObject): StoredState => ({
  attributes: instance.attributes as ValueObject,
  private: instance.private,
});
