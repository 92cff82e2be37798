import { type Diagnostic, hasErrors, mergeDiagnostics } from "../../diagnostics";
import type { ContainerSelection, Resolution } from "../../framework";
import {
  DYNAMIC,
  fromPlain,
  impliedType,
  type ResourceDeclaration,
  unknown,
  type Value,
} from "../../language";
import type { ValueObject } from "../../schema";
import type { State } from "../../state";
import { checkVariable } from "../checks/check-declarations";
import { planData } from "../data/plan-data";
import type { VisitOutcome } from "../graph/walk";
import type { CoverageScan, DriftReport, StoredObject, UncheckedObject } from "../model/drift";
import { moveObjects } from "../moves/move-objects";
import { blameToken } from "../run/blame-token";
import type { RunContext } from "../run/context";
import type { Node } from "../run/declarations";
import { managedDependencies } from "../run/dependencies";
import { instanceConfig } from "../run/instance-config";
import { aggregate, expand, type Instance, type InstanceKey } from "../run/instances";
import { objectsOf, type StateObject } from "../run/objects";
import { interruptedRead } from "../run/run-errors";
import { type StackRun, withRun } from "../run/stack-run";
import { selectTargets, type Targets } from "../run/targets";
import { limitsOfWalk, type Visitor, visitNode, walkGuarded } from "../run/visitor";
import type { KnownStack } from "../stacks/app-stacks";
import { type Refreshed, Refresher } from "../steps/refresh";
import { observedChange, storedObject } from "../steps/state-instance";
import { validateConfiguration } from "../validate/validate-configuration";
import { Coverage } from "./coverage";
import {
  accessOfDrift,
  type DeclaredInstance,
  type DriftAccess,
  declaredValues,
  driftedAttributes,
  type FoundDrift,
  renamedObjects,
  withPaths,
} from "./found-drift";

export interface DriftOptions extends DriftAccess {
  /** Also scan for live objects that are not declared. */
  readonly coverage?: boolean;
  /** With `coverage`: containers to scan besides those of the declarations. */
  readonly within?: readonly ContainerSelection[] | undefined;
  /**
   * With `coverage` and `within`: scan these containers alone, for what an app would declare: sets as a whole rather than
   * their entries, and settings that each container has.
   */
  readonly forAdoption?: boolean;
  /** With `coverage`: the other stacks of the app, of which those of other runs are not scanned. */
  readonly others?: (() => Promise<readonly KnownStack[]>) | undefined;
}

/** Finds changes of declared objects that were made outside of the configuration. Writes nothing. */
export function detectDrift(
  context: RunContext,
  state: State | undefined,
  { coverage = false, within, forAdoption = false, others, accessOf }: DriftOptions = {},
): Promise<DriftReport> {
  return withRun(context, (run) => {
    run.report(validateConfiguration(context));
    const moved = moveObjects(state, run);
    return new Detector(
      run,
      moved.state,
      coverage ? new Coverage(within, forAdoption, others) : undefined,
    ).detect(accessOf);
  });
}

class Detector {
  readonly #objects: ReadonlyMap<string, StateObject[]>;
  readonly #targets: Targets;
  readonly #refresher: Refresher;
  readonly #drifted: FoundDrift[] = [];
  readonly #checked: StoredObject[] = [];
  /** Declared instances that have no object in the state. */
  readonly #missing: DeclaredInstance[] = [];
  readonly #unchecked: UncheckedObject[] = [];
  /** Why values are not known, by the node that has them: a data source could not be read. */
  readonly #unread = new Map<string, readonly Diagnostic[]>();

