import { type ConfiguredProvider, OwnerIndex } from "../../framework";
import { isWhollyKnown, type ValueObject } from "../../schema";
import { addressesOf, type State, selectInstances } from "../../state";
import { objectsOf } from "../objects/objects";
import type { RunContext } from "../stack-run/context";
import { type StackRun, withRun } from "../stack-run/stack-run";
import { evaluateNodes } from "../steps/data-sources";
import { type StackObject, stackObjects } from "./stack-objects";

export interface StackWithState {
  readonly context: RunContext;
  readonly state: State | undefined;
}

/**
 * Finds objects that one stack declares, but that only the state of another stack contains. The result maps each address in that
 * state to the address of the declaration. If that address is occupied, the result contains a free address instead. Looks up the
 * paths that have no id in either state. If the service is not known, objects with the same address count as the same object,
 * unless an identifying value differs.
 */
export async function declaredElsewhere(
  holder: StackWithState,
  declarer: StackWithState,
): Promise<ReadonlyMap<string, string>> {
  const [holding, declaring] = [
    await stackObjects(holder.context, holder.state),
    await stackObjects(declarer.context, declarer.state),
  ];
  const taken = new Set(declarer.state === undefined ? [] : addressesOf(selectInstances(declarer.state)));
  const declared = declaring.objects.filter(({ source }) => source === "configuration");
  const held = holding.objects.filter(({ source }) => source !== "configuration");
  if (declared.length === 0 || held.length === 0) return new Map();
  return withRun(declarer.context, async (run) => {
    const clients = await clientsOf(run, declarer.state);
    const identify = await identifier(clients, [...declared, ...held]);
    const byAddress = new Map(held.map((object) => [object.address, object]));
    const [holders, own] = [new OwnerIndex<StackObject>(), new OwnerIndex<StackObject>()];
    for (const object of held) holders.add({ identity: await identify(object) }, object);
    for (const object of declaring.objects.filter(({ source }) => source === "state"))
      own.add({ identity: await identify(object) }, object);
    // An object that both states hold is not moved.
    const holderOf = (identity: string): StackObject | undefined =>
      own.same(identity).length > 0 ? undefined : holders.same(identity)[0];
    const found = new Map<string, string>();
    for (const object of declared) {
      const identity = await identify(object);
      const atAddress = () =>
        taken.has(object.address) ? undefined : sameAt(run, object, byAddress.get(object.address));
      const there = identity === undefined ? atAddress() : holderOf(identity);
      if (there === undefined || found.has(there.address)) continue;
      const to = freeAddress(object.address, there.address, (one) => taken.has(one));
      taken.add(to);
      found.set(there.address, to);
    }
    return found;
  });
}

/**
 * Returns an address for an object that moves to another state: the address of the declaration, or otherwise a free address.
 * The next plan moves the object from a free address to the declared address.
 */
export function freeAddress(declared: string, held: string, isTaken: (address: string) => boolean): string {
  const free = [declared, held].find((address) => !isTaken(address));
  if (free !== undefined) return free;
  const [resource] = held.split("[");
  for (let number = 2; ; number += 1) if (!isTaken(`${resource}_${number}`)) return `${resource}_${number}`;
}

/** Returns the configured providers of a stack, by service. */
async function clientsOf(run: StackRun, state: State | undefined) {
  const providers = run.graph.ids.filter((id) => run.graph.value(id)?.kind === "provider");
  await evaluateNodes(run, providers, objectsOf(state, run).current);
  const clients = new Map<string, ConfiguredProvider>();
  for (const id of providers) {
    const node = run.graph.value(id)!;
    const client: ConfiguredProvider | undefined =
      node.kind === "provider" ? run.configured(node.key) : undefined;
    if (client?.service !== undefined) clients.set(client.service, client);
  }
  return clients;
}

/**
 * Returns a function that identifies objects. The function first uses the ids for paths in all states, and sends requests only
 * for other paths.
 */
async function identifier(
  clients: ReadonlyMap<string, ConfiguredProvider>,
  objects: readonly StackObject[],
): Promise<(object: StackObject) => Promise<string | undefined>> {
  const ask = async ({ service, request }: StackObject, isCacheOnly: boolean) =>
    service === undefined ? undefined : clients.get(service)?.identify?.({ ...request, isCacheOnly });
  for (const object of objects) if (object.request.private !== undefined) await ask(object, true);
  return async (object) => (await ask(object, true)) ?? ask(object, false);
}

/** Returns the object in the state at the same address, unless an identifying value differs from the declared value. */
function sameAt(run: StackRun, declared: StackObject, held: StackObject | undefined) {
  const { type, attributes } = declared.request;
  if (held === undefined || held.request.type !== type) return undefined;
  const schema = Object.values(run.context.providers).find(({ schema }) => type in schema.resources)?.schema
    .resources[type];
  const identifying = Object.entries(schema?.attributes ?? {}).filter(
    ([, { text }]) => text.replaces === true,
  );
  const isDifferent = identifying.some(([name]) => {
    const [wanted, there] = [
      attributes[name] ?? null,
      (held.request.attributes as ValueObject)[name] ?? null,
    ];
    return wanted !== null && isWhollyKnown(wanted) && JSON.stringify(wanted) !== JSON.stringify(there);
  });
  return isDifferent ? undefined : held;
}
