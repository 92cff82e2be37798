import type { AttributePath } from "../../diagnostics";
import { type Expression, references } from "../syntax";
import {
  type BlockLocation,
  bodies,
  type JsonObject,
  malformed,
  parseAttribute,
  refuseUnknownArguments,
} from "./blocks";

/** A condition that must be true, and the message if it is not. */
export interface Condition {
  readonly condition: Expression;
  readonly errorMessage: Expression;
}

/** Loads the conditions of one kind (`precondition`, `validation`, `assert`, …) of a block. */
export function loadConditions(
  block: JsonObject,
  kind: string,
  location: BlockLocation,
  within: AttributePath = [],
): Condition[] {
  const parts = ["condition", "error_message"];
  return bodies(block[kind], `${location.address}.${kind}`).map((body, index) => {
    const at = `${location.address}.${kind}[${index}]`;
    refuseUnknownArguments(body, parts, at);
    const [condition, errorMessage] = parts.map((name) => {
      if (body[name] === undefined) malformed(at, `it has no ${name}`);
      return parseAttribute(body[name], location, [...within, kind, index, name]);
    });
    if (references(condition!).length === 0)
      malformed(at, "its condition refers to nothing, so it is always the same");
    return { condition: condition!, errorMessage: errorMessage! };
  });
}
