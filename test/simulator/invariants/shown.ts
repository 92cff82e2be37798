import type { Plan } from "../../../src/engine";
import { type App, addressOf, type Declaration } from "../world/app";
import { identityOfState } from "../world/held";
import { identityOf } from "../world/objects";
import type { RunRecord } from "../world/records";

type Change = Plan["changes"][number];

/** A planned change of something on the service, and whom it concerns. */
export interface ShownChange {
  readonly stack: string;
  readonly change: Change;
  /** The object of the state at this address, and the declared object. */
  readonly held: string | undefined;
  readonly declared: Declaration | undefined;
}

export function declarationAt(app: App, stack: string, address: string): Declaration | undefined {
  return app.stacks
    .find(({ name }) => name === stack)
    ?.declarations.find((declaration) => addressOf(declaration) === address);
}

/** All changes of a run's plans, without no-ops. */
export const shownBy = (record: RunRecord): ShownChange[] =>
  (record.outcome?.plans ?? []).flatMap(({ stack, plan }) =>
    plan.changes
      .filter(({ action, mode }) => action !== "no-op" && mode === "managed")
      .map(
        (change): ShownChange => ({
          stack,
          change,
          // The state at the begin of the run is not enough: the journal of an earlier run may have added to it.
          held: change.before === null ? undefined : identityOfState(change.type, change.before),
          declared: change.after === null ? undefined : declarationAt(record.app, stack, change.address),
        }),
      ),
  );

/** The identities that a shown change concerns. */
export const identitiesOf = ({ held, declared }: ShownChange): string[] => [
  ...(held === undefined ? [] : [held]),
  ...(declared === undefined ? [] : [identityOf(declared)]),
];

/** The whole list that an entry is part of. */
export function listOf(identity: string): string | undefined {
  const [kind, at] = identity.split(" ");
  return kind === "entry" || kind === "group_entry" ? `list ${at} ` : undefined;
}
