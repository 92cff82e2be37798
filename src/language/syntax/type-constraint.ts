import {
  COLLECTION_TYPES,
  ConversionError,
  convert,
  DYNAMIC,
  listOf,
  mapOf,
  object,
  objectOf,
  SIMPLE_TYPES,
  type Type,
  tryConvert,
  tuple,
  tupleOf,
  type Value,
} from "../values";
import { ExpressionError } from "./errors";
import { evaluate } from "./evaluate";
import { parseExpression, parseTemplate } from "./parse";
import type { Node, NodeOf } from "./syntax";

/** The defaults of optional attributes anywhere in a type. */
interface Defaults {
  /** The defaults of this object's attributes, by name. */
  readonly values: ReadonlyMap<string, Value>;
  /**
   * The defaults for types inside this type, by attribute name or tuple index. For the elements of a collection, the key is "".
   */
  readonly children: ReadonlyMap<string, Defaults>;
}

/** The declared type of a variable, with the defaults of its optional attributes. */
export interface TypeConstraint {
  readonly type: Type;
  readonly defaults: Defaults | undefined;
}

const KEYWORDS: ReadonlyMap<string, Type> = new Map(Object.entries({ ...SIMPLE_TYPES, any: DYNAMIC }));
const COLLECTIONS = new Map(Object.entries(COLLECTION_TYPES));

/**
 * Parses a type constraint such as `list(object({ name = string, port = optional(number, 80) }))`. The text can also have the
 * form `${…}`.
 *
 * @throws ExpressionError
 */
export function parseTypeConstraint(source: string): TypeConstraint {
  const { root } = source.startsWith("${") ? parseTemplate(source) : parseExpression(source);
  const { type, defaults } = new Reader(source).read(root.kind === "group" ? root.inner : root);
  return { type, defaults };
}

class Reader {
  constructor(private readonly source: string) {}

  read(node: Node): TypeConstraint {
    if (node.kind === "reference" && node.traversal.steps.length === 0)
      return this.keyword(node, node.traversal.root);
    if (node.kind !== "call")
      throw this.error(node, "a type must be a keyword such as string, or a call such as list(string)");
    const [argument] = node.args;
    if (argument === undefined || node.args.length !== 1)
      throw this.error(node, `${node.name}(…) takes one argument`);
    const collection = COLLECTIONS.get(node.name);
    if (collection !== undefined) {
      const { type, defaults } = this.read(argument);
      return { type: collection(type), defaults: nested(new Map([["", defaults]])) };
    }
    if (node.name === "tuple") return this.tuple(argument);
    if (node.name === "object") return this.object(argument);
    throw this.error(node, `there is no type "${node.name}(…)"`);
  }

  private error(node: Node, why: string): ExpressionError {
    const written = this.source.slice(node.range.start, node.range.end);
    const detail = `"${written}" is not a type: ${why}.`;
    return new ExpressionError("Invalid type specification", detail, node.range);
  }

  private keyword(node: Node, word: string): TypeConstraint {
    const type = KEYWORDS.get(word);
    if (type !== undefined) return { type, defaults: undefined };
    // A word `list` or `map` without an element type is the syntax before Terraform 0.12.
    if (word === "list") return { type: listOf(DYNAMIC), defaults: undefined };
    if (word === "map") return { type: mapOf(DYNAMIC), defaults: undefined };
    const names = [...KEYWORDS.keys()].join(", ");
    throw this.error(node, `the keywords are ${names}, and the type of the elements must be in parentheses`);
  }

  private tuple(node: Node): TypeConstraint {
    if (node.kind !== "tuple")
      throw this.error(node, "tuple([…]) takes the types of its elements in brackets");
    const elements = node.elements.map((element) => this.read(element));
    const children = new Map(elements.map(({ defaults }, index) => [String(index), defaults]));
    return { type: tupleOf(elements.map(({ type }) => type)), defaults: nested(children) };
  }

  private object(node: Node): TypeConstraint {
    if (node.kind !== "object")
      throw this.error(node, "object({…}) takes the types of its attributes in braces");
    const attributes = new Map<string, Type>();
    const optional: string[] = [];
    const values = new Map<string, Value>();
    const children = new Map<string, Defaults | undefined>();
    for (const { key, value } of node.items) {
      if (key.kind !== "literal" || typeof key.value.content !== "string")
        throw this.error(key, "the name of an attribute must be a word");
      const name = key.value.content;
      const modified = value.kind === "call" && value.name === "optional" ? value : undefined;
      const { type, defaults } = this.read(modified === undefined ? value : this.typeOfOptional(modified));
      attributes.set(name, type);
      children.set(name, defaults);
      if (modified === undefined) continue;
      optional.push(name);
      const fallback = modified.args[1];
      if (fallback !== undefined) values.set(name, this.fallback(fallback, { type, defaults }));
    }
    return { type: objectOf(attributes, optional), defaults: nested(children, values) };
  }

  private typeOfOptional(node: NodeOf<"call">): Node {
    const [type] = node.args;
    if (type === undefined || node.args.length > 2)
      throw this.error(node, "optional(…) takes a type and perhaps a default");
    return type;
  }

  private fallback(node: Node, { type, defaults }: TypeConstraint): Value {
    const value = evaluate({ source: this.source, root: node }, { resolve: () => undefined });
    const converted = tryConvert(applyDefaults(value, defaults), type);
    if (!(converted instanceof ConversionError)) return converted;
    throw this.error(node, `the default does not have the type of the attribute (${converted.message})`);
  }
}

function nested(
  children: ReadonlyMap<string, Defaults | undefined>,
  values: ReadonlyMap<string, Value> = new Map(),
): Defaults | undefined {
  const kept = [...children].filter((entry): entry is [string, Defaults] => entry[1] !== undefined);
  return kept.length === 0 && values.size === 0 ? undefined : { values, children: new Map(kept) };
}

/**
 * Returns a value in which defaults replace omitted and null attributes. The caller must still convert the result to the type.
 */
function applyDefaults(value: Value, defaults: Defaults | undefined): Value {
  if (defaults === undefined || value.isNull || !value.isKnown) return value;
  return fill(value, defaults).withMarks(value.marks);
}

function fill(value: Value, defaults: Defaults): Value {
  const child = (name: string): Defaults | undefined => defaults.children.get(name);
  switch (value.type.kind) {
    case "object":
    case "map":
      return fillEntries(value, defaults);
    case "list":
    case "set":
    case "tuple":
      return tuple(value.elements.map((one, index) => applyDefaults(one, child("") ?? child(String(index)))));
    default:
      return value;
  }
}

function fillEntries(value: Value, { values, children }: Defaults): Value {
  const filled = new Map<string, Value>();
  for (const [name, one] of value.entries)
    filled.set(name, applyDefaults(one, children.get("") ?? children.get(name)));
  for (const [name, fallback] of values) {
    const given = filled.get(name);
    if (given === undefined || given.isNull) filled.set(name, fallback);
  }
  return object(filled);
}

/** Applies the defaults of a type constraint, and converts the value to its type. @throws ConversionError */
export const applyConstraint = (value: Value, { type, defaults }: TypeConstraint): Value =>
  convert(applyDefaults(value, defaults), type);
