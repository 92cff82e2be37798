import { type Diagnostic, hasErrors } from "../../diagnostics";
import type { Resolution } from "../../framework";
import {
  DYNAMIC,
  fromPlain,
  impliedType,
  type ResourceDeclaration,
  resourceAddress,
  unknown,
  type Value,
} from "../../language";
import { isDeclared, type ValueObject } from "../../schema";
import type { State } from "../../state";
import { managedDependencies, type Node } from "../declarations/declarations";
import type { Visited, VisitOutcome } from "../declarations/walk";
import { type StateObject, stateOf } from "../objects/objects";
import { Refresher } from "../objects/refresh";
import { moveObjects } from "../plan/moves";
import { PlanGraph } from "../plan/plan-graph";
import type { CoverageScan, DriftReport } from "../results/drift";
import { FleetSelectors } from "../selection/fleet-selectors";
import { checkVariable } from "../stack-run/conditions";
import type { RunContext } from "../stack-run/context";
import { aggregate, expand, type Instance, type InstanceKey, instanceConfig } from "../stack-run/instances";
import {
  interruptedRead,
  limitsOfWalk,
  type StackRun,
  type Visitor,
  visitNode,
  walkGuarded,
  withRun,
} from "../stack-run/stack-run";
import { readData } from "../steps/data-sources";
import { validateConfiguration } from "../validate/validate-configuration";
import { Coverage, type DriftOptions } from "./coverage";
import { type Declared, type DeclaredInstance, Drift, type DriftAccess, renamedObjects } from "./found-drift";

/** Finds changes of declared objects that were made on the service. Writes nothing. */
export function detectDrift(
  context: RunContext,
  state: State | undefined,
  options: DriftOptions = {},
): Promise<DriftReport> {
  return withRun(context, (run) => {
    run.report(validateConfiguration(context));
    const moved = moveObjects(state, run);
    const scanned = options.coverage ? new Coverage(options) : undefined;
    return new Detector(run, moved.state, scanned).detect(options);
  });
}

class Detector {
  readonly #plan: PlanGraph;
  readonly #drift: Drift;
  /** Declared instances that have no object in the state. */
  readonly #missing: DeclaredInstance[] = [];
  /** Objects of declared resources, if `count` or `for_each` no longer contains the key of the object. */
  readonly #surplus: StateObject[] = [];
  /** The errors of unreadable data sources. The key is the id of a node that depends on the data source. */
  readonly #unread = new Map<string, readonly Diagnostic[]>();

  constructor(
    private readonly run: StackRun,
    state: State | undefined,
    private readonly coverage: Coverage | undefined,
  ) {
    this.#plan = new PlanGraph(run, state, "refresh-only", undefined, true);
    this.#drift = new Drift(run);
  }

