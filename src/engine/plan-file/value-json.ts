import type { AttributePath } from "../../diagnostics";
import type { Provider } from "../../framework";
import { JsonNumber, plainDecimal } from "../../json";
import { canonicalJson, isObject, isUnknown, UNKNOWN, type Value } from "../../schema";
import { type InstanceState, isJsonObject, type Json, type ResourceState } from "../../state";
import { SensitiveTexts } from "../../text";
import { attributesOf } from "../plan-json/changes";
import { collectSensitive, sensitivePathsOf } from "../run/redaction";
import type { ExecutablePlan } from "../steps/steps";

const UNKNOWN_TAG = "$unknown";
const WITHHELD_TAG = "$withheld";

/** Whether `Secrets.withhold` can have written this JSON. */
export function isWrittenValue(json: unknown): json is Json {
  if (Array.isArray(json)) return json.every(isWrittenValue);
  // Expanding the digits of a large exponent could exhaust the memory.
  if (json instanceof JsonNumber) return plainDecimal(json.text) !== undefined;
  if (typeof json !== "object" || json === null) return true;
  const entries = Object.entries(json);
  return isTag(entries) || entries.every(([name, one]) => !/^\$(?!\$)/.test(name) && isWrittenValue(one));
}

function isTag(entries: readonly (readonly [string, unknown])[]): boolean {
  const [[name, content] = [], ...others] = entries;
  if (others.length > 0) return false;
  return name === UNKNOWN_TAG ? content === true : name === WITHHELD_TAG && Number.isSafeInteger(content);
}

/** Decodes what `Secrets.withhold` wrote. In the place of a withheld value is a text, which is the same for equal values. */
export function readValue(json: Json): Value {
  if (Array.isArray(json)) return json.map(readValue);
  if (!isJsonObject(json)) return json;
  if (UNKNOWN_TAG in json) return UNKNOWN;
  if (WITHHELD_TAG in json) return `(sensitive value ${json[WITHHELD_TAG]})`;
  return Object.fromEntries(
    Object.entries(json).map(([name, one]) => [name.replace(/^\$\$/, "$"), readValue(one)]),
  );
}

/** Whether a written value has withheld parts. */
export const hasWithheld = (json: Json): boolean =>
  typeof json === "object" &&
  json !== null &&
  (WITHHELD_TAG in json || Object.values(json).some((one) => hasWithheld(one as Json)));

/**
 * The values that a saved plan must not contain: those at sensitive paths, and texts that contain them, such
 * as an id made of a sensitive name.
 */
export class Secrets {
  readonly texts = new SensitiveTexts();
  readonly #numbers = new Map<string, number>();

  /**
   * Encodes a value without secrets: in the place of sensitive paths, and of texts that contain a secret, is a number that is the
   * same for equal values. What JSON can't express is an object with one key that starts with `$`; such keys of the value
   * itself get a second `$`.
   */
  withhold(value: Value, sensitive: readonly AttributePath[] = []): Json {
    if (isUnknown(value)) return { [UNKNOWN_TAG]: true };
    if (value !== null && sensitive.some((path) => path.length === 0)) return this.#withheld(value);
    if (typeof value === "string") return this.#hasSecret(value) ? this.#withheld(value) : value;
    if (Array.isArray(value)) return value.map((one: Value, at) => this.withhold(one, below(sensitive, at)));
    if (!isObject(value)) return value as Json;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => [
          name.startsWith("$") ? `$${name}` : name,
          this.withhold(one, below(sensitive, name)),
        ]),
    );
  }

  #hasSecret(text: string): boolean {
    return this.texts.redactText(text) !== text;
  }

  #withheld(value: Value): Json {
    const key = canonicalJson(value);
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return { [WITHHELD_TAG]: number };
  }
}

const NONE: readonly AttributePath[] = [];

const below = (paths: readonly AttributePath[], step: string | number): readonly AttributePath[] =>
  paths.length === 0 ? NONE : paths.filter(([first]) => first === step).map(([, ...rest]) => rest);

/** The sensitive values of a plan and of what it is based on. */
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
