import { compareText, sensitiveAttributes, toPlain, unmarkDeep } from "../../language";
import { isWhollyKnown } from "../../schema";
import { type Json, type JsonObject, type ResourceState, type State, StateEditor } from "../../state";
import { unknownsAsNull } from "../data/plan-data";
import type { PlanBasis } from "../model/plan";
import { managedDependencies } from "../run/dependencies";
import { providerAddress } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { schemaOf, stateInstance, storedValues, storeFound } from "../steps/state-instance";
import { type ExecutablePlan, plannedOf, priorOf } from "../steps/steps";
import { attributesOf } from "./changes";
import { configurationJson } from "./configuration";
import { stateView } from "./state-json";

/** The parts of a plan that determine the refreshed state. */
interface Refreshable extends Pick<ExecutablePlan, "movedState" | "drifted" | "outputs"> {
  readonly all: Pick<ExecutablePlan, "steps">;
}

/**
 * The state that a plan is based on: refreshed objects, data sources that were read and, as in Terraform,
 * known outputs.
 */
function refreshedState(run: StackRun, plan: Refreshable): State {
  const editor = new StateEditor(plan.movedState);
  editor.removeResources(({ mode }) => mode === "data");
  storeFound(run, editor, plan.drifted);
  for (const step of plan.all.steps) {
    const { change, object, provider, sensitive } = step;
    const prior = priorOf(step);
    const { mode, type, name, indexKey: key } = change;
    if (object !== undefined && prior !== undefined)
      editor.put(object.resource, { ...object.instance, ...storedValues(prior, schemaOf(run, step)) });
    const isRead = change.action === "no-op" || change.reason === "read_because_check_nested";
    if (mode === "managed" || !isRead) continue;
    const schema = run.providerFor(provider)!.schema.dataSources[type]!;
    editor.put(
      { mode, type, name, provider: providerAddress(change.provider, provider) },
      stateInstance(unknownsAsNull(plannedOf(step)!), schema, { key, sensitive, dependencies: [] }),
    );
  }
  for (const { name, action, after, afterType, sensitive } of plan.outputs) {
    if (action === "no-op" || action === "delete" || afterType === undefined) continue;
    if (after !== null && isWhollyKnown(after))
      editor.setOutput(name, { value: after as Json, type: afterType, sensitive });
  }
  return editor.snapshot();
}

/**
 * The data that a run's plan is based on. The large parts are computed on first use: only saved plans and
 * `show -json` need them.
 */
export class RunBasis implements PlanBasis {
  readonly timestamp: string;
  readonly #run: StackRun;
  readonly #found: Refreshable;
  readonly #isValid: boolean;
  #priorState: JsonObject | undefined;
  #dependencies: ReadonlyMap<string, readonly string[]> | undefined;
  #configuration: JsonObject | undefined;

  /**
   * @param isValid whether the declarations have no errors: otherwise the configuration has no JSON format
   */
  constructor(run: StackRun, found: Refreshable, isValid: boolean, now = new Date()) {
    this.timestamp = `${now.toISOString().slice(0, -".000Z".length)}Z`;
    this.#run = run;
    this.#found = found;
    this.#isValid = isValid;
  }

  get variables(): JsonObject {
    const { variables } = this.#run.context.configuration;
    return Object.fromEntries(
      [...variables.values()]
        .filter(({ ephemeral }) => !ephemeral)
        .map(({ name }) => name)
        .sort(compareText)
        .map((name) => [name, variableValue(this.#run, name)]),
    );
  }

  get sensitiveVariables(): string[] {
    const { variables } = this.#run.context.configuration;
    return [...variables.values()]
      .filter(({ sensitive, ephemeral }) => sensitive && !ephemeral)
      .map(({ name }) => name);
  }

  get priorState(): JsonObject | undefined {
    this.#priorState ??= priorState(this.#run, this.#found);
    return this.#priorState;
  }

  get configuration(): JsonObject {
    this.#configuration ??= this.#isValid ? configurationJson(this.#run) : {};
    return this.#configuration;
  }

  get dependencies(): ReadonlyMap<string, readonly string[]> {
    this.#dependencies ??= managedDependencies(this.#run.graph);
    return this.#dependencies;
  }
}

function priorState(run: StackRun, found: Refreshable): JsonObject | undefined {
  const state = refreshedState(run, found);
  if (state.resources.length === 0 && Object.keys(state.outputs).length === 0) return undefined;
  const sensitive = (resource: ResourceState) =>
    sensitiveAttributes(attributesOf(run.context.providers, resource) ?? {}).map((path) =>
      path.map((attribute) => ({ attribute: String(attribute) })),
    );
  return stateView(state, sensitive);
}

function variableValue(run: StackRun, name: string): Json {
  const value = run.evaluation.get(`var.${name}`);
  return value === undefined ? null : (toPlain(unmarkDeep(value).value) as Json);
}
