import type { AttributePath } from "../../diagnostics";
import type { Attributes, Value } from "../../provider/schema";
import { sensitiveAttributes } from "../evaluate/plain";
import type { ResourceChange } from "../plan/model";
import type { Plan } from "../plan/plan";
import type { Refreshed } from "../plan/refresh";
import { sensitivePathsOf } from "../plan/sensitivity";
import type { Step } from "../plan/steps";
import type { PlanRecord } from "../plan-json/record";
import type { OutputState, State } from "../state/model";
import { Secrets } from "./secrets";

type AttributesOf = (type: { readonly mode: "managed" | "data"; readonly type: string }) => Attributes;

/** Marks everything in a plan that may hold something sensitive. */
export function secretsOf(plan: Plan, record: PlanRecord, attributesOf: AttributesOf): Secrets {
  const secrets = new Secrets();
  for (const name of record.sensitiveVariables) secrets.keep(record.variables[name]);
  for (const step of plan.steps) watchStep(secrets, step);
  for (const change of [...record.changes, ...record.drift]) watchChange(secrets, change);
  for (const refreshed of plan.moved) watchRefreshed(secrets, refreshed, attributesOf);
  for (const { sensitive, ...output } of plan.outputs)
    secrets.keep(sensitive ? [output.before, output.after] : null);
  for (const output of record.outputs)
    secrets.watch(output, output.sensitive ? [["before"], ["after"]] : [], ["before", "after"]);
  for (const state of [plan.priorState, record.refreshed])
    if (state !== undefined) watchState(secrets, state, attributesOf);
  secrets.watch(record.configuration, []);
  secrets.watch(
    record.variables,
    record.sensitiveVariables.map((name) => [name]),
  );
  return secrets;
}

function watchChange(secrets: Secrets, change: ResourceChange): void {
  secrets.watch(change.before, change.beforeSensitive);
  secrets.watch(change.after, change.afterSensitive);
}

function watchStep(secrets: Secrets, { change, private: bytes, config, sensitive }: Step): void {
  watchChange(secrets, change);
  secrets.watchBytes(bytes, ["prior", "planned"]);
  secrets.watch(config, [...sensitive, ...sensitiveAttributes(change.attributes)]);
}

function watchRefreshed(
  secrets: Secrets,
  { object, before, live }: Refreshed,
  attributesOf: AttributesOf,
): void {
  const sensitive = sensitivePathsOf(object.instance, attributesOf(object.resource));
  watchStored(secrets, before, sensitive);
  watchStored(secrets, live, sensitive);
}

function watchStored(
  secrets: Secrets,
  stored: { readonly attributes: object } | undefined,
  sensitive: readonly AttributePath[],
): void {
  secrets.watch(stored?.attributes, sensitive);
  secrets.watchBytes(stored, ["private"]);
}

function watchState(secrets: Secrets, state: State, attributesOf: AttributesOf): void {
  for (const output of Object.values(state.outputs)) watchOutput(secrets, output);
  for (const resource of state.resources) {
    for (const instance of resource.instances)
      watchStored(secrets, instance, sensitivePathsOf(instance, attributesOf(resource)));
  }
}

function watchOutput(secrets: Secrets, output: OutputState): void {
  secrets.watch(output, output.sensitive ? [["value"]] : [], ["value"]);
  if (output.sensitive) secrets.keep(output.value as Value);
}
