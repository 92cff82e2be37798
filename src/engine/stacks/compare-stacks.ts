import type { Diagnostic } from "../../diagnostics";
import type { ConfiguredProvider, IdentifyRequest, StoredState } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import type { PlanMode } from "../model/plan";
import type { StackRun } from "../run/stack-run";
import { plannedOf, priorOf, type Step } from "../steps/steps";
import type { AppStacks, KnownStack } from "./app-stacks";
import { knownInPart } from "./known-in-part";
import { type IdentifiedObject, ObjectIndex } from "./object-index";
import { type Own, overlaps, refusals } from "./refusals";
import type { StackObject } from "./stack-objects";

/** One stack, and the app that it is a part of. */
export interface StackOfApp {
  readonly name: string;
  readonly app: AppStacks;
}

/**
 * Holds a plan against the other stacks of the app: no object is declared by two of them, or declared by one while the
 * state of another holds it. Asks nothing of the service; what can't be told of a stack that this command does not plan
 * is said.
 */
export async function compareStacks(
  run: StackRun,
  steps: readonly Step[],
  mode: PlanMode,
  { name, app }: StackOfApp,
): Promise<readonly Diagnostic[]> {
  if (mode === "refresh-only") return [];
  const comparison = new Comparison(run, app);
  const own = await comparison.own(name, steps);
  if (own.length === 0) return [];
  const others = await app.others(name);
  // What the same command destroys declares nothing that stays.
  const lasting = mode === "destroy" ? others.filter(({ isSelected }) => !isSelected) : others;
  return comparison.hold(name, own, lasting);
}

/** What keeps a live object from being imported: the state of another stack holds it. */
export async function compareImport(
  run: StackRun,
  {
    address,
    construct,
    type,
    provider,
  }: Pick<ResourceDeclaration, "address" | "construct" | "type" | "provider">,
  state: StoredState,
  { name, app }: StackOfApp,
): Promise<readonly Diagnostic[]> {
  const comparison = new Comparison(run, app);
  const identity = await comparison.identify(provider, type, state);
  if (identity === undefined) return [];
  const own = { address, construct, type, identity, isHeld: false, isDeclared: true };
  const others = (await app.others(name)).map((stack) => ({
    ...stack,
    index: new ObjectIndex(stack.index.objects.filter(({ source }) => source !== "configuration")),
    unknown: [],
  }));
  return comparison.hold(name, [own], others);
}

class Comparison {
  readonly #run: StackRun;
  readonly #app: AppStacks;
  /** By the service that they talk to. */
  readonly #clients = new Map<string, ConfiguredProvider>();

  constructor(run: StackRun, app: AppStacks) {
    this.#run = run;
    this.#app = app;
  }

  /** The objects of a plan; those that it declares are noted for the plans of the other stacks. */
  async own(name: string, steps: readonly Step[]): Promise<Own[]> {
    const found: Own[] = [];
    const declared: StackObject[] = [];
    for (const step of steps) {
      const { change, provider, object } = step;
      const [prior, planned] = [priorOf(step), plannedOf(step)];
      const { address, type, construct } = change;
      if (change.mode !== "managed" || change.action === "forget") continue;
      const facts = { address, construct, type };
      const before = prior && (await this.identify(provider, type, prior));
      if (planned === undefined) {
        if (before !== undefined) found.push({ ...facts, identity: before, isHeld: true, isDeclared: false });
        continue;
      }
      // What stays as it is, or is changed in place, is the same object.
      const isSame = before !== undefined && (change.action === "no-op" || change.action === "update");
      const identity = isSame ? before : ((await this.identify(provider, type, planned)) ?? before);
      if (before !== undefined && before !== identity)
        found.push({ ...facts, identity: before, isHeld: true, isDeclared: false });
      if (identity === undefined) continue;
      const request = requestOf(type, planned);
      const client = this.#run.configured(provider);
      const isHeld = object !== undefined && before === identity;
      const parts = { service: client.service!, shares: (await client.owns?.(request)) ?? [] };
      found.push({ ...facts, ...parts, identity, isHeld, isDeclared: true });
      declared.push({ address, ...parts, source: "configuration", request, identity });
    }
    this.#app.planned(name, declared);
    return found;
  }

  /** What an object of the planned stack is, by the key of its provider configuration. */
  async identify(provider: string, type: string, state: StoredState): Promise<string | undefined> {
    const client = this.#run.configured(provider);
    if (client.service === undefined) return undefined;
    this.#clients.set(client.service, client);
    return client.identify?.(requestOf(type, state));
  }

  async hold(name: string, own: readonly Own[], others: readonly KnownStack[]): Promise<Diagnostic[]> {
    const types = new Set(own.map(({ type }) => type));
    const isOfType = ({ request, service }: StackObject): boolean =>
      // An object of another service can't be one of this stack's.
      types.has(request.type) && (service === undefined || this.#clients.has(service));
    const ownsParts = own.some(({ shares = [] }) => shares.length > 0);
    await this.#identifyOthers(others, (object) => ownsParts || isOfType(object));
    return [
      ...own.flatMap((one) =>
        others.flatMap((stack) => [
          ...refusals(name, one, stack.name, stack.index.of(one.identity)),
          ...overlaps(name, one, stack.name, stack.index),
        ]),
      ),
      ...others
        .filter(({ isSelected }) => !isSelected)
        .flatMap((stack) => knownInPart(stack, stack.index.unidentified(isOfType), types)),
    ];
  }

  async #identifyOthers(
    others: readonly KnownStack[],
    isConcerned: (object: StackObject) => boolean,
  ): Promise<void> {
    const open = others.map(({ index }) => ({ index, objects: index.unidentified(isConcerned) }));
    if (open.every(({ objects }) => objects.length === 0)) return;
    // First what all of them remember of paths: any of it may tell what another one means.
    for (const { index } of others) for (const object of index.remembering) await this.#identified(object);
    for (const { index, objects } of open) {
      const found = new Map<StackObject, IdentifiedObject>();
      for (const object of objects) {
        const identified = await this.#identified(object);
        if (identified !== undefined) found.set(object, identified);
      }
      index.identified(found);
    }
  }

  async #identified(object: StackObject): Promise<IdentifiedObject | undefined> {
    const { service, request } = object;
    const client = service === undefined ? undefined : this.#clients.get(service);
    const identity = await client?.identify?.(request);
    return identity === undefined
      ? undefined
      : { ...object, identity, shares: (await client?.owns?.(request)) ?? [] };
  }
}

const requestOf = (type: string, { attributes, private: remembered }: StoredState): IdentifyRequest => ({
  type,
  attributes,
  private: remembered,
  asksNothing: true,
});
