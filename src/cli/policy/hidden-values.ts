import { type AttributePath, formatPath, nearest } from "../../diagnostics";
import {
  type Attributes,
  type AttributeType,
  hiddenPaths,
  isObject,
  isUnknown,
  isWhollyKnown,
  shown,
  type Value,
  type ValueObject,
} from "../../engine";

/** Thrown where a rule reads a value that is not handed to rules, so that it can't take it for null or for another value. */
export class HiddenValue extends Error {
  override readonly name = "HiddenValue";

  constructor(address: string, path: AttributePath, reason: "unknown" | "sensitive") {
    super(
      `${formatPath(path)} of ${address} is ${reason === "unknown" ? "known only after apply" : "sensitive"}`,
    );
  }
}

/** An object whose values a rule may read. */
interface Readable {
  readonly address: string;
  readonly attributes: Attributes;
  readonly values: ValueObject;
  readonly sensitive: readonly AttributePath[];
}

/** The values for rules, and the names of the attributes that they don't have, as a whole or in part. */
interface RuleValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly unknown: readonly string[];
  readonly sensitive: readonly string[];
}

/** The values of an object as JSON. Reading an unknown or sensitive one throws {@link HiddenValue}. */
export function ruleValues({ address, attributes, values, sensitive }: Readable): RuleValues {
  const paths = [...hiddenPaths(values, sensitive), ...sensitiveOf(attributes)].map(withoutIndexes);
  const hidden = new Set(paths.map((path) => JSON.stringify(path)));
  const isSensitive = (path: AttributePath) => hidden.has("[]") || hidden.has(JSON.stringify(path));

  const put = (target: object, key: string | number, value: Value, path: AttributePath): void => {
    const reason = isSensitive(path) ? "sensitive" : isUnknown(value) ? "unknown" : undefined;
    Object.defineProperty(target, key, {
      enumerable: true,
      ...(reason === undefined
        ? { value: copy(value, path) }
        : {
            get: () => {
              throw new HiddenValue(address, path, reason);
            },
          }),
    });
  };
  const copy = (value: Value, path: AttributePath): unknown => {
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      // The elements of a list have the sensitivity of the list.
      for (const [at, element] of value.entries()) put(list, at, element, path);
      return Object.freeze(list);
    }
    if (!isObject(value)) return typeof value === "object" && value !== null ? Number(String(value)) : value;
    const object = {};
    for (const name of Object.keys(value).sort()) put(object, name, value[name]!, [...path, name]);
    return Object.freeze(object);
  };
  const plain = shown(attributes, values);
  const names = Object.keys(plain).sort();
  return {
    values: withoutTypos(copy(plain, []) as RuleValues["values"], attributes, address),
    unknown: names.filter((name) => !isWhollyKnown(plain[name]!)),
    sensitive: names.filter((name) => paths.some(([first = name]) => first === name)),
  };
}

/** What programs ask of any object. */
const ASKED: ReadonlySet<string> = new Set(["toJSON", "then"]);

/**
 * Reading an attribute that the schema does not have throws: `undefined` compares as false, and a rule with a typo, or
 * with the name of a construct's property, would find nothing.
 */
function withoutTypos(
  values: RuleValues["values"],
  attributes: Attributes,
  address: string,
): RuleValues["values"] {
  const names = Object.keys(attributes);
  if (names.length === 0) return values;
  return new Proxy(values, {
    get(target, name, receiver) {
      if (typeof name === "string" && !(name in target) && !names.includes(name) && !ASKED.has(name)) {
        const close = nearest(snakeCase(name), names);
        throw new Error(
          `${address} has no attribute ${name}${close === undefined ? "" : `; did you mean ${close}?`}`,
        );
      }
      return Reflect.get(target, name, receiver);
    },
  });
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Plans of other programs mark the elements of sets without an index, so a list is sensitive as a whole. */
function withoutIndexes(path: AttributePath): AttributePath {
  const end = path.findIndex((step) => typeof step !== "string");
  return end < 0 ? path : path.slice(0, end);
}

/** The paths that the schema marks as sensitive. */
const sensitiveOf = (attributes: Attributes, at: AttributePath = []): AttributePath[] =>
  Object.entries(attributes).flatMap(([name, { type, text }]) => {
    const path = [...at, name];
    if (text.sensitive === true) return [path];
    const inside = nestedIn(type) === undefined ? [] : sensitiveOf(nestedIn(type)!, path);
    return type.kind === "single" || inside.length === 0 ? inside : [path];
  });

const nestedIn = (type: AttributeType): Attributes | undefined =>
  "nested" in type ? type.nested : undefined;
