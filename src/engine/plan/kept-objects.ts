import { moveNotTargeted, stillDeclared } from "../moves/move-diagnostics";
import { nameOf } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { deletesObject, plannedOf, priorOf, type Step } from "../steps/steps";
import { expectChanges } from "./expect-changes";
import { type Unplanned, type UnplannedSurroundings, unplannedDeclarations } from "./unplanned";

export interface Kept {
  /** The declarations of which the plan does not speak. */
  readonly unplanned: readonly Unplanned[];
  /** The addresses of ends that were refused, and told. */
  readonly refused: ReadonlySet<string>;
}

/**
 * Holds every end against everything that stays declared. Where both are the same object, only the state drops the
 * address that ends. Where it isn't known yet what a new object will be, ends of its type wait for it.
 */
export async function keepDeclared(surroundings: UnplannedSurroundings): Promise<Kept> {
  const { run, steps, identities, places } = surroundings;
  const ends = steps.all.filter(({ change }) => change.mode === "managed").filter(deletesObject);
  if (ends.length === 0) return { unplanned: [], refused: new Set() };
  const types = new Set(ends.map(({ change }) => change.type));
  const holders = await declaredObjects(surroundings, types);
  const unplanned = await unplannedDeclarations(surroundings, types);
  for (const key of new Set(ends.map(({ provider }) => provider)))
    await expectChanges(run, { steps: steps.all, movedState: places.state }, key, unplanned);
  const refused = new Set<string>();
  for (const step of ends) {
    const { provider, change } = step;
    const identity = await identities.identify(provider, change.type, priorOf(step)!);
    if (identity === undefined) continue;
    const isOwn = (address: string) => address === change.address && change.deposed === undefined;
    // What a replacement ends is held against the others when it is applied.
    const holder =
      change.action === "delete" ? holders.get(identity)?.find((address) => !isOwn(address)) : undefined;
    const wanting = unplanned.find((one) => one.identity === identity && !isOwn(one.address));
    if (holder !== undefined) {
      steps.add({ ...step, change: { ...change, action: "forget", sameAs: holder } });
      run.report([stillDeclared(change, holder)]);
    } else if (wanting?.why === "left out") {
      run.report([moveNotTargeted(change.address, wanting.address, [wanting.address])]);
      refused.add(change.address);
    } else if (unplanned.some((one) => one.identity === identity && isAmbiguous(run, one.address))) {
      steps.remove(step);
    }
  }
  return { unplanned, refused };
}

/** Whether it was told that several objects can have moved to an address, or one to several. */
const isAmbiguous = ({ diagnostics }: StackRun, address: string): boolean =>
  diagnostics.some((one) => one.code === "move_ambiguous" && one.address === address);

type Addresses = Map<string, string[]>;

const add = (addresses: Addresses, identity: string, address: string): void =>
  void addresses.set(identity, [...(addresses.get(identity) ?? []), address]);

/** The addresses that stay declared, by the identity of their object. */
async function declaredObjects(
  { run, steps, identities, places }: UnplannedSurroundings,
  types: ReadonlySet<string>,
): Promise<Addresses> {
  const found: Addresses = new Map();
  for (const step of steps.all) {
    const { mode, type, address } = step.change;
    // A data source makes nothing, and its type is none of the provider's resources.
    if (mode !== "managed") continue;
    const planned = plannedOf(step);
    const kin = [type, ...(run.configured(step.provider)?.sharesWith?.(type) ?? [])];
    if (!kin.some((one) => types.has(one)) || step.declared === undefined || planned === undefined) continue;
    const identity = await identities.identify(step.provider, type, planned);
    if (identity !== undefined) add(found, identity, address);
    else if (makesObject(step)) steps.add({ ...step, deletesAfter: kin });
  }
  // What is declared and not planned in this run stays as the state has it.
  for (const object of places.managed) {
    const { type, name } = object.resource;
    if (!types.has(type) || steps.has(nameOf(object)) || !run.graph.has(`${type}.${name}`)) continue;
    const identity = await identities.identifyObject(object);
    if (identity !== undefined) add(found, identity, object.address);
  }
  return found;
}

const makesObject = (step: Step): boolean => step.change.action === "create" || deletesObject(step);
