import { type Diagnostic, warning } from "../../diagnostics";
import {
  type ConfiguredProvider,
  HELD,
  type IdentifyRequest,
  LEAVING,
  NEW,
  type Owned,
  type Row,
  type Share,
  type StoredState,
} from "../../framework";
import type { ResourceDeclaration } from "../../language";
import { isWhollyKnown } from "../../schema";
import { namesUpTo } from "../../text";
import type { PlanMode } from "../results/plan";
import type { StackRun } from "../stack-run/stack-run";
import { isLeaving, type Step } from "../steps/steps";
import type { KnownStack, StackOfApp } from "./app-stacks";
import type { IdentifiedObject } from "./object-index";
import { type Conflict, conflicts, movedTogether, overlaps, type PlannedObject } from "./stack-conflicts";
import type { StackObject } from "./stack-objects";

/** Maximum number of addresses that a message names. */
const MAX_NAMED = 3;

/** Warns about objects of a stack that could not be compared, because only a plan of that stack identifies these objects. */
export function partialComparison(
  { name, unknown, diagnostics }: KnownStack,
  unidentified: readonly StackObject[],
  types: ReadonlySet<string>,
): Diagnostic[] {
  const addresses = [
    ...new Set([
      ...unidentified.map(({ address }) => address),
      ...unknown.filter(({ type }) => types.has(type)).map(({ address }) => address),
    ]),
  ];
  const reasons = new Set([
    ...diagnostics.map((one) => `${one.summary}. ${one.detail}`),
    ...(addresses.length === 0
      ? []
      : [
          `Steward does not know which live objects these declarations describe: ${namesUpTo(MAX_NAMED, addresses)}.`,
        ]),
  ]);
  if (reasons.size === 0) return [];
  return [
    warning({
      code: "stack_known_in_part",
      summary: "Another stack was compared only in part",
      detail: `Steward could not compare this plan completely with the stack "${name}", which is not part of this run. ${[...reasons].join(" ")} If both stacks declare the same object, this plan does not show that. To find out, plan both stacks together.`,
    }),
  ];
}

/** The row of the decision table for an object that leaves its fleet and keeps its settings. */
const FORGOTTEN: Row = { ...LEAVING, fleet: "keep" };

/**
 * Compares the objects of one stack with the objects of the other stacks. Looks up the identities of the objects of the
 * other stacks.
 */
export class Comparison {
  /** The configured providers of this run, by service. */
  readonly #clients = new Map<string, ConfiguredProvider>();
  /**
   * The last identification of objects in other stacks. The identification is repeated when the number of known services
   * (`size`) has changed.
   */
  #identified: { readonly size: number; readonly done: Promise<void> } | undefined;
  #others: Promise<readonly KnownStack[]> | undefined;
  /** The position of each other stack in `others`, by name. */
  #positions: ReadonlyMap<string, number> | undefined;
  /** The types whose declarations in other stacks were looked up. */
  readonly #lookedUp = new Set<string>();
  readonly #unknown = new Map<string, Promise<readonly ObjectOfStack[]>>();

  constructor(
    private readonly run: StackRun,
    private readonly stack: StackOfApp,
    private readonly findOthers: () => Promise<readonly KnownStack[]>,
  ) {}

  /** Returns the known facts about the other stacks, read on first use. */
  others(): Promise<readonly KnownStack[]> {
    this.#others ??= this.findOthers();
    return this.#others;
  }

