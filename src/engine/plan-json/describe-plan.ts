import { hasErrors } from "../../diagnostics";
import { compareText, sensitiveAttributes, toPlain, unmarkDeep } from "../../language";
import type { Json, JsonObject, ResourceState } from "../../state";
import type { RunContext } from "../run/context";
import { StackRun } from "../run/stack-run";
import type { Plan } from "../steps/plan";
import { attributesOf } from "./attributes-of";
import { configurationJson } from "./configuration";
import type { PlanRecord } from "./record";
import { refreshedState } from "./refreshed-state";
import { stateView } from "./state-json";

/** Puts together what is told of a plan, from it and what it was made of. */
export function describePlan(context: RunContext, plan: Plan, now = new Date()): PlanRecord {
  const run = new StackRun(context);
  const { steps: _, blocked, moved: __, priorState: ___, movedState: ____, ...view } = plan;
  const { variables } = context.configuration;
  return {
    ...view,
    timestamp: `${now.toISOString().slice(0, -".000Z".length)}Z`,
    complete: blocked.size === 0 && !hasErrors(plan.diagnostics) && (context.targets ?? []).length === 0,
    variables: Object.fromEntries(
      [...variables.keys()].sort(compareText).map((name) => [name, variableValue(run, name)]),
    ),
    sensitiveVariables: [...variables.values()].filter(({ sensitive }) => sensitive).map(({ name }) => name),
    blocked: [...blocked].sort(compareText),
    priorState: priorState(run, plan),
    configuration: plan.applicable ? configurationJson(run) : {},
  };
}

function priorState(run: StackRun, plan: Plan): JsonObject | undefined {
  const state = refreshedState(run, plan);
  if (state.resources.length === 0 && Object.keys(state.outputs).length === 0) return undefined;
  const sensitive = (resource: ResourceState) =>
    sensitiveAttributes(attributesOf(run.context.providers, resource) ?? {}).map((path) =>
      path.map((attribute) => ({ attribute: String(attribute) })),
    );
  return stateView(state, { sensitive }) as unknown as JsonObject;
}

function variableValue(run: StackRun, name: string): Json {
  const value = run.evaluation.get(`var.${name}`);
  return value === undefined ? null : (toPlain(unmarkDeep(value).value) as Json);
}
