import { hasErrors } from "../../diagnostics";
import { continueWith, type Resolution } from "../../framework";
import { resourceAddress } from "../../language";
import { once } from "../../schema";
import { type InstanceMove, relocate, type State } from "../../state";
import { compareNatural } from "../../text";
import { addProviders, type Node } from "../declarations/declarations";
import type { Graph } from "../declarations/graph";
import type { ImportTarget } from "../import/import-blocks";
import { Identities } from "../objects/identities";
import {
  managedOf,
  nameOf,
  objectsOf,
  removalOf,
  reportForeign,
  type StateObject,
  type StateObjects,
} from "../objects/objects";
import { type Refreshed, Refresher, type UnchangedTest } from "../objects/refresh";
import { recoveryProblems } from "../recovery/pending-recovery";
import type { PlanMode } from "../results/plan";
import { Containers } from "../selection/containers";
import { selectTargets, type Targets } from "../selection/targets";
import type { InstanceContext } from "../stack-run/conditions";
import type { StackRun } from "../stack-run/stack-run";
import type { OtherStacks } from "../stacks/other-stacks";
import { isAsStored } from "../steps/steps";
import { ExistingObjects, importForPlan } from "./existing-objects";
import { PlannedSteps, type ResourceVisit, stayingStep } from "./planned-steps";

/** The objects that get new addresses, and the new address of each object. */
export interface Relocation {
  readonly moving: readonly InstanceMove[];
  /** The new addresses of objects that move to another declaration, by their current addresses. */
  readonly moves: ReadonlyMap<string, string>;
  /** The new addresses of objects that only free their address and move to no declaration, by their current addresses. */
  readonly displaced: ReadonlyMap<string, string>;
}

/**
 * The objects of a state during a plan or a drift detection, with the current address, the read and the step of each object.
 * Only this class changes the addresses of moved objects.
 */
export class PlanGraph {
  readonly targets: Targets;
  readonly identities: Identities;
  readonly steps = new PlannedSteps((standing) =>
    stayingStep(this.run, standing, this.createsBeforeDestroy(standing.object.address)),
  );
  /** The selection of containers to which the run is restricted; undefined without such a restriction. */
  readonly containers: Containers | undefined;
  /** The graph whose nodes the plan visits; undefined before the visits start. */
  walked: Graph<Node> | undefined;
  /** The ids of the visited nodes that failed or were skipped. */
  readonly blocked = new Set<string>();
  #objects: StateObjects;
  #heldAt: ReadonlyMap<string, StateObject> | undefined;
  /** The addresses that objects had in the saved state, by their current addresses. */
  #origins: ReadonlyMap<string, string>;
  readonly #displaced = new Set<string>();
  /** The objects to read. This list and the sets and maps below use the names that objects had when the plan began. */
  readonly #readable: readonly StateObject[];
  /** The reader of the objects. The reader uses the names that objects had when the plan began. */
  readonly refresher: Refresher;
  readonly #drifted = new Map<string, Refreshed>();
  readonly #unchecked = new Set<string>();
  readonly #found = new Set<string>();
  #createBeforeDestroy: ReadonlySet<string> | undefined;
  #existing: ExistingObjects | undefined;
  /**
   * Decides whether an object is unchanged. The function is called after the first read of a collection, because the records of
   * the collection are then in memory.
   */
  isUnchanged: UnchangedTest | undefined = undefined;
  /** The moved objects at their current addresses, by the names that they had when the plan began. */
  readonly #moved = new Map<string, StateObject>();
  /**
   * The name that a moved object had when the plan began, by its current address. Undefined for an address that an object has
   * left.
   */
  readonly #former = new Map<string, string | undefined>();
  readonly #imported = new Map<string, Promise<Refreshed>>();

