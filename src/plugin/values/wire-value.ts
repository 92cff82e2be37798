import { Decoder, Encoder, ExtData } from "@msgpack/msgpack";
import { type DiagnosticPath, fail } from "../../diagnostics";
import { isExact, JsonNumber, parseJson } from "../../json";
import {
  type Attributes,
  type AttributeType,
  elementStep,
  isNested,
  isObject,
  isUnknown,
  once,
  UNKNOWN,
  type Value,
  type ValueObject,
} from "../../schema";
import type { Messages } from "../messages/generated/tfplugin6";

/**
 * Reads a number from msgpack. The result is a text if no float represents the number exactly, and a bigint if the
 * number needs 64 bits.
 *
 * @throws DiagnosticError if the number can't be represented, because the result would show a change that the user
 * did not make
 */
export function readNumber(raw: number | bigint | string, path: DiagnosticPath): number {
  if (typeof raw === "number" && Number.isSafeInteger(raw)) return raw;
  const value = Number(raw);
  const text = exactText(raw);
  if (isExact(text)) return value;
  return fail({
    code: "number_not_exact",
    summary: "Number has too many digits",
    detail:
      `The number ${text} has too many digits and would become ${value}. ` +
      "Write it with at most 15 digits.",
    attribute: [...path],
  });
}

/**
 * Writes a number to msgpack as a text, as Terraform does in its state. If the provider sent an integer or a float,
 * Terraform would read it with a different precision and report a change (`plan -refresh-only` exits with 2). The float
 * 0.1 would become 0.1000000000000000055….
 */
export const writeNumber = (value: number): string => String(value);

/** Returns all digits of a number. */
function exactText(raw: number | bigint | string): string {
  if (typeof raw !== "number" || !Number.isFinite(raw)) return String(raw);
  let numerator = raw;
  let powerOfTwo = 0;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    powerOfTwo += 1;
  }
  // The number n/2^k equals n·5^k/10^k.
  return `${BigInt(numerator) * 5n ** BigInt(powerOfTwo)}e-${powerOfTwo}`;
}

/** Decoded msgpack. Maps are plain objects, and extensions are not decoded. */
type Raw =
  | null
  | boolean
  | number
  | bigint
  | string
  | ExtData
  | readonly Raw[]
  | { readonly [name: string]: Raw };

/**
 * Reads an object with these attributes. An absent attribute is null, and an unknown name is dropped. Returns
 * undefined if the object itself is null.
 *
 * @throws DiagnosticError for a number that can't be represented
 */
export function readObject(
  attributes: Attributes,
  dynamic: Messages["DynamicValue"] | undefined,
): ValueObject | undefined {
  const raw = dynamic === undefined ? null : parse(dynamic);
  return raw === null ? undefined : new ValueReader().attributes(attributes, raw);
}

/**
 * Reads one value of a type. An absent value is null.
 *
 * @throws DiagnosticError for a number that can't be represented
 */
export const readValue = (type: AttributeType, dynamic: Messages["DynamicValue"]): Value =>
  new ValueReader().value(type, parse(dynamic));

/** Returns whether an object is null, without decoding it. */
export function isNull(dynamic: Messages["DynamicValue"] | undefined): boolean {
  if (dynamic === undefined) return true;
  return dynamic.msgpack.length > 0 ? dynamic.msgpack[0] === NIL : parse(dynamic) === null;
}

/** msgpack's byte for null. */
const NIL = 0xc0;
/** The decoder is shared, because creating a decoder takes longer than reading a small object. */
const decoder = new Decoder({ useBigInt64: true });

function parse({ msgpack, json }: Messages["DynamicValue"]): Raw {
  if (msgpack.length > 0) return decoder.decode(msgpack) as Raw;
  if (json.length === 0) return null;
  return withDecimals(parseJson(Buffer.from(json).toString()) as Value);
}

/** Converts JSON numbers to their decimal texts, which are then read like texts in msgpack. */
function withDecimals(json: Value): Raw {
  if (typeof json === "number" || json instanceof JsonNumber) return String(json);
  if (Array.isArray(json)) return json.map(withDecimals);
  if (!isObject(json)) return json as Raw;
  return Object.fromEntries(Object.entries(json).map(([name, one]) => [name, withDecimals(one)]));
}

/**
 * Returns whether a value is unknown. Unknown values are extensions of msgpack. A refinement of an unknown value,
 * such as its known prefix, is ignored.
 */
const isExtension = (raw: Raw): boolean => raw instanceof ExtData;

type Collection = Extract<AttributeType, { readonly kind: "set" | "list" | "map" | "single" }>;

/** Reads one object and tracks the path for errors. */
class ValueReader {
  readonly #path: DiagnosticPath[number][] = [];

