import { isJsonObject, type Json, type SensitivePath, type SensitiveStep } from "../model/model";
import type { Field } from "./fields";

/** Returns a sensitive path in Terraform's form: `[{"type":"get_attr","value":"token"}]`. */
export const encodePath = (path: SensitivePath): Json =>
  path.map((step) =>
    "attribute" in step
      ? { type: "get_attr", value: step.attribute }
      : { type: "index", value: { value: step.index, type: step.type ?? typeof step.index } },
  );

export const readPath = (path: Field): SensitivePath => path.list().map(readStep);

function readStep(field: Field): SensitiveStep {
  const { type, value } = isJsonObject(field.value) ? field.value : {};
  if (type === "get_attr" && typeof value === "string") return { attribute: value };
  const { value: index, type: indexType } = type === "index" && isJsonObject(value) ? value : {};
  if (index === undefined || indexType === undefined)
    return field.fail("a step of a path to a sensitive value");
  return indexType === typeof index ? { index } : { index, type: indexType };
}

/** Returns the attribute name, list index or map key of one part of a path; undefined for an element of a set. */
function keyOf(step: SensitiveStep): string | number | undefined {
  if ("attribute" in step) return step.attribute;
  return typeof step.index === "string" || typeof step.index === "number" ? step.index : undefined;
}

/**
 * Returns the `sensitive_values` of `show -json` for a value. The result contains `true` for each sensitive value.
 * Attributes that are not sensitive are omitted, and list elements that are not sensitive are `false`. For a path into
 * null or a set, the whole value is sensitive. A path to a missing value has no effect.
 */
export function sensitivityOf(value: Json, paths: readonly SensitivePath[]): Json {
  if (paths.some((path) => path.length === 0)) return true;
  if (value === null || typeof value !== "object") return paths.length > 0;
  const byKey = new Map<string, SensitivePath[]>();
  for (const [step, ...rest] of paths) {
    const key = keyOf(step!);
    if (key === undefined) return true;
    byKey.set(String(key), [...(byKey.get(String(key)) ?? []), rest]);
  }
  if (Array.isArray(value)) return value.map((one, at) => sensitivityOf(one, byKey.get(String(at)) ?? []));
  const inside = Object.entries(value).map(([key, one]): [string, Json] => [
    key,
    sensitivityOf(one, byKey.get(key) ?? []),
  ]);
  return Object.fromEntries(inside.filter(([, one]) => one !== false));
}
