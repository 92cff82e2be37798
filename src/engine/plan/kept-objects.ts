import { hasErrors } from "../../diagnostics";
import type { ResourceDeclaration } from "../config";
import { evaluateNodes } from "../import/evaluate-needed";
import { keptAsDeclared, notTargeted } from "../moves/identity-problems";
import { instanceConfig } from "../run/instance-config";
import { expand } from "../run/instances";
import { nameOf } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { expectChanges } from "./expect-changes";
import type { Identities } from "./identities";
import type { ObjectPlaces } from "./object-places";
import type { PlannedSteps } from "./planned-steps";
import { endsObject, plannedOf, priorOf, type Step } from "./steps";

interface Surroundings {
  readonly run: StackRun;
  readonly steps: PlannedSteps;
  readonly identities: Identities;
  readonly places: ObjectPlaces;
  /** Nodes of the graph that were visited. */
  readonly visited: ReadonlySet<string>;
}

/**
 * Holds every end against everything that stays declared. Where both are the same object, only the state drops the
 * address that ends. Where it isn't known yet what a new object will be, ends of its type wait for it.
 */
export async function keepDeclared(surroundings: Surroundings): Promise<void> {
  const { run, steps, identities, places } = surroundings;
  const ends = steps.all.filter(({ change }) => change.mode === "managed").filter(endsObject);
  if (ends.length === 0) return;
  const types = new Set(ends.map(({ change }) => change.type));
  const holders = await declaredObjects(surroundings, types);
  for (const key of new Set(ends.map(({ provider }) => provider)))
    await expectChanges(run, { steps: steps.all, movedState: places.state }, key);
  const left = await leftOut(surroundings, types);
  for (const step of ends) {
    const { provider, change } = step;
    const identity = await identities.of(provider, change.type, priorOf(step)!);
    if (identity === undefined || change.action !== "delete") continue;
    const isOwn = (address: string) => address === change.address && change.deposed === undefined;
    const holder = holders.get(identity)?.find((address) => !isOwn(address));
    const half = left.get(identity)?.find((address) => !isOwn(address));
    if (holder !== undefined) {
      steps.add({ ...step, change: { ...change, action: "forget", sameAs: holder } });
      run.report([keptAsDeclared(change, holder)]);
    } else if (half !== undefined) run.report([notTargeted(change.address, half, [half])]);
  }
}

type Addresses = Map<string, string[]>;

const add = (addresses: Addresses, identity: string, address: string): void =>
  void addresses.set(identity, [...(addresses.get(identity) ?? []), address]);

/** The addresses that stay declared, by the identity of their object. */
async function declaredObjects(
  { run, steps, identities, places }: Surroundings,
  types: ReadonlySet<string>,
): Promise<Addresses> {
  const found: Addresses = new Map();
  for (const step of steps.all) {
    const { type, address } = step.change;
    const planned = plannedOf(step);
    if (!types.has(type) || step.declared === undefined || planned === undefined) continue;
    const identity = await identities.of(step.provider, type, planned);
    if (identity !== undefined) add(found, identity, address);
    else if (makesObject(step)) steps.add({ ...step, isUnidentified: true });
  }
  // What is declared and not planned in this run stays as the state has it.
  for (const object of places.managed) {
    const { type, name } = object.resource;
    if (!types.has(type) || steps.has(nameOf(object)) || !run.graph.has(`${type}.${name}`)) continue;
    const identity = await identities.ofObject(object);
    if (identity !== undefined) add(found, identity, object.address);
  }
  return found;
}

const makesObject = (step: Step): boolean => step.change.action === "create" || endsObject(step);

/** The addresses without an object that `--target` leaves out, by the identity of what they declare. */
async function leftOut(surroundings: Surroundings, types: ReadonlySet<string>): Promise<Addresses> {
  const { run, identities, places, visited } = surroundings;
  const found: Addresses = new Map();
  if ((run.context.targets ?? []).length === 0) return found;
  const declarations = [...run.context.configuration.resources.values()].filter(
    ({ mode, type, address }) => mode === "managed" && types.has(type) && !visited.has(address),
  );
  const needed = declarations.flatMap(({ address }) => run.graph.dependenciesOf(address));
  await evaluateNodes(run, needed, places.objects.current, visited);
  const held = new Set(places.managed.map(({ address }) => address));
  for (const declaration of declarations)
    for (const [address, config] of configurations(run, declaration)) {
      const identity = await identities.of(declaration.provider, declaration.type, { attributes: config });
      if (identity !== undefined && !held.has(address)) add(found, identity, address);
    }
  return found;
}

function configurations(run: StackRun, declaration: ResourceDeclaration) {
  return expand(declaration, run.evaluation).instances.flatMap((instance) => {
    const { config, diagnostics } = instanceConfig(run, declaration, instance);
    return hasErrors(diagnostics) ? [] : [[instance.address, config] as const];
  });
}