  attributes(attributes: Attributes, raw: Raw): ValueObject {
    const fields = isExtension(raw) ? undefined : (raw as { readonly [name: string]: Raw });
    const value: Record<string, Value> = {};
    for (const name in attributes) {
      this.#path.push(name);
      // All attributes of an unknown object are unknown.
      value[name] = fields === undefined ? UNKNOWN : this.value(attributes[name]!.type, fields[name] ?? null);
      this.#path.pop();
    }
    return value;
  }

  value(type: AttributeType, raw: Raw): Value {
    if (raw === null) return null;
    if (isExtension(raw)) return UNKNOWN;
    switch (type.kind) {
      case "number":
        return readNumber(raw as number | bigint | string, this.#path);
      case "set":
      case "list":
        return (raw as readonly Raw[]).map((element, index) =>
          this.#element(type, element, elementStep(type, element, index)),
        );
      case "map":
        return Object.fromEntries(
          Object.entries(raw).map(([key, element]: [string, Raw]) => [
            key,
            this.#element(type, element, key),
          ]),
        );
      case "single":
        return this.attributes(type.nested, raw);
      default:
        return raw as string | boolean;
    }
  }

  #element(type: Collection, raw: Raw, place: DiagnosticPath[number]): Value {
    if (raw === null) return null;
    if (isExtension(raw)) return UNKNOWN;
    this.#path.push(place);
    const value = isNested(type) ? this.attributes(type.nested, raw) : this.value(type.element, raw);
    this.#path.pop();
    return value;
  }
}

/** Terraform's extension of an unknown value; its content is empty. */
const UNKNOWN_VALUE = new ExtData(0, new Uint8Array([0]));

/** The encoder is shared, because creating an encoder takes longer than writing a small object. */
const encoder = new Encoder();
const NULL = encoder.encode(null);

/** Writes an object with all given attributes. An attribute without a value is null. Undefined is written as null. */
export const writeObject = (
  attributes: Attributes,
  value: ValueObject | undefined,
): { msgpack: Uint8Array } => ({
  msgpack: value === undefined ? NULL : encoder.encode(writeAttributes(attributes, value)),
});

/** Writes one value of a type. */
export const writeDynamic = (type: AttributeType, value: Value): { msgpack: Uint8Array } => ({
  msgpack: encoder.encode(writeValue(type, value)),
});

function writeAttributes(attributes: Attributes, value: ValueObject): Readonly<Record<string, unknown>> {
  const written: Record<string, unknown> = {};
  for (const name in attributes) written[name] = writeValue(attributes[name]!.type, value[name] ?? null);
  return written;
}

function writeValue(type: AttributeType, value: Value): unknown {
  if (value === null) return null;
  if (isUnknown(value)) return UNKNOWN_VALUE;
  if (typeof value === "number") return writeNumber(value);
  if (Array.isArray(value)) return value.map((element: Value) => writeElement(type, element));
  if (typeof value !== "object") return value;
  if (type.kind === "single") return writeAttributes(type.nested, value as ValueObject);
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) => [key, writeElement(type, element)]),
  );
}

function writeElement(type: AttributeType, element: Value): unknown {
  if ("element" in type) return writeValue(type.element, element);
  if (!isNested(type) || element === null || isUnknown(element)) return writeValue(type, element);
  return writeAttributes(type.nested, element as ValueObject);
}

/**
 * The maximum number of remembered objects. Terraform sends some of these objects only once, so the number of kept
 * objects needs a limit.
 */
const MOST = 20_000;

/**
 * Objects that Terraform sends twice in one command, each time as the same bytes. The class decodes such an object only
 * once. Terraform sends a configuration for validation and for the plan, and a state for the read and for the plan.
 */
export class SeenObjects {
  readonly #all = new Map<Attributes, Map<string, ValueObject>>();

  /** Returns the object as `readObject` does, and keeps it for the procedure that receives the same object again. */
  first(attributes: Attributes, dynamic: Messages["DynamicValue"] | undefined): ValueObject | undefined {
    const found = readObject(attributes, dynamic);
    const known = once(this.#all, attributes, () => new Map<string, ValueObject>());
    if (found !== undefined && known.size < MOST) known.set(textOf(dynamic!), found);
    return found;
  }

  /** Returns the object that `first` kept, without decoding it again. Reads the object if `first` did not keep it. */
  again(attributes: Attributes, dynamic: Messages["DynamicValue"] | undefined): ValueObject | undefined {
    const known = this.#all.get(attributes);
    const key = known && dynamic && textOf(dynamic);
    const found = key && known.get(key);
    if (!found) return readObject(attributes, dynamic);
    known.delete(key);
    return found;
  }
}

/** Returns the bytes as a key: msgpack, or JSON from a client that sends no msgpack. */
const textOf = ({ msgpack, json }: Messages["DynamicValue"]): string => {
  const { buffer, byteOffset, byteLength } = msgpack.length > 0 ? msgpack : json;
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
};
