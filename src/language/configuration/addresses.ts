import type { ResourceAddress } from "../addresses/parse-address";
import { parseTraversal, type Traversal } from "../syntax";
import { isKnown, isNull, numOf, toInteger, type Value } from "../values";
import { located, malformed, type Place } from "./blocks";
import { refuse } from "./unsupported";

/** The address in a block's argument, such as `steward_project.web["shop"]`. It is a plain text, and no template. */
export function readResourceAddress(text: unknown, place: Place, argument: string): ResourceAddress {
  const what = `${place.address}.${argument}`;
  if (typeof text !== "string") return malformed(what, "it is an address, such as TYPE.NAME");
  if (/[$%]\{/.test(text))
    return malformed(what, `an address is written without \${…}, and "${text}" is not`);
  const traversal = located(place, [argument], () => parseTraversal(text));
  if (traversal.root === "module") return refuse(`The module address "${text}" of ${what}`);
  return addressOf(traversal) ?? malformed(what, `"${text}" is no address of a resource, such as TYPE.NAME`);
}

/** The resource, or the instance, that a traversal names and nothing beyond it. */
export function addressOf({ root, steps }: Traversal): ResourceAddress | undefined {
  const names = [root];
  const isData = root === "data";
  let indexKey: string | number | undefined;
  for (const step of steps) {
    if (indexKey !== undefined) return undefined;
    if ("attribute" in step) names.push(step.attribute);
    else indexKey = keyOf(step.index);
    if ("index" in step && indexKey === undefined) return undefined;
  }
  const [type, name, ...more] = isData ? names.slice(1) : names;
  if (type === undefined || name === undefined || more.length > 0) return undefined;
  return { mode: isData ? "data" : "managed", type, name, ...(indexKey !== undefined && { indexKey }) };
}

/** The key of an instance that an index in an address stands for. */
export function keyOf(value: Value): string | number | undefined {
  if (typeof value.content === "string") return value.content;
  return value.type.kind === "number" && !isNull(value) && isKnown(value)
    ? toInteger(numOf(value))
    : undefined;
}
