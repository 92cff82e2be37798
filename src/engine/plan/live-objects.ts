import { hasErrors } from "../../diagnostics";
import { type Resolution, whenKnown } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import { compareNatural } from "../../text";
import type { PlanMode } from "../model/plan";
import type { Instance } from "../run/instances";
import { nameOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { type Refreshed, Refresher } from "../steps/refresh";
import { isAsStored } from "../steps/state-instance";
import { importForPlan } from "./existing-objects";
import type { ImportTarget, ImportTargets } from "./import-targets";

/** The live objects of a state, and which of them differ from the state. */
export class LiveObjects {
  readonly #refresher: Refresher;
  readonly #drifted = new Map<string, Refreshed>();
  readonly #unchecked = new Set<string>();
  readonly #found = new Set<string>();
  readonly #imported = new Map<string, Promise<Refreshed>>();

  constructor(
    private readonly run: StackRun,
    private objects: readonly StateObject[],
    private readonly mode: PlanMode,
  ) {
    this.#refresher = new Refresher(run, objects);
  }

  /** Starts the reads of all objects of a provider configuration. */
  start(provider: string): void {
    this.#refresher.start(provider);
  }

  /** The objects read so far that differ from the state. */
  get drifted(): Refreshed[] {
    return [...this.#drifted.values()];
  }

  /** The names of objects that could not be read. */
  get unchecked(): string[] {
    return [...this.#unchecked].sort(compareNatural);
  }

  /**
   * Reports objects that could not be read and that no visit has reached, such as those behind a failed one.
   */
  async reportUnchecked(): Promise<void> {
    if (this.#found.size === this.objects.length) return;
    for (const object of this.objects) {
      const name = nameOf(object);
      if (this.#found.has(name)) continue;
      await this.run.guard(object.address, async () => {
        const refreshed = await this.#refresher.result(name);
        if (refreshed === undefined || !hasErrors(refreshed.diagnostics)) return "done";
        this.#unchecked.add(name);
        return this.run.report(refreshed.diagnostics);
      });
    }
  }

  /** The result of an object's read; undefined if it is not read. */
  find(name: string): Resolution<Refreshed | undefined> {
    const result = this.#refresher.result(name);
    return result === undefined ? undefined : whenKnown(result, (refreshed) => this.#note(name, refreshed));
  }

  #note(name: string, refreshed: Refreshed): Refreshed {
    this.#found.add(name);
    if (hasErrors(refreshed.diagnostics)) this.#unchecked.add(name);
    const isMoved = this.mode === "refresh-only" && this.run.previousAddresses.has(name);
    if (isMoved || !isAsStored(this.run, refreshed)) this.#drifted.set(name, refreshed);
    return refreshed;
  }

  /**
   * Updates moved objects.
   *
   * @param objects the objects by their previous names
   */
  relocate(objects: ReadonlyMap<string, StateObject>): void {
    this.#refresher.relocate(objects);
    this.objects = this.objects.map((object) => objects.get(nameOf(object)) ?? object);
    for (const names of [this.#unchecked, this.#found]) {
      const renamed = [...objects].filter(([before]) => names.delete(before));
      for (const [, object] of renamed) names.add(nameOf(object));
    }
    const found = [...objects].flatMap(([before, object]) => {
      const refreshed = this.#drifted.get(before);
      return refreshed === undefined ? [] : [{ ...refreshed, object }];
    });
    for (const before of objects.keys()) this.#drifted.delete(before);
    for (const refreshed of found) this.#drifted.set(nameOf(refreshed.object), refreshed);
  }

  /** The object of an instance's import, read once. */
  imported(declaration: ResourceDeclaration, instance: Instance, target: ImportTarget): Promise<Refreshed> {
    const known = this.#imported.get(instance.address);
    if (known !== undefined) return known;
    const found = importForPlan(this.run, declaration, instance, target);
    this.#imported.set(instance.address, found);
    return found;
  }

  /** The object of an instance: from the state, or from its `import` block. */
  forInstance(
    declaration: ResourceDeclaration,
    instance: Instance,
    { targets }: ImportTargets,
  ): Resolution<Refreshed | undefined> {
    const found = this.find(instance.address);
    const target = targets.get(instance.address);
    if (target === undefined) return found;
    return whenKnown(found, (refreshed) => refreshed ?? this.imported(declaration, instance, target));
  }
}
