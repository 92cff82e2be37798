import { isJsonObject, type Json, type SensitivePath, type SensitiveStep } from "../model/model";
import type { Writable } from "./format-json";

/** A sensitive path in Terraform's form: `[{"type":"get_attr","value":"token"}]`. */
export function encodePath(path: SensitivePath): Writable {
  return path.map(
    (step): Writable =>
      "attribute" in step
        ? new Map<string, Writable>([
            ["type", "get_attr"],
            ["value", step.attribute],
          ])
        : new Map<string, Writable>([
            ["type", "index"],
            [
              "value",
              new Map<string, Writable>([
                ["value", step.index],
                ["type", step.type ?? typeof step.index],
              ]),
            ],
          ]),
  );
}

/** Parses one step of a path; undefined if it is invalid. */
export function decodeStep(json: Json): SensitiveStep | undefined {
  if (!isJsonObject(json)) return undefined;
  const { type, value } = json;
  if (type === "get_attr") return typeof value === "string" ? { attribute: value } : undefined;
  if (
    type !== "index" ||
    !isJsonObject(value) ||
    value["value"] === undefined ||
    value["type"] === undefined
  ) {
    return undefined;
  }
  const index = value["value"];
  return value["type"] === typeof index ? { index } : { index, type: value["type"] };
}

/** The attribute, index or key of a step; undefined for an element of a set. */
function keyOf(step: SensitiveStep): string | number | undefined {
  if ("attribute" in step) return step.attribute;
  return typeof step.index === "string" || typeof step.index === "number" ? step.index : undefined;
}

/**
 * The `sensitive_values` of `show -json`: `true` for sensitive values; objects omit other attributes, lists
 * have `false` for other elements. A path into null or a set marks all of it; a path to a missing value marks
 * nothing.
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