  /** Returns the objects of a plan. Records the declared objects for the plans of other stacks. */
  async plannedObjects(steps: readonly Step[]): Promise<PlannedObject[]> {
    const found: PlannedObject[] = [];
    const declared: StackObject[] = [];
    for (const step of steps) {
      const { change, provider, object } = step;
      const [prior, planned] = [step.prior, step.planned];
      const { address, type, construct } = change;
      const { action } = change;
      if (change.mode !== "managed" || (action === "forget" && !isLeaving(step))) continue;
      const heldAt = this.run.previousAddresses.get(address);
      const site = { address, construct, type, ...(heldAt !== undefined && { heldAt }) };
      const before = prior && (await this.identify(provider, type, prior));
      if (planned === undefined) {
        const row = action === "forget" ? FORGOTTEN : LEAVING;
        if (before !== undefined) found.push({ ...site, identity: before, row });
        continue;
      }
      // An object that is unchanged or updated in place keeps its identity.
      const isSame = before !== undefined && (change.action === "no-op" || change.action === "update");
      const identity = isSame ? before : ((await this.identify(provider, type, planned)) ?? before);
      if (before !== undefined && before !== identity)
        found.push({ ...site, identity: before, row: LEAVING });
      if (identity === undefined) continue;
      const request = requestOf(type, planned);
      const row = object !== undefined && before === identity ? HELD : NEW;
      const service = this.run.configured(provider).service!;
      const ownership = { service, shares: await this.sharesOf(provider, type, planned) };
      found.push({ ...site, ...ownership, identity, row });
      declared.push({ address, ...ownership, source: "configuration", request, identity });
    }
    this.stack.app.recordPlanned(this.stack.name, declared);
    return found;
  }

  /**
   * Returns the identity of an object of the planned stack.
   *
   * @param provider key of the provider configuration
   */
  async identify(provider: string, type: string, state: StoredState): Promise<string | undefined> {
    const client = this.run.configured(provider);
    if (client.service === undefined) return undefined;
    this.#clients.set(client.service, client);
    return client.identify?.(requestOf(type, state));
  }

  /** Returns the parts of shared sets that an object of the planned stack owns. */
  async sharesOf(provider: string, type: string, state: StoredState): Promise<readonly Share[]> {
    return (await this.run.configured(provider).owns?.(requestOf(type, state))) ?? [];
  }

