import { randomUUID } from "node:crypto";
import type { ApplyRequest, ApplyResponse, PlanRequest, PlanResponse } from "../../framework";
import { object, type Value as PlannedValue, refine } from "../../language";
import {
  computed,
  isObject,
  isUnknown,
  isWhollyKnown,
  optional,
  type Schema,
  sameValue,
  UNKNOWN,
  type Value,
} from "../../schema";

/** The schema of `terraform_data`, which stores a value in the state only. */
export const TERRAFORM_DATA: Schema = {
  version: 0,
  description:
    "Stores a value, and replaces the object when another value changes; both may be of any " +
    "type. Part of Terraform itself.",
  attributes: {
    id: computed.string("The object's own id."),
    input: optional.any("The value to store."),
    output: computed.any("The value of `input`, known once it is stored."),
    triggers_replace: optional.any("A change of this value replaces the object."),
  },
};

/** Plans a `terraform_data` object as Terraform does: `output` follows `input`, and is known after apply if `input` changes. */
export function planTerraformData({ prior, config }: PlanRequest): PlanResponse {
  const input = config["input"] ?? null;
  const triggers = config["triggers_replace"] ?? null;
  const planned = { input, triggers_replace: triggers };
  const before = prior?.attributes;
  const isReplaced = before !== undefined && !isSame(before["triggers_replace"], triggers);
  if (before === undefined || isReplaced) {
    return {
      planned: {
        attributes: { ...planned, id: UNKNOWN, output: isNull(input) ? input : unknownLike(input) },
      },
      requiresReplace: isReplaced ? [["triggers_replace"]] : [],
      diagnostics: [],
    };
  }
  const output = isSame(before["input"], input) ? (before["output"] ?? null) : unknownLike(input);
  return {
    planned: { attributes: { ...planned, id: before["id"] ?? null, output } },
    requiresReplace: [],
    diagnostics: [],
  };
}

/** Returns the new state with the stored value. Sends no request. */
export function applyTerraformData({ planned }: Pick<ApplyRequest, "planned">): ApplyResponse {
  if (planned === undefined) return { diagnostics: [] };
  const { attributes } = planned;
  const { id = null, input = null, output = null } = attributes;
  return {
    state: {
      attributes: {
        ...attributes,
        id: isUnknown(id) ? randomUUID() : id,
        output: isWhollyKnown(output) ? output : input,
      },
    },
    diagnostics: [],
  };
}

/** Changes an unknown id in the planned values, as Terraform does: the id is still unknown, but known not to be null. */
export function withNonNullId(planned: PlannedValue): PlannedValue {
  const entries = new Map(planned.entries);
  entries.set("id", refine(entries.get("id")!, { isNotNull: true }));
  return object(entries).markSensitive(planned.isSensitive);
}

const isSame = (one: Value | undefined, other: Value): boolean => sameValue(one ?? null, other);

/** Returns whether a value is null, with or without a type. */
const isNull = (value: Value): boolean => value === null || (isObject(value) && value["value"] === null);

/** Returns an unknown value with the type of the given value. */
const unknownLike = (value: Value): Value =>
  isObject(value) ? { value: UNKNOWN, type: value["type"]! } : UNKNOWN;
