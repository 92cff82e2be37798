import { randomUUID } from "node:crypto";
import type { ApplyRequest, ApplyResponse, PlanRequest, PlanResponse } from "../../framework";
import { entriesOf, markSensitive, object, type Value as PlannedValue, refine } from "../../language";
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

/** The schema of `terraform_data`: a value that is kept in the state and nowhere else. */
export const TERRAFORM_DATA: Schema = {
  version: 0,
  description:
    "Keeps a value, and makes a new object where another one changes; both may be of any type. Part of Terraform itself.",
  attributes: {
    id: computed.string({ description: "An id of the object's own." }),
    input: optional.any({ description: "The value to keep." }),
    output: computed.any({ description: "The value of `input`, known once it is kept." }),
    triggers_replace: optional.any({ description: "A change of it makes a new object." }),
  },
};

/** Plans as Terraform does: the output follows the input, and is known after apply where that changes. */
export function planTerraformData({ prior, config }: PlanRequest): PlanResponse {
  const input = config["input"] ?? null;
  const triggers = config["triggers_replace"] ?? null;
  const planned = { input, triggers_replace: triggers };
  const before = prior?.attributes;
  const isReplaced = before !== undefined && !same(before["triggers_replace"], triggers);
  if (before === undefined || isReplaced) {
    return {
      planned: { attributes: { ...planned, id: UNKNOWN, output: isNull(input) ? input : openAs(input) } },
      requiresReplace: isReplaced ? [["triggers_replace"]] : [],
      diagnostics: [],
    };
  }
  const output = same(before["input"], input) ? (before["output"] ?? null) : openAs(input);
  return {
    planned: { attributes: { ...planned, id: before["id"] ?? null, output } },
    requiresReplace: [],
    diagnostics: [],
  };
}

/** Keeps the value; nothing is asked of anybody. */
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

/** Terraform knows of the id that it will make that it is not null. */
export function withIdToCome(planned: PlannedValue): PlannedValue {
  const entries = new Map(entriesOf(planned));
  entries.set("id", refine(entries.get("id")!, { notNull: true }));
  return markSensitive(object(entries), planned.sensitive);
}

const same = (one: Value | undefined, other: Value): boolean => sameValue(one ?? null, other);

/** Null, of any type or of one. */
const isNull = (value: Value): boolean => value === null || (isObject(value) && value["value"] === null);

/** What is known of a value to be: its type. */
const openAs = (value: Value): Value =>
  isObject(value) ? { value: UNKNOWN, type: value["type"]! } : UNKNOWN;
