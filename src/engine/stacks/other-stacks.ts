import { hasErrors } from "../../diagnostics";
import type { LeavingObject, Share, StayingObject, StoredState } from "../../framework";
import type { PlanMode } from "../results/plan";
import type { StackRun } from "../stack-run/stack-run";
import { isChange, isObjectDelete, type Step } from "../steps/steps";
import type { KnownStack, StackOfApp } from "./app-stacks";
import { Comparison, isKnown, type ObjectOfStack } from "./comparison";
import type { ObjectIndex } from "./object-index";
import { objectIn } from "./stack-conflicts";
import type { StackObject } from "./stack-objects";

/**
 * The objects and declarations of other stacks that own parts of the objects of one step. Each object or declaration
 * has a name such as `address in the stack "name"`.
 */
export interface Elsewhere {
  /**
   * Declarations of a part of the object, each with the name of its stack. The states of these stacks do not hold the part yet.
   */
  readonly yetToTake: ReadonlyMap<string, string>;
  /**
   * Declarations that may own a part of the object, because their values are not known yet. Each declaration has the
   * name of its stack.
   */
  readonly uncertain: ReadonlyMap<string, string>;
  /** The names of objects in the states of other stacks, if these stacks no longer declare the objects. */
  readonly leaving: readonly string[];
}

const NOTHING: Elsewhere = { yetToTake: new Map(), uncertain: new Map(), leaving: [] };

/** The objects of the other stacks of the app, for one run over a stack. */
export class OtherStacks {
  #comparison: Comparison;

  /** @param mode in a destroy, the other stacks of the command do not count, because they are destroyed too */
  constructor(
    private readonly run: StackRun,
    private readonly stack: StackOfApp,
    private readonly mode: PlanMode,
  ) {
    this.#comparison = this.#newComparison();
  }

