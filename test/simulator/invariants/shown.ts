import type { Plan } from "../../../src/engine";
import { type App, addressOf, type Declaration } from "../world/app";
import { identityOfState } from "../world/held";
import { identityOf } from "../world/objects";
import type { RunRecord } from "../world/records";

type Change = Plan["changes"][number];

/** A change in a run's plan, with the objects that it concerns. */
export interface ShownChange {
  readonly stack: string;
  readonly change: Change;
  /** The identity of the object at this address in the state. Undefined if the state has no object there. */
  readonly held: string | undefined;
  readonly declared: Declaration | undefined;
}

export function declarationAt(app: App, stack: string, address: string): Declaration | undefined {
  return app.stacks
    .find(({ name }) => name === stack)
    ?.declarations.find((declaration) => addressOf(declaration) === address);
}

/** Returns all changes in a run's plans, except no-ops and reads of data sources. */
export const shownBy = (record: RunRecord): ShownChange[] =>
  (record.outcome?.plans ?? []).flatMap(({ stack, plan }) =>
    plan.changes
      .filter(({ action, mode }) => action !== "no-op" && mode === "managed")
      .map(
        (change): ShownChange => ({
          stack,
          change,
          // The identity comes from the plan. The state at the start may lack an object that the run first recovers
          // from the journal of an earlier run.
          held: change.before === null ? undefined : identityOfState(change.type, change.before),
          declared: change.after === null ? undefined : declarationAt(record.app, stack, change.address),
        }),
      ),
  );

/** Returns the identities of the objects that a change concerns. */
export const identitiesOf = ({ held, declared }: ShownChange): string[] => [
  ...(held === undefined ? [] : [held]),
  ...(declared === undefined ? [] : [identityOf(declared)]),
];

/**
 * Returns the identity of the whole list that contains an entry. Returns undefined for objects that are not entries.
 */
export function listOf(identity: string): string | undefined {
  const [kind, at] = identity.split(" ");
  return kind === "entry" || kind === "group_entry" ? `list ${at} ` : undefined;
}
