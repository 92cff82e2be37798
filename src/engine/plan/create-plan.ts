import { type Diagnostic, hasErrors } from "../../diagnostics";
import type { Neighbour, Resolution } from "../../framework";
import { resourceAddress } from "../../language";
import type { FleetRecord, State } from "../../state";
import type { DeclaredResource, Node } from "../declarations/declarations";
import type { Graph } from "../declarations/graph";
import { type Outcomes, RevisitAfter, type Visited } from "../declarations/walk";
import { learnContainers } from "../objects/identities";
import { nameOf } from "../objects/objects";
import { moveRecoveryProblems } from "../recovery/pending-recovery";
import type { PlanMode } from "../results/plan";
import { FleetSelectors } from "../selection/fleet-selectors";
import { checkBlock, checkVariable } from "../stack-run/conditions";
import type { RunContext } from "../stack-run/context";
import { evaluateOutput } from "../stack-run/outputs";
import {
  limitsOfWalk,
  type StackRun,
  type Visitor,
  visitNode,
  walkGuarded,
  withRun,
} from "../stack-run/stack-run";
import type { StackOfApp } from "../stacks/app-stacks";
import { OtherStacks } from "../stacks/other-stacks";
import { type ExecutablePlan, isChange, isStateChange, type Step } from "../steps/steps";
import { validateConfiguration } from "../validate/validate-configuration";
import { checkReplacedAddresses, checkRequests, refuseLeftOutDependencies } from "./check-requests";
import { refuseDisputed } from "./declared-objects";
import { describePlan } from "./describe-plan";
import { type Leaving, LeavingObjects, stepOf } from "./leaving-objects";
import { LeavingSteps, type RelationsOf } from "./leaving-steps";
import { moveObjects } from "./moves";
import { PlanGraph } from "./plan-graph";
import { type EvaluatedOutput, planResult } from "./plan-result";
import type { ResourceVisit } from "./planned-steps";
import { ResourceVisits } from "./resource-visits";
import { compareWithStacks, decideHandOvers } from "./stack-relations";
import { checkMovesTargeted } from "./verdict-messages";
import { visitExisting } from "./visit-existing";

/**
 * Returns the names of undeclared objects that the plan leaves unchanged, such as objects that can't be read. A declaration may
 * still become the owner of an unchanged object.
 */
function leftBehind({ run, mode, managed, steps }: PlanGraph, visits: ResourceVisits): ReadonlySet<string> {
  if (mode !== "normal") return new Set();
  const { resources } = run.context.configuration;
  const left = managed.filter((object) => {
    if (steps.has(nameOf(object))) return false;
    const resource = resourceAddress(object.resource);
    return !resources.has(resource) || visits.get(resource)?.isDeclared(object.address) === false;
  });
  return new Set(left.map(nameOf));
}

/**
 * Refreshes the objects, and plans the changes that an apply of the configuration makes. A problem with a single object is
 * reported, and the plan excludes that object. A plan with invalid declarations can't be applied.
 */
export function createPlan(
  context: RunContext,
  state: State | undefined,
  mode: PlanMode = "normal",
  stackOfApp?: StackOfApp,
): Promise<ExecutablePlan> {
  return withRun(context, (run) => {
    run.report(validateConfiguration(context));
    const moved = moveObjects(state, run);
    run.report(moved.diagnostics);
    run.report(moveRecoveryProblems(context.pendingRecovery, moved.previousAddresses));
    if (mode !== "destroy") run.previousAddresses = moved.previousAddresses;
    return new Planner(run, state, moved.state, mode, stackOfApp).plan();
  });
}

/** Returns whether a walk will still visit a resource. */
const isStillPlanned = (graph: Graph<Node>, resource: string, ended: Outcomes): boolean =>
  graph.has(resource) && (ended.size === 0 || ![...graph.closure([resource])].some((id) => ended.has(id)));

const managedAddresses = (steps: readonly Step[]): readonly string[] =>
  steps.filter(({ change }) => change.mode === "managed").map(({ change }) => change.address);