  #newComparison(): Comparison {
    const { app, name } = this.stack;
    return new Comparison(this.run, this.stack, () => app.others(name, this.mode));
  }

  /**
   * Returns an object of another stack that is the given object or has a part of the given object. The other stack
   * declares this object, or has it in its state.
   */
  async owner(provider: string, type: string, object: StoredState): Promise<ObjectOfStack | undefined> {
    const { service } = this.run.configured(provider);
    const identity = await this.#comparison.identify(provider, type, object);
    if (identity === undefined) return undefined;
    const shares = await this.#comparison.sharesOf(provider, type, object);
    return this.#comparison.owner({ identity, service, shares });
  }

  /**
   * Returns the name of a stack whose state or declarations could not be read. The objects that this stack owns are not known.
   * Returns undefined if all stacks could be read.
   */
  async unread(): Promise<string | undefined> {
    return (await this.#comparison.others()).find(({ diagnostics }) => hasErrors(diagnostics))?.name;
  }

  /**
   * Searches other stacks for owners of parts of the objects in these steps. Only deletes and changes of shared sets need this
   * search.
   */
  async lookUp(steps: readonly Step[]): Promise<void> {
    if (await this.#areNone()) return;
    const known = new Set<string>();
    for (const step of steps) {
      const { change, provider } = step;
      const { sharesWith, expectChanges, service } = this.run.configured(provider);
      if (change.mode !== "managed" || known.has(change.type)) continue;
      if (expectChanges === undefined || service === undefined) continue;
      const isDelete = isObjectDelete(step);
      const objects = await this.#objectsOf(step, !isDelete);
      if (!isDelete && objects.length === 0) continue;
      known.add(change.type);
      await this.#comparison.identifyTypes([change.type, ...(sharesWith?.(change.type) ?? [])]);
    }
  }

  /**
   * Informs the provider of a step about parts of the step's object: parts that other stacks declare, and parts that they no
   * longer declare. The provider then keeps the declared parts. The object can take over the parts that other stacks no longer
   * declare.
   *
   * @param isSameIncluded whether to include the same object in another stack; a plan does not need this, because `compareStacks`
   * refuses such an object
   */
  async announce(step: Step, isSameIncluded = false): Promise<Elsewhere> {
    const { change, provider } = step;
    const { service, sharesWith, expectChanges } = this.run.configured(provider);
    if (change.mode !== "managed" || expectChanges === undefined || service === undefined) return NOTHING;
    if (await this.#areNone()) return NOTHING;
    const { type } = change;
    const found = new Map<StackObject, Known>();
    const uncertain = new Map<string, string>();
    const types = [type, ...(sharesWith?.(type) ?? [])];
    const isSameLookedFor = isSameIncluded && isObjectDelete(step);
    for (const { identity = "", shares } of await this.#objectsOf(step, !isSameLookedFor)) {
      const isPartOfSet = isObjectDelete(step) && shares.length > 0;
      const anywhere = isPartOfSet ? await this.#comparison.inUnknownContainers(types) : [];
      for (const { stack, object } of anywhere)
        if (object.service === undefined || object.service === service)
          uncertain.set(objectIn(object.address, stack.name), stack.name);
      const related = await this.#comparison.related({ identity, service, shares }, types);
      for (const { stack, objects } of related)
        for (const one of objects)
          if (one.identity !== identity || isSameLookedFor) found.set(one, { stack, among: objects });
    }
    if (isObjectDelete(step))
      for (const { address, stack } of await this.#comparison.unknown(types, service))
        uncertain.set(objectIn(address, stack), stack);
    return this.#tell(provider, found, uncertain);
  }

  /**
   * Informs the providers, for an apply, about parts that other stacks declare, and about parts that they no longer declare. The
   * parts belong to objects that the steps delete, or to shared sets that the steps change. Must be called before the first step
   * is applied. Reads the states of other stacks again.
   */
  async announceChanges(steps: readonly Step[]): Promise<void> {
    const removing = steps.filter(
      (step) =>
        isChange(step) &&
        (isObjectDelete(step) || this.run.configured(step.provider).sharesWith?.(step.change.type).length),
    );
    if (removing.length === 0 || (await this.#areNone())) return;
    const concerned = await this.#stacksConcerned(removing);
    this.stack.app.readAgain(this.stack.name, (other) => concerned.has(other));
    this.#comparison = this.#newComparison();
    for (const step of removing) await this.announce(step, true);
  }

  /** Returns whether the app has no other stacks. */
  async #areNone(): Promise<boolean> {
    return (await this.#comparison.others()).length === 0;
  }

  /**
   * Returns the objects before and after a step, with their ownership. With `isSharedOnly`, returns only objects that own parts
   * of shared sets.
   */
  async #objectsOf(step: Step, isSharedOnly = false) {
    const { provider, change } = step;
    const found: { readonly identity: string | undefined; readonly shares: readonly Share[] }[] = [];
    for (const object of [step.prior, step.planned]) {
      if (object === undefined) continue;
      const shares = await this.#comparison.sharesOf(provider, change.type, object);
      if (isSharedOnly && shares.length === 0) continue;
      found.push({ identity: await this.#comparison.identify(provider, change.type, object), shares });
    }
    return found;
  }

  /** Returns the names of the other stacks that have an object of these steps or own any part of its sets. */
  async #stacksConcerned(steps: readonly Step[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const step of steps) {
      const { service } = this.run.configured(step.provider);
      for (const { identity, shares } of await this.#objectsOf(step)) {
        const sets = shares.map(({ place }) => ({ place }));
        for (const name of this.stack.app.concernedBy({ identity, service, shares: sets })) found.add(name);
      }
    }
    return found;
  }

  async #tell(provider: string, found: ReadonlyMap<StackObject, Known>, uncertain: Map<string, string>) {
    if (found.size === 0) return { ...NOTHING, uncertain };
    const staying: StayingObject[] = [];
    const leaving: (LeavingObject & { readonly address: string })[] = [];
    const yetToTake = new Map<string, string>();
    for (const [object, { stack, among }] of found) {
      const { request, source } = object;
      const { type, attributes, private: remembered } = request;
      const address = objectIn(object.address, stack.name);
      if (source === "state") {
        if (!isStillOwned(object, among)) leaving.push({ type, address, attributes, private: remembered });
        continue;
      }
      const there = source === "both" ? object : heldAs(object, stack.index);
      // If an interrupted run has only begun to create the object, no state contains it yet.
      const held = there?.isBegun === true ? undefined : there;
      const id = held?.request.attributes["id"];
      const planned = { attributes, private: remembered };
      staying.push({ type, address, planned, isElsewhere: true, ...(id != null && { object: String(id) }) });
      if (held === undefined) yetToTake.set(address, stack.name);
      if (object.identity === undefined || !isKnown(object)) uncertain.set(address, stack.name);
    }
    await this.run.configured(provider).expectChanges?.(staying, leaving);
    return { yetToTake, uncertain, leaving: leaving.map(({ address }) => address) };
  }
}

/** A stack with some of its objects: each is an object of the plan, or owns a part of an object of the plan. */
interface Known {
  readonly stack: KnownStack;
  readonly among: readonly StackObject[];
}

/** Returns whether a stack still declares an object of its state. */
const isStillOwned = ({ identity }: StackObject, among: readonly StackObject[]): boolean =>
  among.some((one) => one.source !== "state" && one.identity === identity);

const heldAs = ({ identity }: StackObject, index: ObjectIndex): StackObject | undefined =>
  identity === undefined ? undefined : index.of(identity).find(({ source }) => source !== "configuration");
