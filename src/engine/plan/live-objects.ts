import { hasErrors } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import type { PlanMode } from "../model/plan";
import type { Instance } from "../run/instances";
import { nameOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { isAsStored } from "../steps/change-metadata";
import { type Refreshed, Refresher } from "../steps/refresh";
import { importForPlan } from "./import-for-plan";
import type { ImportTargets } from "./import-targets";

/** The objects of a state as they are on the service, and which of them are not as the state has them. */
export class LiveObjects {
  readonly #run: StackRun;
  #objects: readonly StateObject[];
  readonly #mode: PlanMode;
  readonly #refresher: Refresher;
  readonly #drifted = new Map<string, Refreshed>();
  readonly #unchecked = new Set<string>();
  readonly #imported = new Map<string, Promise<Refreshed>>();

  constructor(run: StackRun, objects: readonly StateObject[], mode: PlanMode) {
    this.#run = run;
    this.#objects = objects;
    this.#mode = mode;
    this.#refresher = new Refresher(run, objects);
  }

  /** Begins the reads of all objects of one provider configuration. */
  start(provider: string): void {
    this.#refresher.start(provider);
  }

  /** Those looked up so far that are not on the service as the state has them. */
  get drifted(): Refreshed[] {
    return [...this.#drifted.values()];
  }

  /** The names of those that could not be looked at. */
  get unchecked(): string[] {
    return [...this.#unchecked].sort();
  }

  /** Tells of the objects that nobody came to plan, such as those behind one that failed, and that could not be read. */
  async tellUnchecked(): Promise<void> {
    for (const object of this.#objects) {
      const name = nameOf(object);
      if (this.#unchecked.has(name)) continue;
      await this.#run.guard(object.address, async () => {
        const refreshed = await this.#refresher.result(name);
        if (refreshed === undefined || !hasErrors(refreshed.diagnostics)) return "done";
        this.#unchecked.add(name);
        return this.#run.report(refreshed.diagnostics);
      });
    }
  }

  /** What came of the read of an object, by its name; nothing where it is not read. */
  async find(name: string): Promise<Refreshed | undefined> {
    const refreshed = await this.#refresher.result(name);
    if (refreshed === undefined) return undefined;
    if (hasErrors(refreshed.diagnostics)) this.#unchecked.add(name);
    const isTold = this.#mode === "refresh-only" && this.#run.previousAddresses.has(name);
    if (isTold || !isAsStored(this.#run, refreshed)) this.#drifted.set(name, refreshed);
    return refreshed;
  }

  /** Objects have other addresses by now: by the name that they had. */
  relocate(objects: ReadonlyMap<string, StateObject>): void {
    this.#refresher.relocate(objects);
    this.#objects = this.#objects.map((object) => objects.get(nameOf(object)) ?? object);
    const unchecked = [...objects].filter(([before]) => this.#unchecked.delete(before));
    for (const [, object] of unchecked) this.#unchecked.add(nameOf(object));
    const found = [...objects].flatMap(([before, object]) => {
      const refreshed = this.#drifted.get(before);
      return refreshed === undefined ? [] : [{ ...refreshed, object }];
    });
    for (const before of objects.keys()) this.#drifted.delete(before);
    for (const refreshed of found) this.#drifted.set(nameOf(refreshed.object), refreshed);
  }

  /** The object that an instance is imported from; it is looked up once. */
  imported(declaration: ResourceDeclaration, instance: Instance, id: string): Promise<Refreshed> {
    const known = this.#imported.get(instance.address);
    if (known !== undefined) return known;
    const found = importForPlan(this.#run, declaration, instance, id);
    this.#imported.set(instance.address, found);
    return found;
  }

  /** What there is of an instance: the object of the state, or one that an `import` block takes over. */
  async ofInstance(declaration: ResourceDeclaration, instance: Instance, { ids }: ImportTargets) {
    const refreshed = await this.find(instance.address);
    const id = ids.get(instance.address);
    if (refreshed !== undefined || id === undefined) return refreshed;
    return this.imported(declaration, instance, id);
  }
}
