import type { AttributePath } from "../../diagnostics";
import type { Provider } from "../../framework";
import { canonicalJson, type Value } from "../../schema";
import type { InstanceState, Json, ResourceState } from "../../state";
import { SensitiveTexts } from "../../text";
import { attributesOf } from "../plan-json/changes";
import { type Encoding, encodeValue } from "../results/recorded-values";
import { collectSensitive, sensitivePathsOf } from "../results/redaction";
import type { ExecutablePlan } from "../steps/steps";

/**
 * Encodes the values of a plan without its secrets. Secrets are the values at sensitive paths, and texts that contain these
 * values, such as an id with a sensitive name.
 */
export class Secrets implements Encoding {
  readonly texts = new SensitiveTexts();
  readonly #numbers = new Map<string, number>();

  /** Encodes a value without secrets. */
  withhold(value: Value, sensitive: readonly AttributePath[] = []): Json {
    return encodeValue(value, sensitive, this);
  }

  isSecret(text: string): boolean {
    return this.texts.redactText(text) !== text;
  }

  /** Returns the number of a value in this file. A number does not reveal the value. */
  markOf(value: Value): number {
    const key = canonicalJson(value);
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** Collects the sensitive values of a plan and of its basis. */
export function secretsOf(plan: ExecutablePlan, providers: Readonly<Record<string, Provider>>): Secrets {
  const secrets = new Secrets();
  const { texts } = secrets;
  const collect = (resource: ResourceState, instance: InstanceState, values: unknown) =>
    collectSensitive(texts, values, sensitivePathsOf(instance, attributesOf(providers, resource) ?? {}));
  for (const name of plan.basis.sensitiveVariables) texts.add(plan.basis.variables[name]);
  for (const step of plan.steps) collectSensitive(texts, step.config, step.sensitive);
  for (const { before, after, beforeSensitive, afterSensitive } of [...plan.changes, ...plan.drift]) {
    collectSensitive(texts, before, beforeSensitive);
    collectSensitive(texts, after, afterSensitive);
  }
  for (const { object, before, live } of plan.drifted)
    for (const stored of [before, live]) collect(object.resource, object.instance, stored?.attributes);
  for (const { sensitive, before, after } of plan.outputs) if (sensitive) texts.add([before, after]);
  const { outputs = {}, resources = [] } = plan.priorState ?? {};
  for (const { sensitive, value } of Object.values(outputs)) if (sensitive) texts.add(value);
  for (const resource of resources)
    for (const instance of resource.instances) collect(resource, instance, instance.attributes);
  return secrets;
}
