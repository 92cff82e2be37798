import { type Diagnostic, error } from "../../diagnostics";
import {
  ConversionError,
  convert,
  type Evaluation,
  instanceAddress,
  locate,
  NUMBER,
  number,
  object,
  type Repetition,
  type ResourceDeclaration,
  string,
  toInteger,
  tuple,
  type Value,
} from "../../language";

export type InstanceKey = string | number | undefined;

/** One instance of a declaration: the only one, or one of `count` or `for_each`. */
export interface Instance {
  readonly key: InstanceKey;
  readonly address: string;
  readonly repetition: Repetition;
}

const NOT_REPEATED: Repetition = {};
const NONE: readonly Diagnostic[] = [];

/** The instance of a declaration without `count` and `for_each`. */
export const onlyInstance = ({ address }: ResourceDeclaration): Instance => ({
  key: undefined,
  address,
  repetition: NOT_REPEATED,
});

/** Expands a declaration into its instances; empty, with diagnostics, if they are unknown or invalid. */
export function expand(
  declaration: ResourceDeclaration,
  evaluation: Evaluation,
): { instances: Instance[]; diagnostics: readonly Diagnostic[] } {
  const { count, forEach } = declaration;
  if (count === undefined && forEach === undefined)
    return {
      instances: [onlyInstance(declaration)],
      diagnostics: NONE,
    };
  const argument = count === undefined ? "for_each" : "count";
  const { value, diagnostics } = evaluation.evaluate((count ?? forEach)!, declaration, [argument]);
  if (value === undefined) return { instances: [], diagnostics };
  const found = value.hasEphemeral
    ? EPHEMERAL_REASON
    : count === undefined
      ? expandForEach(value)
      : expandCount(value);
  if (typeof found === "string")
    return { instances: [], diagnostics: [invalid(declaration, argument, found)] };
  const instances = found.map(([key, repetition]) => ({
    key,
    address: instanceAddress(declaration, { indexKey: key }),
    repetition,
  }));
  return { instances, diagnostics };
}

type Expansion = [string | number, Repetition][];

function expandCount(value: Value): Expansion | string {
  if (!value.isKnown) return UNKNOWN_REASON;
  let converted: Value;
  try {
    converted = convert(value, NUMBER);
  } catch (problem) {
    if (!(problem instanceof ConversionError)) throw problem;
    return "it is not a number";
  }
  const times = converted.isNull ? undefined : toInteger(converted.num);
  if (times === undefined || times < 0) return "it is not a whole number from 0 up";
  return Array.from({ length: times }, (_, index) => [index, { count: number(index) }]);
}

function expandForEach(value: Value): Expansion | string {
  if (!value.isKnown) return UNKNOWN_REASON;
  if (value.isNull) return "it is null";
  if (value.isSensitive) return "it is sensitive, and its keys would appear in addresses";
  if (value.type.kind === "map" || value.type.kind === "object") {
    return [...value.entries].map(([key, one]) => [key, { each: { key: string(key), value: one } }]);
  }
  const isStringSet = value.type.kind === "set" && ["string", "dynamic"].includes(value.type.element.kind);
  if (!isStringSet) return "it is neither a map nor a set of strings (`toset([...])` makes one)";
  const elements = value.elements;
  if (elements.some((one) => one.isNull)) return "it holds null";
  if (elements.some((element) => !element.isKnown)) return UNKNOWN_REASON;
  return elements.map((element) => [element.content as string, { each: { key: element, value: element } }]);
}

const EPHEMERAL_REASON = "it is ephemeral, and the state stores how many objects there are";

const UNKNOWN_REASON =
  "it is known after apply only, and says how many objects there are (apply with --target what it depends on first)";

const invalid = (declaration: ResourceDeclaration, argument: string, why: string): Diagnostic =>
  error({
    code: "invalid_repetition",
    summary: `Invalid ${argument}`,
    detail: `${argument} can't be used: ${why}.`,
    ...locate(declaration, [argument]),
  });

/**
 * The value of a declaration in expressions: an object, a tuple under `count`, an object by key under
 * `for_each`.
 */
export function aggregate(
  declaration: ResourceDeclaration,
  values: ReadonlyMap<InstanceKey, Value>,
): Value | undefined {
  if (declaration.count === undefined && declaration.forEach === undefined) return values.get(undefined);
  if (declaration.count !== undefined) return tuple([...values.values()]);
  return object(Object.fromEntries([...values].map(([key, value]) => [String(key), value])));
}
