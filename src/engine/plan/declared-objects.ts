import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  continueWith,
  type Decision,
  decide,
  type ExistingObject,
  HELD,
  NEW,
  type Neighbour,
  type ReplacedValues,
  type Resolution,
  type Row,
  type StoredState,
  type Verdict,
} from "../../framework";
import { resourceAddress } from "../../language";
import { isSameObject } from "../../schema";
import { containerOf } from "../objects/identities";
import { at } from "../objects/objects";
import type { Refreshed } from "../objects/refresh";
import { createRecoveryProblems, recoveryProblems } from "../recovery/pending-recovery";
import { type Action, isShown } from "../results/plan";
import { hasSamePaths, sensitivePathsOf } from "../results/redaction";
import { checkInstance, hasConditions } from "../stack-run/conditions";
import { preventDestroy } from "../steps/lifecycle";
import { type ProviderPlan, planChange } from "../steps/plan-change";
import { evaluateTriggers } from "../steps/replace-triggers";
import { changeOf, isChange, isObjectDelete, type PlannedStep, type Step } from "../steps/steps";
import { replacesExisting } from "./existing-objects";
import type { PlanGraph } from "./plan-graph";
import type { PlannedInstance, ResourceVisit } from "./planned-steps";

const NONE: readonly Diagnostic[] = [];
const NOBODY: readonly Neighbour[] = [];

const failed = (diagnostics: readonly Diagnostic[]): PlannedStep => ({ step: undefined, diagnostics });

/**
 * Plans a declared instance. Collects the facts about the object in a row of the decision table, and creates the step for the
 * table's verdict.
 */
export class InstancePlan {
  #isTriggered = false;
  #diagnostics = NONE;
  #neighbours = NOBODY;
  #row: Row;
  /** The decision for all facts that are known so far. */
  #decision: Decision | undefined;

  constructor(
    private readonly graph: PlanGraph,
    private readonly visit: ResourceVisit,
    private readonly of: PlannedInstance,
    private readonly refreshed: Refreshed | undefined,
  ) {
    this.#row = rowOf(refreshed);
  }

  plan(): Resolution<PlannedStep> {
    if (this.#decide(this.#known()) === "refuse") return failed(this.#diagnostics);
    return continueWith(this.#requestPlan(), (answer) => {
      const isComplete = answer.existing === undefined && this.refreshed?.live !== undefined;
      return isComplete || hasErrors(answer.diagnostics) ? this.#planned(answer) : this.#completed(answer);
    });
  }

  /**
   * Adds facts to the object's row, which is the input of the decision table. Returns the verdict of the table for all
   * facts that are already known.
   */
  #decide(columns: Partial<Row>): Verdict {
    if (columns !== NO_COLUMNS) this.#row = { ...this.#row, ...columns };
    const first = decide(this.#row, this.#neighbours);
    // An import first adds the object to the state. The plan then compares the object.
    const isImport =
      first.verdict === "adopt" && (first.why === "import block" || first.why === "--import-existing");
    this.#decision = isImport ? decide({ ...this.#row, held: "here" }, this.#neighbours) : first;
    return this.#decision.verdict;
  }

  /**
   * Returns the facts that are known before the provider plans, and collects the diagnostics of recovery, read, preconditions and
   * triggers.
   */
  #known(): Partial<Row> {
    const { run, declaration, address } = this.of;
    const open = recoveryProblems(run.context.pendingRecovery, address);
    if (open.length > 0) {
      this.#diagnostics = open;
      return OPEN;
    }
    const read = this.refreshed?.diagnostics ?? NONE;
    const { preconditions, replaceTriggeredBy } = declaration.lifecycle;
    this.#diagnostics =
      preconditions.length === 0 ? read : joined(read, checkInstance(this.of, "precondition"));
    if (hasErrors(read)) return UNREADABLE;
    if (hasErrors(this.#diagnostics)) return FAILED;
    const body = this.of.config;
    this.#diagnostics = joined(this.#diagnostics, body.diagnostics);
    if (hasErrors(body.diagnostics)) return FAILED;
    const triggers =
      replaceTriggeredBy.length === 0
        ? NOT_TRIGGERED
        : evaluateTriggers(this.of, (resource) => this.graph.steps.of(resource));
    const invalid = at(body.invalid, address, declaration.construct);
    this.#diagnostics = joined(this.#diagnostics, invalid, triggers.diagnostics);
    this.#isTriggered = triggers.isTriggered;
    return hasErrors(this.#diagnostics) ? FAILED : NO_COLUMNS;
  }

  /**
   * Whether the plan reads live objects that the state does not hold. A plan without a refresh does not read objects that are not
   * in the state.
   */
  get #readsLive(): boolean {
    const { refresh, canFindExisting, stop } = this.of.run.context;
    return refresh !== false && canFindExisting !== false && stop?.aborted !== true;
  }

  #requestPlan(): Resolution<ProviderPlan> {
    const { run, address, config } = this.of;
    return planChange(this.of, {
      live: this.refreshed?.live,
      tainted: this.refreshed?.object.instance.status === "tainted",
      isForced: this.#isTriggered || run.context.replace?.includes(address) === true,
      config: config.config,
      existing: this.#readsLive ? "tell" : undefined,
    });
  }

