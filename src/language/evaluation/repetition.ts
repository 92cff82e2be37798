import type { Traversal } from "../syntax";
import { suggest } from "../syntax/errors";
import type { Value } from "../values";

/** The values that expressions in one instance can use: `count` or `each`, and `self` in conditions. */
export interface Repetition {
  readonly self?: Value;
  readonly count?: Value;
  readonly each?: { readonly key: Value; readonly value: Value };
}

/** Returns the value of `each.key`, `each.value`, `count.index` or `self`; undefined if the block does not have this value. */
export function repetitionValue(address: string, { count, each, self }: Repetition): Value | undefined {
  if (address === "self") return self;
  if (address === "count.index") return count;
  if (address === "each.key") return each?.key;
  return address === "each.value" ? each?.value : undefined;
}

/** The names that expressions can use without a declaration, with their attributes. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  each: ["key", "value"],
  count: ["index"],
  path: ["cwd", "module", "root"],
  terraform: ["workspace", "applying"],
};

/** The reason why a reference is invalid, as the summary and detail of a diagnostic. */
export interface ReferenceProblem {
  readonly summary: string;
  readonly detail: string;
}

/** Returns the reason why an expression can't refer to `each`, `count` or `self`; undefined for other references. */
export function missingRepetition(traversal: Traversal): ReferenceProblem | undefined {
  const { root } = traversal;
  if (root === "self")
    return {
      summary: 'Invalid "self" reference',
      detail:
        'The "self" object is available only in conditions of a resource. Use the address of the resource.',
    };
  if (root !== "each" && root !== "count") return undefined;
  const argument = root === "each" ? "for_each" : "count";
  return (
    unsupportedName(traversal) ?? {
      summary: `Reference to "${root}" outside of its block`,
      detail: `"${root}.${nameIn(traversal)}" is available only in a block that has "${argument}", and not in "${argument}" itself.`,
    }
  );
}

/**
 * Returns the problem of a reference to an attribute that `each`, `count`, `path` or `terraform` does not have; undefined for
 * other references.
 */
export function unsupportedName(traversal: Traversal): ReferenceProblem | undefined {
  const known = NAMES[traversal.root];
  const name = nameIn(traversal);
  if (known === undefined || name === undefined || known.includes(name)) return undefined;
  return {
    summary: "Unsupported attribute",
    detail: `"${traversal.root}" does not have an attribute named "${name}".${suggest(name, known)} It has ${known.join(", ")}.`,
  };
}

function nameIn({ steps: [first] }: Traversal): string | undefined {
  return first !== undefined && "attribute" in first ? first.attribute : undefined;
}
