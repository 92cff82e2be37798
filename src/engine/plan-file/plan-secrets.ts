import type { Attributes, Value, ValueObject } from "../../schema";
import type { State } from "../../state";
import type { ResourceChange } from "../model/plan";
import { sensitivePathsOf } from "../run/sensitive-paths";
import type { ExecutablePlan } from "../steps/executable-plan";
import { Secrets } from "./secrets";

/** Finds the attributes of an object's schema. */
export type AttributesOf = (type: { readonly mode: "managed" | "data"; readonly type: string }) => Attributes;

/** The sensitive values of a plan and of what it is based on. */
export function secretsOf(plan: ExecutablePlan, attributesOf: AttributesOf): Secrets {
  const secrets = new Secrets();
  for (const name of plan.basis.sensitiveVariables) secrets.add(plan.basis.variables[name]);
  for (const step of plan.steps) secrets.addAt(step.config, step.sensitive);
  for (const change of [...plan.changes, ...plan.drift]) keepChange(secrets, change);
  for (const { object, before, live } of plan.drifted) {
    const sensitive = sensitivePathsOf(object.instance, attributesOf(object.resource));
    for (const stored of [before, live]) secrets.addAt(stored?.attributes, sensitive);
  }
  for (const { sensitive, before, after } of plan.outputs) secrets.add(sensitive ? [before, after] : null);
  if (plan.priorState !== undefined) keepState(secrets, plan.priorState, attributesOf);
  return secrets;
}

function keepChange(
  secrets: Secrets,
  { before, after, beforeSensitive, afterSensitive }: ResourceChange,
): void {
  secrets.addAt(before, beforeSensitive);
  secrets.addAt(after, afterSensitive);
}

function keepState(secrets: Secrets, state: State, attributesOf: AttributesOf): void {
  for (const { sensitive, value } of Object.values(state.outputs)) if (sensitive) secrets.add(value as Value);
  for (const resource of state.resources)
    for (const instance of resource.instances) {
      const sensitive = sensitivePathsOf(instance, attributesOf(resource));
      secrets.addAt(instance.attributes as ValueObject, sensitive);
    }
}