  /**
   * Returns the step of a new object. First checks whether a live object blocks the create, and which live values the create
   * replaces.
   */
  async #completed(answer: ProviderPlan): Promise<PlannedStep> {
    const existing = answer.existing && (await this.#planExisting(answer, answer.existing));
    if (existing !== undefined) return existing;
    if (this.refreshed?.live !== undefined) return this.#planned(answer);
    const replaced = await this.#replacedValues(answer.planned!);
    if (replaced === undefined) return this.#planned(answer);
    const { private: bytes, observed = answer.observed, diagnostics: found = [], ...shown } = replaced;
    const planned = bytes === undefined ? answer.planned! : { ...answer.planned!, private: bytes };
    const diagnostics = [...answer.diagnostics, ...found];
    return this.#planned({ ...answer, planned, diagnostics, ...(observed && { observed }) }, shown);
  }

  /**
   * Returns the plan of a new object if a live object blocks its create. Returns undefined if the plan still creates the
   * object.
   */
  async #planExisting(answer: ProviderPlan, found: ExistingObject): Promise<PlannedStep | undefined> {
    const { run, declaration, address } = this.of;
    const { construct } = declaration;
    const isReplaced = this.refreshed?.live !== undefined;
    // If an interrupted run may have created the live object, `#planned` reports the pending recovery instead.
    const { pendingRecovery } = run.context;
    if (
      !isReplaced &&
      pendingRecovery !== undefined &&
      createRecoveryProblems(pendingRecovery, this.#step(answer, "create").change).length > 0
    )
      return undefined;
    const place = await this.graph.existing.placeOf(this.of, found, answer.planned!, isReplaced);
    // The decision about the new object of a replacement is separate. It uses a row that says `held: "no"`.
    const { verdict, why } = decide({ ...NEW, ...place.columns }, place.neighbours);
    if (verdict === "refuse") return failed(at([place.problem], address, construct));
    if (why !== "--import-existing") {
      if (!isReplaced) this.#neighbours = place.neighbours;
      return undefined;
    }
    const again = new InstancePlan(this.graph, this.visit, this.of, place.imported);
    if (again.#decide(again.#known()) === "refuse") return failed(again.#diagnostics);
    const imported = await again.#requestPlan();
    // The plan does not import an object that it would then replace, because the replacement would delete it.
    if (imported.replaceReason === undefined || hasErrors(imported.diagnostics))
      return again.#planned(imported);
    return failed(at([replacesExisting(found)], address, construct));
  }

  /** Returns the live values that a create replaces, without sensitive values. A plan without a refresh reads nothing. */
  async #replacedValues(planned: StoredState): Promise<ReplacedValues | undefined> {
    const { run, declaration } = this.of;
    const { config, sensitive } = this.of.config;
    const { type, provider } = declaration;
    const { replacedValues: read } = run.configured(provider);
    if (read === undefined || !this.#readsLive) return undefined;
    const found = await read({ type, config, private: planned.private });
    if (found?.live === undefined) return found;
    const shown = Object.entries(found.live).filter(
      ([name]) => !sensitive.some(([hidden]) => hidden === undefined || hidden === name),
    );
    return shown.length === 0 ? undefined : { ...found, live: Object.fromEntries(shown) };
  }

  /** Returns the step of an object that the provider has planned. Evaluates the postconditions with the planned values. */
  #planned(answer: ProviderPlan, replaced?: ReplacedValues): PlannedStep {
    const { run, declaration, address } = this.of;
    const diagnostics = joined(this.#diagnostics, at(answer.diagnostics, address, declaration.construct));
    const verdict = this.#decide(hasErrors(diagnostics) ? FAILED : DIFFERING[this.#difference(answer)]);
    if (verdict === "refuse") return failed(diagnostics);
    const step = this.#step(answer, verdict, replaced);
    const { change, sensitive } = step;
    if (verdict === "no-op" && !hasConditions(declaration.lifecycle)) return { step, diagnostics };
    const { pendingRecovery } = run.context;
    const open = pendingRecovery === undefined ? NONE : createRecoveryProblems(pendingRecovery, change);
    const prevented = isObjectDelete(step) ? preventDestroy(run, declaration, change) : NONE;
    const after =
      declaration.lifecycle.postconditions.length === 0
        ? NONE
        : checkInstance(this.of, "postcondition", { values: change.after, sensitive });
    const refusal = hasErrors(prevented) ? PREVENTED : NO_COLUMNS;
    return {
      // As under Terraform, the plan shows a step with a failed postcondition.
      step: this.#decide(open.length > 0 ? OPEN : refusal) === "refuse" ? undefined : step,
      diagnostics: joined(diagnostics, open, prevented, after),
    };
  }

  /** Returns, for the decision table, how the planned object differs from the live object. */
  #difference({ planned: after, replaceReason }: ProviderPlan): Row["difference"] {
    const before = this.refreshed?.live;
    if (before === undefined) return "none";
    if (replaceReason !== undefined) return "replace";
    const { run, declaration, config } = this.of;
    const { attributes } = run.schema(declaration);
    const isSame =
      isSameObject(attributes, before.attributes, after!.attributes) &&
      hasSamePaths(sensitivePathsOf(this.refreshed!.object.instance, attributes), config.sensitive);
    return isSame ? "none" : "update";
  }

