import type { AttributePath } from "../../diagnostics";
import { type Expression, references } from "../syntax";
import { bodies, type JsonObject, malformed, type Place, parseAttribute, refuseOthers } from "./blocks";

/** A condition that must be true, and what is told where it is not. */
export interface Condition {
  readonly condition: Expression;
  readonly errorMessage: Expression;
}

/** Reads the conditions of one kind (`precondition`, `validation`, `assert`, …) that a block holds. */
export function loadConditions(
  block: JsonObject,
  kind: string,
  place: Place,
  within: AttributePath = [],
): Condition[] {
  const parts = ["condition", "error_message"];
  return bodies(block[kind], `${place.address}.${kind}`).map((body, index) => {
    const at = `${place.address}.${kind}[${index}]`;
    refuseOthers(body, parts, at);
    const [condition, errorMessage] = parts.map((name) => {
      if (body[name] === undefined) malformed(at, `it has no ${name}`);
      return parseAttribute(body[name], place, [...within, kind, index, name]);
    });
    if (references(condition!).length === 0)
      malformed(at, "its condition refers to nothing, so that there is nothing to check");
    return { condition: condition!, errorMessage: errorMessage! };
  });
}