  /**
   * @param state the state after `moved` blocks
   * @param others the other stacks of the app; undefined for a configuration without an app
   * @param isDeclaredOnly whether to read only the current objects of declared resources
   */
  constructor(
    readonly run: StackRun,
    public state: State | undefined,
    readonly mode: PlanMode,
    readonly others?: OtherStacks,
    isDeclaredOnly = false,
  ) {
    this.identities = new Identities(run);
    this.containers = run.leftOut && new Containers(run, run.leftOut);
    this.#objects = objectsOf(hasErrors(run.diagnostics) ? undefined : state, run);
    this.#origins = run.previousAddresses;
    const { deposed } = this.#objects;
    const held = isDeclaredOnly ? this.managed : [...this.managed, ...managedOf(deposed)];
    if (!isDeclaredOnly)
      addProviders(
        run.graph,
        held.map(({ provider }) => provider),
      );
    const { graph, leftOut, restriction } = run;
    const { isDeclaredElsewhere } = run.context;
    const selecting = { graph, leftOut, restriction, isDeclaredElsewhere };
    this.targets = selectTargets(selecting, this.#objects, { destroys: mode === "destroy" });
    this.#readable = held.filter(
      (object) =>
        this.targets.isSelected(object.address) &&
        !(isDeclaredOnly && !run.graph.has(resourceAddress(object.resource))) &&
        !this.isForgotten(object) &&
        recoveryProblems(run.context.pendingRecovery, object.address).length === 0,
    );
    this.refresher = new Refresher(run, this.#readable);
    run.report(reportForeign(this.#objects.foreign, (resource) => this.isForgotten({ resource })));
  }

  /** The search for live objects that would make a create fail. The search is created on first use. */
  get existing(): ExistingObjects {
    this.#existing ??= new ExistingObjects(this);
    return this.#existing;
  }

  /** The objects of the state at their current addresses. */
  get objects(): StateObjects {
    return this.#objects;
  }

  /**
   * Returns whether the replacement of a resource is created before the old object is destroyed. `create_before_destroy`
   * requires this order for the resource and, as in Terraform, for all its dependencies.
   */
  createsBeforeDestroy(resource: string): boolean {
    this.#createBeforeDestroy ??= this.run.graph.closure(
      [...this.run.context.configuration.resources.values()].flatMap(({ address, lifecycle }) =>
        lifecycle.createBeforeDestroy ? [address] : [],
      ),
    );
    return this.#createBeforeDestroy.has(resource);
  }

  /** The managed objects, without deposed objects. */
  get managed(): StateObject[] {
    return managedOf(this.#objects.current);
  }

  /** Returns the managed object at an address. */
  heldAt(address: string): StateObject | undefined {
    this.#heldAt ??= new Map(this.managed.map((object) => [object.address, object]));
    return this.#heldAt.get(address);
  }

  /**
   * Returns the object at an address if it can move. Returns undefined if there is no object, or if a `removed` block forgets
   * the object.
   */
  movable(address: string): StateObject | undefined {
    const object = this.heldAt(address);
    return object === undefined || this.isForgotten(object) ? undefined : object;
  }

  /** Returns whether a visited resource has objects at addresses that it no longer declares. */
  hasSurplus(of: ResourceVisit): boolean {
    const held = this.#objects.current.get(of.declaration.address);
    return held?.some(({ address }) => !of.isDeclared(address)) === true;
  }

  /** Whether the state holds deposed objects, or objects of resources that this run does not declare. */
  get hasUndeclared(): boolean {
    const { current, deposed, foreign } = this.#objects;
    if (deposed.size > 0 || foreign.length > 0) return true;
    for (const [address, [object]] of current)
      if (object?.resource.mode === "managed" && !this.run.graph.has(address)) return true;
    return false;
  }

  /** Whether any object has moved since the plan began. */
  get hasMoved(): boolean {
    return this.#former.size > 0;
  }

  /** Returns whether a `removed` block only forgets the object. Steward does not read an object that it only forgets. */
  isForgotten({ resource }: Pick<StateObject, "resource">): boolean {
    return this.mode === "normal" && removalOf(this.run.context.configuration, resource)?.destroy === false;
  }

  /** Moves objects to new addresses, in the same way as `moved` blocks. */
  relocate({ moving, moves, displaced }: Relocation): void {
    this.state = relocate(this.state!, moving);
    this.#objects = objectsOf(this.state, this.run);
    this.#heldAt = undefined;
    const all = [...moves, ...displaced];
    const origins = new Map(this.#origins);
    const former = all.map(([from]) => this.#formerName(from));
    for (const [from] of all) {
      origins.delete(from);
      this.#displaced.delete(from);
      this.#former.set(from, undefined);
      this.steps.leave(from);
    }
    for (const [index, [from, to]] of all.entries()) {
      const origin = this.#origins.get(from) ?? from;
      if (origin !== to) origins.set(to, origin);
      const name = former[index];
      this.#former.set(to, name);
      if (name !== undefined) this.#moved.set(name, this.heldAt(to)!);
    }
    for (const to of displaced.values()) this.#displaced.add(to);
    this.#origins = origins;
    this.run.origins = origins;
    this.run.previousAddresses = new Map([...origins].filter(([to]) => !this.#displaced.has(to)));
  }

  #formerName(name: string): string | undefined {
    return this.#former.has(name) ? this.#former.get(name) : name;
  }

  /**
   * Starts the reads of all objects of a provider configuration. If the run is restricted to containers, the method
   * first looks up these containers.
   */
  read(provider: string): Resolution<"done" | "failed"> {
    const selected = this.containers?.select(provider, this.#objects.current.values());
    return continueWith(selected ?? ("done" as const), (outcome) => {
      this.refresher.start(provider, this.isUnchanged);
      return outcome;
    });
  }

  /** The objects that differ from the state, among the objects that the plan has read until now. */
  get drifted(): Refreshed[] {
    return [...this.#drifted].map(([name, refreshed]) => this.#placed(name, refreshed));
  }

  /** The names of objects that could not be read. */
  get unchecked(): string[] {
    const names = [...this.#unchecked].map((name) => {
      const object = this.#moved.get(name);
      return object === undefined ? name : nameOf(object);
    });
    return names.sort(compareNatural);
  }

  /**
   * Reports objects that could not be read, if no visit has reported them. A visit does not take place if a dependency failed.
   */
  async reportUnchecked(): Promise<void> {
    if (this.#found.size + this.steps.stayingCount === this.#readable.length) return;
    for (const object of this.#readable) {
      const name = nameOf(object);
      if (this.#found.has(name)) continue;
      await this.run.guard(object.address, async () => {
        const refreshed = await this.refresher.result(name);
        if (refreshed === undefined || !hasErrors(refreshed.diagnostics)) return "done";
        this.#unchecked.add(name);
        return this.run.report(refreshed.diagnostics);
      });
    }
  }

  /**
   * Returns the result of an object's read, by the current name of the object. Returns undefined if the run does not read the
   * object.
   */
  find(current: string): Resolution<Refreshed | undefined> {
    const name = this.#formerName(current);
    const result = name === undefined ? undefined : this.refresher.result(name);
    return result === undefined
      ? undefined
      : continueWith(result, (refreshed) => this.#placed(name!, this.#note(name!, refreshed)));
  }

  /** Starts the read of an object, by its current name. */
  begin(current: string): void {
    const name = this.#formerName(current);
    if (name !== undefined) this.refresher.result(name);
  }

  #note(name: string, refreshed: Refreshed): Refreshed {
    this.#found.add(name);
    if (hasErrors(refreshed.diagnostics)) this.#unchecked.add(name);
    const isMoved = this.mode === "refresh-only" && this.run.previousAddresses.has(name);
    if (isMoved || !isAsStored(this.run, refreshed)) this.#drifted.set(name, refreshed);
    return refreshed;
  }

  /** Returns the result of a read, with the object at its current address. */
  #placed(name: string, refreshed: Refreshed): Refreshed {
    const object = this.#moved.get(name);
    return object === undefined ? refreshed : { ...refreshed, object };
  }

  /** Returns the object that an instance imports. Each object is read only once. */
  imported(of: InstanceContext, target: ImportTarget): Promise<Refreshed> {
    return once(this.#imported, of.instance.address, () => importForPlan(of, target));
  }

  /**
   * Returns the object of an instance. If the state does not contain the object, returns the object of the instance's `import`
   * block.
   */
  forInstance(of: InstanceContext, target: ImportTarget | undefined): Resolution<Refreshed | undefined> {
    const found = this.find(of.instance.address);
    if (target === undefined) return found;
    return continueWith(found, (refreshed) => refreshed ?? this.imported(of, target));
  }
}
