import { type Diagnostic, error } from "../../diagnostics";
import { sameValue, type ValueObject } from "../../schema";
import type { IntentEntry } from "../../state";

/** What an interrupted run left open and could not be settled: nothing is sent for these objects until it is. */
export interface Unsettled {
  readonly begun: readonly IntentEntry[];
  /** Why each of them could not be settled. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A run, as far as it knows of that. */
interface Aware {
  readonly unsettled?: Unsettled;
}

/** A step of a plan, as far as it tells what it makes. */
interface Making {
  readonly change: {
    readonly action: string;
    readonly address: string;
    readonly type: string;
    readonly construct?: string;
    readonly after: ValueObject | null;
  };
}

/** Why nothing may be planned or sent for an object, by its address; nothing where it may. */
export const heldBack = ({ unsettled }: Aware, address: string): readonly Diagnostic[] =>
  unsettled === undefined || !unsettled.begun.some(({ change }) => change.address === address)
    ? []
    : unsettled.diagnostics.filter((one) => one.address === address);

/**
 * The same for a create: an open one of the same, under the address of a declaration that was renamed since, may have
 * made that object already.
 */
export function heldBackCreate({ unsettled }: Aware, { change }: Making): readonly Diagnostic[] {
  if (unsettled === undefined || change.action !== "create") return [];
  const open = unsettled.begun.find(({ change: { resource, prior, planned: intended } }) => {
    if (resource.type !== change.type || prior !== undefined || intended === undefined) return false;
    return Object.entries(intended.attributes).every(([name, value]) =>
      sameValue(change.after?.[name] ?? null, value),
    );
  });
  return open === undefined ? [] : [notSettled(change.address, change.construct, open.change.address)];
}

/** What a `moved` block can't take along: the open line names the address where it was begun. */
export const movedUnsettled = (
  context: Aware,
  previous: ReadonlyMap<string, string>,
): readonly Diagnostic[] =>
  [...previous].flatMap(([address, before]) =>
    heldBack(context, before).length === 0 ? [] : [notYetMoved(address, before)],
  );

const notYetMoved = (address: string, before: string): Diagnostic =>
  error({
    code: "journal_not_settled",
    summary: "An interrupted run has not been recovered",
    detail:
      `The object at ${before} can't move to ${address} until the interrupted run that changed it is recovered. Nothing ` +
      "was planned or changed. Fix what prevents the recovery, or remove the `moved` block until then.",
    address,
  });

/** @param of the address under which it was begun, where that is another. */
export function notSettled(address: string, construct: string | undefined, of = address): Diagnostic {
  const what = of === address ? "this object" : `the same object as ${of}`;
  return error({
    code: "object_not_settled",
    summary: "Recovery pending for this object",
    detail:
      `A run was interrupted while it changed ${what}, and the outcome can't be determined. Nothing is ` +
      "planned or sent for it and its dependents; all other objects continue. Fix what the other messages report, then run again.",
    address,
    ...(construct !== undefined && { construct }),
  });
}
