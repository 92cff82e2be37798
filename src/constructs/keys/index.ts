// Rejects unknown keys in the options of constructs, for apps in JavaScript and for apps without type checks. Values are not
// checked here.

import { Token } from "cdktf";
import type { IConstruct } from "constructs";
import { callerPosition } from "../position";
import { nearest } from "./generated/did-you-mean";

/** The keys that options can contain. If a key has nested objects, its value is the list of the keys of the nested objects. */
export interface Keys {
  readonly [key: string]: true | Keys;
}

const CONDITION_KEYS: Keys = { condition: true, errorMessage: true };

/** The keys of `lifecycle`, the option that limits how an object is replaced, destroyed and updated. */
const LIFECYCLE_KEYS: Keys = {
  createBeforeDestroy: true,
  preventDestroy: true,
  ignoreChanges: true,
  replaceTriggeredBy: true,
  precondition: CONDITION_KEYS,
  postcondition: CONDITION_KEYS,
};

/** The keys that cdktf and cdktn accept in addition to the attributes of a resource or data source. */
export const META_KEYS: Keys = {
  dependsOn: true,
  count: true,
  provider: true,
  lifecycle: LIFECYCLE_KEYS,
  forEach: true,
  provisioners: true,
  connection: true,
};

/**
 * Rejects options with an unknown key at any depth. Without this check, Steward would silently not manage a mistyped setting. A
 * key with the value undefined is accepted. Tokens are accepted with any content, because cdktf resolves them later.
 *
 * @param declared the construct with these options, or the name of the function that takes them
 * @throws Error with the construct's path, the line of the app, and the nearest key
 */
export function refuseUnknownKeys(declared: IConstruct | string, config: object, keys: Keys): void {
  const found = unknownKey({ ...config }, keys, "");
  if (found === undefined) return;
  const { key, at, taken } = found;
  const line = callerPosition(refuseUnknownKeys as unknown as abstract new () => unknown);
  const near = nearest(
    key.toLowerCase(),
    taken.map((one) => one.toLowerCase()),
  );
  const meant = taken.find((one) => one.toLowerCase() === near);
  const [path, name] =
    typeof declared === "string" ? ["", declared] : [`[${declared.node.path}] `, declared.constructor.name];
  const place = at === "" ? name : `${name}.${at}`;
  throw new Error(
    `${path}${line === undefined ? "" : `${line}: `}${place} has no key ${JSON.stringify(key)}. ` +
      `${meant === undefined ? "" : `Did you mean ${JSON.stringify(meant)}? `}It takes ${taken.join(", ")}.`,
  );
}

interface UnknownKey {
  readonly key: string;
  /** The path of the object below the options, such as `approvalRules[0]`; empty for the options themselves. */
  readonly at: string;
  readonly taken: readonly string[];
}

function unknownKey(content: unknown, keys: Keys, at: string): UnknownKey | undefined {
  const isList = Array.isArray(content);
  if (!isList && !isWritten(content)) return undefined;
  for (const [key, value] of Object.entries(content)) {
    if (value === undefined) continue;
    const ofKey = Object.hasOwn(keys, key) ? keys[key] : undefined;
    const inside = isList ? keys : ofKey;
    if (inside === undefined) return { key, at, taken: Object.keys(keys) };
    const named = at === "" ? key : `${at}.${key}`;
    const place = isList ? `${at}[${key}]` : named;
    const found = inside === true ? undefined : unknownKey(value, inside, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns true for a plain object, such as an object literal in the app's code. Returns false for tokens and for references to
 * other constructs.
 */
function isWritten(content: unknown): content is object {
  if (typeof content !== "object" || content === null || Token.isUnresolved(content)) return false;
  const prototype: unknown = Object.getPrototypeOf(content);
  return prototype === Object.prototype || prototype === null;
}

export { nearest } from "./generated/did-you-mean";