  constructor(
    private readonly run: StackRun,
    state: State | undefined,
    private readonly coverage: Coverage | undefined,
  ) {
    this.#objects = hasErrors(run.diagnostics) ? new Map() : objectsOf(state, run).current;
    this.#targets = selectTargets(run, this.#objects);
    const declared = [...this.#objects]
      .filter(([address]) => run.graph.has(address))
      .flatMap(([, objects]) => objects)
      .filter(({ resource, address }) => resource.mode === "managed" && this.#targets.object(address));
    this.#refresher = new Refresher(run, declared);
  }

  async detect(accessOf: DriftAccess["accessOf"]): Promise<DriftReport> {
    const { context, graph, diagnostics } = this.run;
    if (!hasErrors(diagnostics)) {
      const limits = limitsOfWalk(this.run);
      await walkGuarded(this.run, this.#targets.graph(graph), (id, node) => this.#visit(id, node), limits);
      await this.#checkRenamed();
    }
    if (context.stop?.aborted) this.run.report([interruptedRead()]);
    const scans = context.stop?.aborted ? [] : await this.#scan();
    await blameToken(
      this.run,
      this.#checked.map(({ address }) => address),
    );
    const drifted = await withPaths(this.run, this.#drifted);
    const findings = { found: this.#drifted, drifted, unchecked: this.#unchecked };
    return {
      drifted,
      ...(await accessOfDrift(this.run, findings, accessOf)),
      objects: this.#checked,
      unchecked: this.#unchecked,
      dependencies: managedDependencies(this.run.graph),
      scans,
      diagnostics: mergeDiagnostics(this.run.diagnostics),
    };
  }

  async #scan(): Promise<readonly CoverageScan[]> {
    // An object of the state counts as managed even if it is not declared: the next apply deletes it.
    for (const object of [...this.#objects.values()].flat()) {
      const { attributes, private: bytes } = object.instance;
      const state = { attributes: attributes as ValueObject, private: bytes };
      if (object.resource.mode === "managed")
        this.coverage?.declare(object.provider, { type: object.resource.type, config: {}, state });
    }
    return (await this.coverage?.scan(this.run)) ?? [];
  }

  #visit(id: string, node: Node): Resolution<VisitOutcome> {
    const dependency = this.run.graph.dependenciesOf(id).find((other) => this.#unread.has(other));
    if (dependency !== undefined) this.#unread.set(id, this.#unread.get(dependency)!);
    return visitNode(this.run, this.#visitor, id, node);
  }

  /** Checks and outputs have no drift. */
  readonly #visitor: Visitor = {
    variable: ({ declaration }) => this.run.report(checkVariable(this.run, declaration)),
    provider: async ({ key, declaration }) => {
      const outcome = this.run.visitProvider(key, declaration, true);
      if (outcome === "done") await this.run.leftOut?.select(key, this.#objects.values());
      if (outcome === "done") this.#refresher.start(key);
      return outcome;
    },
    // If a dependency can't be read, its dependents are still compared: the state has their values.
    resource: async ({ declaration }, address): Promise<VisitOutcome> => {
      if (declaration.check !== undefined) return "done";
      if (declaration.mode === "data") await this.#visitData(address, declaration);
      else await this.#visitManaged(address, declaration);
      return "done";
    },
  };

  async #visitData(address: string, declaration: ResourceDeclaration): Promise<void> {
    const { instances, diagnostics } = expand(declaration, this.run.evaluation);
    const { attributes } = this.run.schema(declaration);
    const values = new Map<InstanceKey, Value>();
    await Promise.all(
      instances.map(async (instance) => {
        const { step, diagnostics: found } = await planData(this.run, declaration, instance, () => false);
        if (this.run.report(found) === "failed") this.#unread.set(address, found);
        const read = step?.change.after;
        const type = impliedType(attributes);
        values.set(instance.key, read == null ? unknown(type) : fromPlain(read, type));
      }),
    );
    this.run.report(diagnostics);
    this.run.evaluation.set(address, aggregate(declaration, values) ?? unknown(DYNAMIC));
  }

  async #visitManaged(address: string, declaration: ResourceDeclaration): Promise<void> {
    const { instances, diagnostics } = expand(declaration, this.run.evaluation);
    const { attributes } = this.run.schema(declaration);
    const values = new Map<InstanceKey, Value>();
    const unread = this.#unread.get(address);
    if (unread !== undefined && hasErrors(diagnostics)) await this.#leaveUnchecked(address, unread);
    else this.run.report(diagnostics);
    this.run.leftOut?.leave(declaration, instances);
    for (const instance of instances) {
      if (this.run.leftOut?.has(instance.address) === true) continue;
      const refreshed = await this.#refresher.result(instance.address);
      if (refreshed === undefined) {
        this.#missing.push({ declaration, instance });
        this.#declare(declaration, instance);
        continue;
      }
      await this.#check(declaration, instance, refreshed);
      values.set(instance.key, fromPlain(refreshed.before.attributes, impliedType(attributes)));
    }
    this.run.evaluation.set(address, aggregate(declaration, values) ?? unknown(DYNAMIC));
  }

  /** Objects of a resource whose instances are not known: the error of what they depend on says why. */
  async #leaveUnchecked(address: string, why: readonly Diagnostic[]): Promise<void> {
    for (const object of this.#objects.get(address) ?? []) {
      const found = (await this.#refresher.result(object.address))?.diagnostics ?? [];
      const diagnostics = this.run.report(found) === "failed" ? found : why;
      this.#unchecked.push({ object: storedObject(this.run, object), diagnostics });
    }
  }

  async #check(declaration: ResourceDeclaration, instance: Instance, refreshed: Refreshed): Promise<void> {
    const object = storedObject(this.run, refreshed.object);
    const { diagnostics: found } = refreshed;
    if (this.run.report(found) === "failed") {
      this.#unchecked.push({ object, diagnostics: found });
      return;
    }
    this.#checked.push(object);
    await this.#compare(declaration, instance, refreshed);
  }

  /**
   * Compares objects that are declared at a new address, before any apply has recorded the move in the state.
   */
  async #checkRenamed(): Promise<void> {
    const undeclared = [...this.#objects]
      .filter(([address]) => !this.run.graph.has(address))
      .flatMap(([, objects]) => objects)
      .filter(({ resource }) => resource.mode === "managed");
    const renamed = await renamedObjects(this.run, undeclared, this.#missing);
    const refresher = new Refresher(
      this.run,
      renamed.map(({ object }) => object),
    );
    for (const key of new Set(renamed.map(({ object }) => object.provider))) refresher.start(key);
    for (const { declaration, instance } of renamed) {
      const refreshed = await refresher.result(instance.address);
      if (refreshed !== undefined) await this.#check(declaration, instance, refreshed);
    }
  }

  /** A declared object that is not applied yet is not unmanaged. */
  #declare(declaration: ResourceDeclaration, instance: Instance): void {
    if (this.coverage === undefined) return;
    const { config, diagnostics } = instanceConfig(this.run, declaration, instance);
    if (hasErrors(diagnostics)) return;
    this.coverage.declare(declaration.provider, { type: declaration.type, config, state: undefined });
  }

  async #compare(declaration: ResourceDeclaration, instance: Instance, refreshed: Refreshed): Promise<void> {
    const { provider } = refreshed.object;
    const change = observedChange(this.run, refreshed);
    const { config, diagnostics } = instanceConfig(this.run, declaration, instance);
    this.run.report(diagnostics);
    const isGone = change.after === null;
    const attributes = isGone ? [] : driftedAttributes(change, config, declaration.lifecycle);
    if (!isGone && attributes.length === 0) return;
    // Of an object that is gone, a create writes everything that is declared.
    const compared = isGone ? Object.keys(change.attributes) : attributes;
    const declared = await declaredValues(this.run, declaration, refreshed, change, compared, config);
    const kind = isGone ? "vanished" : "changed";
    this.#drifted.push({ provider, drifted: { kind, change, attributes, declared }, refreshed });
  }
}
