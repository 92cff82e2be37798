import {
  childrenOf,
  nameOf,
  newArguments,
  nodeOf,
  optionOf,
  propertyOf,
  type SyntaxNode,
} from "../typescript/source-tree";
import { type Left, literalOf } from "./literals";
import { isRepeating } from "./loops";

/** A construct of a source file whose options are an object literal. */
export interface FoundConstruct {
  readonly name: string;
  readonly config: SyntaxNode;
  /** The reason why the construct can create several objects; undefined if it creates one object. */
  readonly repeated: Left | undefined;
  /** The nodes around the construct, the innermost first. */
  readonly ancestors: readonly SyntaxNode[];
}

/** Returns each `new` expression in the source that creates a construct with options. */
export const constructsIn = (program: SyntaxNode): WithAncestors[] =>
  [...withAncestors(program)].filter(({ node }) => (newArguments(node)?.length ?? 0) > 2);

/**
 * Returns the construct that begins on a line, if it is the only one and its options are an object literal. For all other lines,
 * returns the reason why no construct can be edited.
 */
export function onlyConstruct([only, another]: readonly WithAncestors[]): FoundConstruct | Left {
  if (only === undefined) return "no construct with its own options starts on this line";
  if (another !== undefined) return "several constructs start on this line";
  const config = newArguments(only.node)![2]!;
  if (config.type !== "ObjectExpression") return "its options are not written in place";
  const name = nameOf(nodeOf(only.node, "callee")) ?? "";
  const within = only.ancestors.find(isRepeating);
  const place = within?.type.endsWith("Statement") ? "loop" : "function";
  return {
    name,
    config,
    repeated: within === undefined ? undefined : `it is in a ${place}`,
    ancestors: only.ancestors,
  };
}

interface WithAncestors {
  readonly node: SyntaxNode;
  /** The nodes around the construct, the innermost first. */
  readonly ancestors: readonly SyntaxNode[];
}

function* withAncestors(node: SyntaxNode): Generator<WithAncestors> {
  const open: WithAncestors[] = [{ node, ancestors: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { node: parent, ancestors } = next;
    open.push(...childrenOf(parent).map((child) => ({ node: child, ancestors: [parent, ...ancestors] })));
  }
}

export const propertyAt = (config: SyntaxNode, path: readonly string[]): SyntaxNode | undefined =>
  path
    .slice(1)
    .reduce((property, key) => propertyOf(nodeOf(property, "value"), key), propertyOf(config, path[0]!));

export const isLayerOf = (node: SyntaxNode, where: string): boolean => {
  const value = literalOf(optionOf(node, "where"))?.scalar;
  return typeof value === "string" && value.toLowerCase() === where.toLowerCase();
};