  #step(answer: ProviderPlan, verdict: Verdict, replaced?: ReplacedValues): Step {
    const { run, declaration, instance, config: body } = this.of;
    const { attributes } = run.schema(declaration);
    const refreshed = this.refreshed;
    const createBeforeDestroy = this.graph.createsBeforeDestroy(declaration.address);
    const [before, after] = [refreshed?.live, answer.planned!];
    const beforeSensitive = sensitivePathsOf(refreshed?.object.instance, attributes);
    const action = actionOf(verdict, createBeforeDestroy);
    const change = changeOf(run, declaration, instance, {
      action,
      before,
      after,
      beforeSensitive,
      afterSensitive: body.sensitive,
      replacePaths: answer.requiresReplace,
    });
    const reason = reasonFor(action, answer, this.#isTriggered);
    if (reason !== undefined) change.reason = reason;
    if (action !== "no-op" && this.#decision !== undefined) change.decision = this.#decision;
    if (refreshed?.importing !== undefined) change.importing = refreshed.importing;
    if (replaced !== undefined) change.replaced = replaced;
    // The container of a shown change is added later, when the path of the container is known.
    const container = isShown(change) ? undefined : containerOf(run, declaration.provider, change);
    if (container !== undefined) change.container = container;
    const step: { -readonly [K in keyof Step]: Step[K] } = {
      change,
      provider: declaration.provider,
      declared: { declaration, instance },
      object: refreshed?.object,
      prior: before,
      planned: after,
      config: answer.config,
      sensitive: body.sensitive,
      dependencies: this.visit.dependencies,
      createBeforeDestroy,
    };
    if (refreshed !== undefined && action !== "no-op") {
      const found =
        run.providerFor(declaration.provider)?.newPaths?.(change.type, refreshed.before, after) ?? [];
      if (found.length > 0) step.newPaths = found;
    }
    // A replacement has no observation, because the observed live object is the one that the plan deletes.
    if (action === "create" && answer.observed !== undefined) step.observed = answer.observed;
    return step;
  }
}

const NOT_TRIGGERED = { isTriggered: false, diagnostics: NONE };

const joined = (...all: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] => {
  let found = NONE;
  for (const one of all) if (one.length > 0) found = found.length === 0 ? one : [...found, ...one];
  return found;
};

/** Returns the row of the decision table for a declared instance, with the facts that follow from the read of its object. */
function rowOf(refreshed: Refreshed | undefined): Row {
  if (refreshed === undefined) return NEW;
  const { live, importing } = refreshed;
  if (importing !== undefined) return importing.existing === true ? IMPORTED_EXISTING : IMPORTED;
  return live === undefined ? VANISHED : HELD;
}

const IMPORTED: Row = { ...NEW, live: "present", asked: "import" };
const IMPORTED_EXISTING: Row = { ...IMPORTED, asked: "import existing" };
const VANISHED: Row = { ...HELD, live: "absent" };
const NO_COLUMNS: Partial<Row> = {};
const OPEN: Partial<Row> = { journal: "open" };
const UNREADABLE: Partial<Row> = { live: "unreadable" };
const FAILED: Partial<Row> = { declared: "failed" };
const PREVENTED: Partial<Row> = { destroy: "refused" };
const DIFFERING: Readonly<Record<Row["difference"], Partial<Row>>> = {
  none: NO_COLUMNS,
  update: { difference: "update" },
  replace: { difference: "replace" },
};

function actionOf(verdict: Verdict, createBeforeDestroy: boolean): Action {
  if (verdict === "replace") return createBeforeDestroy ? "create-then-delete" : "delete-then-create";
  // Any other verdict becomes a create. If the object exists as a part of another object, apply then takes it over.
  return verdict === "no-op" || verdict === "update" ? verdict : "create";
}

function reasonFor(action: Action, { replaceReason }: ProviderPlan, isTriggered: boolean) {
  if (isTriggered) return "replace_by_triggers";
  return action === "create" ? undefined : replaceReason;
}

/**
 * Withdraws changes of objects with a disputed path. The plan refused another declaration with this path, because the path now
 * belongs to a different container. Otherwise, an apply would create a new object in the wrong container.
 */
export function refuseDisputed({ run, steps, blocked }: PlanGraph): void {
  for (const step of [...steps.planned, ...steps.replacements]) {
    const { change, provider, planned, declared } = step;
    if (planned === undefined || !isChange(step)) continue;
    const disputed = run.configured(provider)?.disputedPaths?.(change.type, planned) ?? [];
    if (disputed.length === 0) continue;
    run.report(at(disputed, change.address, declared?.declaration.construct));
    steps.remove(step);
    blocked.add(resourceAddress(change));
  }
}