  async detect(access: DriftAccess): Promise<DriftReport> {
    const { run } = this;
    const { context, graph, diagnostics } = run;
    if (!hasErrors(diagnostics)) {
      const nodes = this.#plan.targets.graph(graph);
      await walkGuarded(run, nodes, (id, node) => this.#visit(id, node), limitsOfWalk(run));
      await this.#checkRenamed();
      const held = this.#plan.managed.map(({ resource }) => resource);
      if (context.configuration.fleets.size > 0) run.report(await new FleetSelectors(run).check(held));
    }
    run.report(this.#plan.targets.unknown);
    if (context.stop?.aborted) run.report([interruptedRead()]);
    const scans = context.stop?.aborted ? [] : await this.#scan();
    await run.blameToken(() => this.#drift.checked);
    return this.#drift.report({ dependencies: managedDependencies(graph), scans }, access);
  }

  async #scan(): Promise<readonly CoverageScan[]> {
    // An undeclared object of the state also counts as declared, because the next apply deletes it.
    for (const { provider, resource, instance } of this.#plan.managed) {
      this.coverage?.declare(provider, { type: resource.type, config: {}, state: stateOf(instance) });
    }
    return (await this.coverage?.scan(this.run)) ?? [];
  }

  #visit(id: string, node: Node): Resolution<Visited> {
    const dependency = this.run.graph.dependenciesOf(id).find((other) => this.#unread.has(other));
    if (dependency !== undefined) this.#unread.set(id, this.#unread.get(dependency)!);
    return visitNode(this.run, this.#visitor, id, node);
  }

  /** The functions that visit the nodes of the graph. Checks and outputs have no function, because they have no drift. */
  readonly #visitor: Visitor = {
    variable: ({ declaration }) => this.run.report(checkVariable(this.run, declaration)),
    provider: async ({ key, declaration }) => {
      const outcome = this.run.visitProvider({ key, declaration });
      if (outcome === "done") await this.#plan.read(key);
      return outcome;
    },
    // Each visit counts as done. If a dependency can't be read, its dependents are still compared.
    resource: async ({ declaration }, address): Promise<VisitOutcome> => {
      if (declaration.check !== undefined) return "done";
      if (declaration.mode === "data")
        await readData(this.run, declaration, (found) => this.#unread.set(address, found));
      else await this.#visitManaged(address, declaration);
      return "done";
    },
  };

  async #visitManaged(address: string, declaration: ResourceDeclaration): Promise<void> {
    const { leftOut, evaluation } = this.run;
    const { instances, diagnostics } = expand(declaration, evaluation);
    const live = new Map<InstanceKey, ValueObject>();
    const unread = this.#unread.get(address);
    if (unread !== undefined && hasErrors(diagnostics)) await this.#leaveUnchecked(address, unread);
    else this.run.report(diagnostics);
    this.#plan.containers?.leave(declaration, instances);
    if (!hasErrors(diagnostics)) this.#surplus.push(...this.#surplusOf(address, instances));
    for (const instance of instances) {
      if (leftOut?.has(instance.address) === true) continue;
      const refreshed = await this.#plan.find(instance.address);
      if (refreshed === undefined) {
        this.#missing.push({ declaration, instance });
        this.#declare(declaration, instance);
        continue;
      }
      await this.#drift.check(refreshed, () => this.#declared({ declaration, instance }));
      live.set(instance.key, refreshed.before.attributes);
    }
    // The value is created on first use, because most objects are never referenced.
    evaluation.setLazily(address, () => this.#valueOf(declaration, live));
  }

  #valueOf(declaration: ResourceDeclaration, live: ReadonlyMap<InstanceKey, ValueObject>): Value {
    const type = impliedType(this.run.schema(declaration).attributes);
    const values = new Map([...live].map(([key, one]) => [key, fromPlain(one, type)]));
    return aggregate(declaration, values) ?? unknown(DYNAMIC);
  }

  #surplusOf(address: string, instances: readonly Instance[]): readonly StateObject[] {
    const held = this.#plan.objects.current.get(address) ?? [];
    const declared = new Set(instances.map((instance) => instance.address));
    return held.filter((object) => !declared.has(object.address));
  }

  /**
   * Records that the objects of a resource were not compared, because the instances of the resource are not known. `why`
   * contains the errors of a dependency.
   */
  async #leaveUnchecked(address: string, why: readonly Diagnostic[]): Promise<void> {
    for (const object of this.#plan.objects.current.get(address) ?? []) {
      const found = (await this.#plan.find(object.address))?.diagnostics ?? [];
      this.#drift.leaveUnchecked(object, this.run.report(found) === "failed" ? found : why);
    }
  }

  /**
   * Compares renamed objects with the service. A renamed object has one address in the state and another address in the
   * configuration.
   */
  async #checkRenamed(): Promise<void> {
    const { run } = this;
    const orphans = this.#plan.managed.filter(({ resource }) => !run.graph.has(resourceAddress(resource)));
    const renamed = await renamedObjects(run, [...orphans, ...this.#surplus], this.#missing);
    const refresher = new Refresher(
      run,
      renamed.map(({ object }) => object),
    );
    for (const key of new Set(renamed.map(({ object }) => object.provider))) refresher.start(key);
    for (const one of renamed) {
      const refreshed = await refresher.result(one.instance.address);
      if (refreshed !== undefined) await this.#drift.check(refreshed, () => this.#declared(one));
    }
  }

  /**
   * Records a declared instance for the scan for undeclared objects. The object of this instance can exist on the service
   * although the state does not contain it.
   */
  #declare(declaration: ResourceDeclaration, instance: Instance): void {
    if (this.coverage === undefined) return;
    const { config, diagnostics } = instanceConfig(this.run, declaration, instance);
    if (hasErrors(diagnostics)) return;
    this.coverage.declare(declaration.provider, { type: declaration.type, config, state: undefined });
  }

  #declared({ declaration, instance }: DeclaredInstance): Declared {
    const { config, diagnostics } = instanceConfig(this.run, declaration, instance);
    this.run.report(diagnostics);
    return {
      by: { declaration, config },
      isDeclared: (attribute, name) => isDeclared(attribute, config[name]),
    };
  }
}