  async compare(plannedObjects: readonly PlannedObject[]): Promise<Compared> {
    const others = await this.others();
    const { name } = this.stack;
    const types = new Set(plannedObjects.map(({ type }) => type));
    const isOfType = ({ request, service }: StackObject): boolean =>
      // Objects of services that this run does not use can't be objects of this stack.
      types.has(request.type) && (service === undefined || this.#clients.has(service));
    const hasShares = plannedObjects.some(({ shares = [] }) => shares.length > 0);
    const isConcerned = (object: StackObject): boolean => hasShares || isOfType(object);
    await this.#identifyOthers(isConcerned);
    // Paths are requested for types of removed objects. They are also requested for stacks of this command, because the plans
    // of these stacks look up the same paths. Before a removal, all objects that stay declared must be known.
    const removed = new Set(plannedObjects.flatMap(({ row, type }) => (row.declared === "no" ? [type] : [])));
    await this.#identifyOthers(
      (object, { isSelected }) =>
        (isSelected || removed.has(object.request.type)) &&
        object.source === "configuration" &&
        isConcerned(object),
      false,
    );
    const held = plannedObjects.filter(({ row }) => row.held === "here");
    const heldAt = new Set(held.map(({ heldAt: at, address }) => at ?? address));
    const found = plannedObjects.flatMap((one) =>
      this.#concernedBy(one, others).flatMap((stack) => [
        ...conflicts(name, one, stack, heldAt),
        ...overlaps(name, one, stack.name, stack.index),
      ]),
    );
    return {
      conflicts: movedTogether(found),
      warnings: others
        .filter(({ isSelected }) => !isSelected)
        .flatMap((stack) => partialComparison(stack, stack.index.unidentified(isOfType), types)),
    };
  }

  /**
   * Searches the other stacks for the given object and for owners of its parts. Looks up the paths of all declarations of these
   * types in other stacks, because declared parts must be known before a removal.
   */
  async related(object: Owned, types: readonly string[]) {
    await this.identifyTypes(types);
    const { identity, service, shares = [] } = object;
    return this.#concernedBy(object, await this.others()).flatMap((stack) => {
      const owners = shares.flatMap((share) => stack.index.ownersOf(service, share));
      const objects = new Set([...(identity === undefined ? [] : stack.index.of(identity)), ...owners]);
      return objects.size === 0 ? [] : [{ stack, objects: [...objects] }];
    });
  }

  /**
   * Returns the other stacks that may hold or declare an object or a part of the object. The returned stacks are in the order of
   * `others`.
   */
  #concernedBy(object: Owned, others: readonly KnownStack[]): KnownStack[] {
    this.#positions ??= new Map(others.map(({ name }, position) => [name, position]));
    const positions = this.#positions;
    return [...this.stack.app.concernedBy(object)]
      .flatMap((stack) => positions.get(stack) ?? [])
      .sort((left, right) => left - right)
      .map((position) => others[position]!);
  }

  /** Looks up the paths of all declarations of these types in other stacks, once. */
  async identifyTypes(types: readonly string[]): Promise<void> {
    const open = types.filter((type) => !this.#lookedUp.has(type));
    if (open.length === 0) return;
    for (const type of open) this.#lookedUp.add(type);
    const isOfType = ({ request: { type } }: StackObject): boolean => open.includes(type);
    await this.#identifyOthers(isOfType);
    await this.#identifyOthers(isOfType, false);
    for (const { name, index } of (await this.others()).filter(({ index: { isOpen } }) => isOpen))
      for (const object of index.unidentified(isOfType)) {
        const client = object.service === undefined ? undefined : this.#clients.get(object.service);
        this.stack.app.recordInPart(name, index, object, (await client?.owns?.(object.request)) ?? []);
      }
  }

  /**
   * Returns, for each other stack, one declaration whose container is unknown, if there is any. A container is unknown
   * before an apply, or if its lookup failed. Looks up paths like `related`.
   */
  async inUnknownContainers(types: readonly string[]) {
    await this.identifyTypes(types);
    return (await this.others()).flatMap((stack) => {
      const object = stack.index.inUnknownContainer(types);
      return object === undefined ? [] : [{ stack, object }];
    });
  }

  /**
   * Returns declarations of other stacks with unknown instances or unknown identities. Each such declaration can be for any
   * object of these types. The list is stored, because each removed object of these types needs the same list.
   */
  unknown(types: readonly string[], service: string) {
    const key = [service, ...types].join("\n");
    const known = this.#unknown.get(key) ?? this.#findUnknown(types, service);
    this.#unknown.set(key, known);
    return known;
  }

  async #findUnknown(types: readonly string[], service: string): Promise<readonly ObjectOfStack[]> {
    await this.identifyTypes(types);
    const isOf = (one: { readonly service: string | undefined }, type: string): boolean =>
      types.includes(type) && (one.service === undefined || one.service === service);
    return (await this.others()).flatMap(({ name, unknown, index }) => [
      ...unknown.filter((one) => isOf(one, one.type)).map(({ address }) => ({ address, stack: name })),
      ...index
        .unidentified((one) => isOf(one, one.request.type) && one.source === "configuration" && !isKnown(one))
        .map(({ address }) => ({ address, stack: name })),
    ]);
  }

  /**
   * Returns the address and the stack of an object of another stack. The found object is the given object, or owns a
   * part of the given object. Undefined if there is none.
   */
  async owner(object: Owned): Promise<ObjectOfStack | undefined> {
    // The identification is repeated only if another service has become known since.
    const { size } = this.#clients;
    if (this.#identified?.size !== size) this.#identified = { size, done: this.#identifyOthers(() => true) };
    await this.#identified.done;
    const concerned = this.stack.app.concernedBy(object);
    for (const { name, index } of await this.others()) {
      const owner = concerned.has(name) ? index.owner(object) : undefined;
      if (owner !== undefined) return { address: owner.address, stack: name };
    }
    return undefined;
  }

  async #identifyOthers(
    isConcerned: (object: StackObject, stack: KnownStack) => boolean,
    isCacheOnly = true,
  ): Promise<void> {
    const others = await this.others();
    const open = others
      .filter(({ index }) => index.isOpen)
      .map((stack) => {
        const { index } = stack;
        return { index, objects: index.unidentified((object) => isConcerned(object, stack)) };
      });
    if (open.every(({ objects }) => objects.length === 0)) return;
    // Objects with ids for paths in their private bytes come first. The provider then knows these paths for all other objects.
    if (isCacheOnly)
      for (const { index } of others) for (const object of index.remembering) await this.#identify(object);
    for (const { index, objects } of open) {
      const found = new Map<StackObject, IdentifiedObject>();
      const identifyOne = async (object: StackObject): Promise<void> => {
        const identified = await this.#identify(object, isCacheOnly);
        if (identified !== undefined) found.set(object, identified);
      };
      await Promise.all(objects.map(identifyOne));
      index.recordIdentities(found);
    }
  }

  async #identify(object: StackObject, isCacheOnly = true): Promise<IdentifiedObject | undefined> {
    const { service, request: declared } = object;
    const client = service === undefined ? undefined : this.#clients.get(service);
    const request = { ...declared, isCacheOnly };
    const identity = await client?.identify?.(request);
    return identity === undefined
      ? undefined
      : { ...object, identity, shares: (await client?.owns?.(request)) ?? [] };
  }
}

