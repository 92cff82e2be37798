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
 *
 * @param isValid whether the declarations have no errors: otherwise the configuration has no JSON format
 */
export function runBasis(run: StackRun, found: Refreshable, isValid: boolean, now = new Date()): PlanBasis {
  const variables = [...run.context.configuration.variables.values()].filter(({ ephemeral }) => !ephemeral);
  const state = lazily(() => priorState(run, found));
  const configuration = lazily(() => (isValid ? configurationJson(run) : {}));
  const dependencies = lazily(() => managedDependencies(run.graph));
  return {
    timestamp: `${now.toISOString().slice(0, -".000Z".length)}Z`,
    get variables() {
      const names = variables.map(({ name }) => name).sort(compareText);
      return Object.fromEntries(names.map((name) => [name, variableValue(run, name)]));
    },
    sensitiveVariables: variables.filter(({ sensitive }) => sensitive).map(({ name }) => name),
    get priorState() {
      return state();
    },
    get configuration() {
      return configuration();
    },
    get dependencies() {
      return dependencies();
    },
  };
}

const lazily = <T>(compute: () => T): (() => T) => {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: compute() };
    return found.value;
  };
};

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
