import type { Diagnostic } from "../../diagnostics";
import type { ConfiguredProvider, IdentifyRequest, StoredState } from "../../provider/protocol";
import type { ResourceDeclaration } from "../config";
import type { PlanMode } from "../plan/model";
import { plannedOf, priorOf, type Step } from "../plan/steps";
import type { StackRun } from "../run/stack-run";
import type { AppStacks, KnownStack } from "./app-stacks";
import { knownInPart } from "./known-in-part";
import { type Own, refusals, type Same } from "./refusals";
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
    objects: stack.objects.filter(isHeld),
    unknown: [],
  }));
  return comparison.hold(name, [own], others);
}

const isHeld = ({ source }: StackObject): boolean => source === "state";

class Comparison {
  readonly #run: StackRun;
  readonly #app: AppStacks;
  /** By the service that they talk to. */
  readonly #clients = new Map<string, ConfiguredProvider>();
  /** What objects remember of paths, as far as the clients were told of it. */
  readonly #told = new Set<string>();

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
      const identity = (await this.identify(provider, type, planned)) ?? before;
      if (before !== undefined && before !== identity)
        found.push({ ...facts, identity: before, isHeld: true, isDeclared: false });
      if (identity === undefined) continue;
      found.push({
        ...facts,
        identity,
        isHeld: object !== undefined && before === identity,
        isDeclared: true,
      });
      const { service } = this.#run.configured(provider);
      declared.push({
        address,
        service,
        source: "configuration",
        request: requestOf(type, planned),
        identity,
      });
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
    const same = new Map<string, Same[]>(own.map(({ identity }) => [identity, []]));
    const unidentified: Same[] = [];
    // States first: they tell which paths name which ids.
    for (const source of ["state", "configuration"] as const) {
      for (const stack of others) {
        for (const object of stack.objects) {
          if (object.source !== source || !this.#isConcerned(object)) continue;
          const isOfType = types.has(object.request.type);
          const identity = await this.#identifyOther(object, isOfType);
          if (!isOfType) continue;
          if (identity === undefined) unidentified.push({ stack, object });
          else same.get(identity)?.push({ stack, object });
        }
      }
    }
    return [
      ...own.flatMap((one) => refusals(name, one, same.get(one.identity)!)),
      ...others
        .filter(({ isSelected }) => !isSelected)
        .flatMap((stack) => {
          const objects = unidentified.filter((one) => one.stack === stack).map(({ object }) => object);
          return knownInPart(stack, objects, types);
        }),
    ];
  }

  /** An object of another service can't be one of this stack's. */
  #isConcerned({ service }: StackObject): boolean {
    return service === undefined || this.#clients.has(service);
  }

  /** What an object is; of one that is of no interest itself, what it remembers of paths is told all the same. */
  async #identifyOther(object: StackObject, isWanted: boolean): Promise<string | undefined> {
    const { service, request } = object;
    const { identities } = this.#app;
    const known = object.identity ?? identities.get(object);
    const isToTell = request.private !== undefined && !this.#told.has(request.private);
    if (service === undefined || (!isToTell && (known !== undefined || !isWanted))) return known;
    if (isToTell) this.#told.add(request.private!);
    const identity = (await this.#clients.get(service)!.identify!(request)) ?? known;
    if (identity !== undefined) identities.set(object, identity);
    return identity;
  }
}

const requestOf = (type: string, { attributes, private: remembered }: StoredState): IdentifyRequest => ({
  type,
  attributes,
  private: remembered,
  asksNothing: true,
});