/** The result of a comparison: conflicts with other stacks, and warnings about objects that could not be compared. */
export interface Compared {
  readonly conflicts: readonly Conflict[];
  readonly warnings: readonly Diagnostic[];
}

const NO_CONFLICTS: Compared = { conflicts: [], warnings: [] };

/** An object of another stack. */
export interface ObjectOfStack {
  readonly address: string;
  readonly stack: string;
}

/** Returns whether all declared values are known. Ignores the id, because the service assigns it to a new object. */
export const isKnown = ({ request: { attributes } }: StackObject): boolean =>
  Object.entries(attributes).every(([name, value]) => name === "id" || isWhollyKnown(value));

const requestOf = (type: string, { attributes, private: bytes }: StoredState): IdentifyRequest => ({
  type,
  attributes,
  private: bytes,
  isCacheOnly: true,
});

/**
 * Compares the objects of steps with the other stacks of the app. Two stacks must not declare the same object, and no stack may
 * declare an object that is in another stack's state. Requests the paths of stacks in the same command, so that every conflict is
 * known before the first change. For stacks outside of the command, a warning lists the objects that can't be compared.
 */
export async function compareStacks(
  run: StackRun,
  steps: readonly Step[],
  mode: PlanMode,
  stack: StackOfApp,
): Promise<Compared> {
  if (mode === "refresh-only") return NO_CONFLICTS;
  const comparison = new Comparison(run, stack, () => stack.app.others(stack.name, mode));
  const own = await comparison.plannedObjects(steps);
  return own.length === 0 ? NO_CONFLICTS : comparison.compare(own);
}

/** Rejects the import of an object that another stack's state holds. */
export async function compareImport(
  run: StackRun,
  declaration: ResourceDeclaration,
  state: StoredState,
  ofApp: StackOfApp,
): Promise<readonly Diagnostic[]> {
  const { address, construct, type, provider } = declaration;
  const { name, app } = ofApp;
  const held = async () =>
    (await app.others(name)).map((stack) => {
      const objects = stack.index.objects.filter(({ source }) => source !== "configuration");
      return { ...stack, index: app.index(stack.name, objects), unknown: [] };
    });
  const comparison = new Comparison(run, ofApp, held);
  const identity = await comparison.identify(provider, type, state);
  if (identity === undefined) return [];
  const { conflicts, warnings } = await comparison.compare([
    { address, construct, type, identity, row: NEW },
  ]);
  return [...conflicts.map(({ problem }) => problem), ...warnings];
}
