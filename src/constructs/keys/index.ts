// Rejects unknown keys in the options of constructs, for apps in JavaScript and apps without type checks. It does not
// check values.

import { Token } from "cdktf";
import type { IConstruct } from "constructs";
import { callerPosition } from "../position";
import { nearest } from "./generated/did-you-mean";

/** The keys that a declaration may contain, and the keys of its nested objects. */
export interface Keys {
  readonly [key: string]: true | Keys;
}

const CONDITION_KEYS: Keys = { condition: true, errorMessage: true };

/** The keys of `lifecycle`, which decides whether an object may be destroyed. */
const LIFECYCLE_KEYS: Keys = {
  createBeforeDestroy: true,
  preventDestroy: true,
  ignoreChanges: true,
  replaceTriggeredBy: true,
  precondition: CONDITION_KEYS,
  postcondition: CONDITION_KEYS,
};

/** The keys that cdktf and cdktn add to the attributes of a resource or data source. */
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
 * Rejects a declaration with an unknown key, at any depth. Otherwise, Steward would silently not manage a mistyped setting.
 * Keys with the value undefined are accepted. So is all content of tokens, which cdktf resolves later.
 *
 * @param declared the construct, or the name of the function that takes the options
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
  /** The path of the object, such as `approvalRules[0]`; empty at the top. */
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
 * Returns whether a value is a plain object of the app. Tokens and references to other constructs are not.
 */
function isWritten(content: unknown): content is object {
  if (typeof content !== "object" || content === null || Token.isUnresolved(content)) return false;
  const prototype: unknown = Object.getPrototypeOf(content);
  return prototype === Object.prototype || prototype === null;
}

export { nearest } from "./generated/did-you-mean";