const NO_FLEETS: ReadonlyMap<string, FleetRecord> = new Map();
const NOTHING_RELEASED: ReadonlyMap<string, string> = new Map();
const NO_RELATIONS: ReadonlyMap<string, readonly Neighbour[]> = new Map();

class Planner {
  readonly #plan: PlanGraph;
  #leaving: LeavingObjects | undefined;
  readonly #visits: ResourceVisits;
  readonly #outputs = new Map<string, EvaluatedOutput>();

  constructor(
    private readonly run: StackRun,
    private readonly state: State | undefined,
    movedState: State | undefined,
    private readonly mode: PlanMode,
    private readonly stackOfApp: StackOfApp | undefined,
  ) {
    const others = stackOfApp && new OtherStacks(run, stackOfApp, mode);
    this.#plan = new PlanGraph(run, movedState, mode, others);
    this.#visits = new ResourceVisits(this.#plan);
    run.report(checkReplacedAddresses(run.context.replace));
    const isSelected = (address: string) => this.#plan.targets.isSelected(address);
    run.report(checkMovesTargeted(run.restriction, run.previousAddresses, isSelected));
  }

  async plan(): Promise<ExecutablePlan> {
    const { context, graph, diagnostics } = this.run;
    const isWalked = !hasErrors(diagnostics);
    const plan = this.#plan;
    if (isWalked) {
      await this.#walk(plan.targets.graph(graph));
      refuseDisputed(plan);
      const released = await this.#decideLeaving();
      if (this.mode === "normal" && (plan.others !== undefined || released.size > 0))
        await decideHandOvers(plan, released);
      if (this.mode === "normal" && this.run.leftOut !== undefined)
        this.run.report(refuseLeftOutDependencies(plan, this.#visits));
      if (!context.failFast) await plan.reportUnchecked();
      const { replace = [], targets = [], excludes = [] } = context;
      if (replace.length + targets.length + excludes.length > 0)
        this.run.report(checkRequests(plan, this.#visits));
      if (this.mode === "normal" && context.configuration.fleets.size > 0)
        this.run.report(await this.#unmatchedSelectors());
      // Pending recoveries are reported even if the run leaves out their objects.
      this.run.report(context.pendingRecovery?.diagnostics ?? []);
    }
    this.run.report(plan.targets.unknown);
    await this.run.blameToken(() => managedAddresses(plan.steps.all));
    const described = isWalked && this.mode !== "refresh-only" ? await describePlan(plan) : {};
    return planResult(plan, {
      priorState: this.state,
      leftBehind: leftBehind(plan, this.#visits),
      foundFleets: this.#leaving?.foundFleets ?? NO_FLEETS,
      isWalked,
      outputs: this.#outputs,
      described,
    });
  }

  #unmatchedSelectors(): Promise<readonly Diagnostic[]> {
    return new FleetSelectors(this.run).check(this.#plan.managed.map(({ resource }) => resource));
  }

  /**
   * Decides about leaving objects, and about the objects that replacements delete. If some declarations were not
   * planned, a decision is needed even without leaving or replaced objects.
   *
   * @returns addresses of leaving objects, by the declarations that have parts of these objects
   */
  async #decideLeaving(): Promise<ReadonlyMap<string, string>> {
    const plan = this.#plan;
    const leaving = await this.#leavingObjects();
    const replaced = plan.steps.takeReplacements();
    const isPartial = plan.blocked.size > 0 || this.run.restriction !== undefined;
    if (this.mode === "refresh-only" || (leaving.length + replaced.length === 0 && !isPartial)) {
      await this.#compareWithStacks([]);
      return NOTHING_RELEASED;
    }
    const steps = new LeavingSteps(plan, this.#compareWithStacks, () => leftBehind(plan, this.#visits));
    await steps.decideAll(replaced, leaving, this.#visits);
    return steps.released;
  }

  /** Refuses declared objects that another stack has. Returns the relations of all objects to objects of other stacks. */
  readonly #compareWithStacks: RelationsOf = async (leaving) => {
    // Paths are looked up first, because one stack can name a container by its path, and another stack by its id.
    await learnContainers(this.run, [...this.#shown(), ...leaving]);
    return this.stackOfApp === undefined
      ? NO_RELATIONS
      : compareWithStacks(this.#plan, this.stackOfApp, leaving);
  };

  async #leavingObjects(): Promise<readonly Leaving[]> {
    const { hasMoved, hasUndeclared } = this.#plan;
    if (this.#leaving === undefined && !hasMoved && !hasUndeclared) return [];
    return this.#leavingFound().all(
      hasMoved ? this.#visits.all : [],
      (resource, instance) => this.#visits.get(resource)?.isDeclared(instance) === true,
    );
  }

  /**
   * Returns the search for leaving objects. The search is created on first use, because most plans have no leaving
   * objects.
   */
  #leavingFound(): LeavingObjects {
    this.#leaving ??= new LeavingObjects(this.#plan);
    return this.#leaving;
  }

  /** Returns the changes that the plan shows to people. */
  #shown(): Parameters<typeof learnContainers>[1] {
    if (this.mode !== "refresh-only")
      return this.#plan.steps.planned.filter((step) => isChange(step) || isStateChange(step));
    return this.#plan.drifted.map(({ object: { resource, provider }, before }) => ({
      change: { ...resource, before: before.attributes, after: null },
      provider,
    }));
  }

  /** Visits all nodes. A node that waits for its object is visited again after all other nodes are planned. */
  async #walk(graph: Graph<Node>): Promise<void> {
    const { run } = this;
    this.#plan.walked = graph;
    const visit = (id: string, node: Node) => visitNode(run, this.#visitor, id, node);
    const outcomes = await walkGuarded(run, graph, visit, {
      ...limitsOfWalk(run),
      onIdle: (ended) => this.#visits.resolve((resource) => isStillPlanned(graph, resource, ended)),
    });
    for (const id of outcomes.keys()) this.#plan.blocked.add(id);
  }

  readonly #visitor: Visitor = {
    provider: (node) => {
      const outcome = this.run.visitProvider(node);
      return outcome === "done" ? this.#plan.read(node.key) : outcome;
    },
    output: ({ declaration }) => {
      const isOnlyWarning = this.mode !== "normal";
      const { value, diagnostics } = evaluateOutput(this.run, declaration, isOnlyWarning);
      this.#outputs.set(declaration.name, { value, sensitive: declaration.sensitive });
      return this.run.report(diagnostics);
    },
    variable: ({ declaration }) => this.run.report(checkVariable(this.run, declaration)),
    check: ({ declaration }, id) => {
      this.run.checks.expect("check", id);
      return this.mode === "destroy" ? "done" : this.run.report(checkBlock(this.run, declaration));
    },
    resource: (node, address) => this.#visitResource(address, node),
  };

  #visitResource(address: string, node: DeclaredResource): Resolution<Visited> {
    const { declaration } = node;
    if (this.mode !== "normal" && declaration.mode === "managed")
      return visitExisting(this.#plan, declaration, (object, live) =>
        this.#leavingFound().destroy(object, live),
      );
    // A destroy needs no data sources of checks.
    if (this.mode === "destroy" && declaration.check !== undefined) return "done";
    if (this.#visits.isStaying(address)) return "done";
    const visited = this.#visits.visit(address, node);
    return visited instanceof Promise
      ? visited.then((outcome) => this.#withSurplus(address, outcome))
      : this.#withSurplus(address, visited);
  }

  /**
   * Records expected removals of objects if a visited resource no longer has their instances. Data sources that depend on the
   * resource then wait for the apply.
   */
  #withSurplus(address: string, outcome: Visited): Resolution<Visited> {
    if (outcome instanceof RevisitAfter || this.#visits.isStaying(address)) return outcome;
    const visit = this.#visits.get(address);
    if (outcome === "waiting" || visit === undefined || !this.#plan.hasSurplus(visit)) return outcome;
    return this.#expectSurplus(visit).then(() => outcome);
  }

  async #expectSurplus(visit: ResourceVisit): Promise<void> {
    for (const one of await this.#leavingFound().surplus(visit)) {
      const step = stepOf(this.run, one);
      if (step !== undefined) this.#plan.steps.expect(step);
    }
  }
}
