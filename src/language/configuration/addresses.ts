import type { ResourceAddress } from "../addresses/parse-address";
import { parseTraversal, type Traversal } from "../syntax";
import { isKnown, isNull, numOf, toInteger, type Value } from "../values";
import { type BlockLocation, malformed, withLocation } from "./blocks";
import { unsupportedFeature } from "./unsupported";

/** Parses an address argument, such as `acme_thing.web["shop"]`. It is plain text, not a template. */
export function readResourceAddress(text: unknown, place: BlockLocation, argument: string): ResourceAddress {
  const what = `${place.address}.${argument}`;
  if (typeof text !== "string") return malformed(what, "it must be an address, such as TYPE.NAME");
  if (/[$%]\{/.test(text)) return malformed(what, `an address must not contain \${…}, as "${text}" does`);
  const traversal = withLocation(place, [argument], () => parseTraversal(text));
  if (traversal.root === "module") return unsupportedFeature(`The module address "${text}" of ${what}`);
  return (
    addressOf(traversal) ?? malformed(what, `"${text}" is not the address of a resource, such as TYPE.NAME`)
  );
}

/** The resource or instance that a traversal refers to, if it has no further steps. */
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
  const [type, name, ...rest] = isData ? names.slice(1) : names;
  if (type === undefined || name === undefined || rest.length > 0) return undefined;
  return { mode: isData ? "data" : "managed", type, name, ...(indexKey !== undefined && { indexKey }) };
}

/** The instance key of an index in an address. */
export function keyOf(value: Value): string | number | undefined {
  if (typeof value.content === "string") return value.content;
  return value.type.kind === "number" && !isNull(value) && isKnown(value)
    ? toInteger(numOf(value))
    : undefined;
}
