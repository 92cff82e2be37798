import { Decoder, ExtData } from "@msgpack/msgpack";
import type { DiagnosticPath } from "../../diagnostics";
import { JsonNumber, parseJson } from "../../json";
import {
  type Attributes,
  type AttributeType,
  elementStep,
  isNested,
  isObject,
  UNKNOWN,
  type Value,
  type ValueObject,
} from "../../schema";
import type { Messages } from "../messages/generated/tfplugin6";
import { readNumber } from "./numbers";

/** Decoded msgpack: maps are plain objects, extensions stay as they are. */
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
 * Reads an object with these attributes: an absent one is null, an unknown name is dropped. Undefined if the
 * object itself is null.
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

/** Reads one value of a type; an absent one is null. @throws DiagnosticError for a number that can't be represented */
export const readValue = (type: AttributeType, dynamic: Messages["DynamicValue"]): Value =>
  new ValueReader().value(type, parse(dynamic));

/** Whether an object is null, without decoding it. */
export function isNull(dynamic: Messages["DynamicValue"] | undefined): boolean {
  if (dynamic === undefined) return true;
  return dynamic.msgpack.length > 0 ? dynamic.msgpack[0] === NIL : parse(dynamic) === null;
}

/** msgpack's byte for null. */
const NIL = 0xc0;
/** Shared: creating a decoder takes longer than reading a small object. */
const decoder = new Decoder({ useBigInt64: true });

function parse({ msgpack, json }: Messages["DynamicValue"]): Raw {
  if (msgpack.length > 0) return decoder.decode(msgpack) as Raw;
  if (json.length === 0) return null;
  return withDecimals(parseJson(Buffer.from(json).toString()) as Value);
}

/** A JSON number is read from its decimal text, like a text in msgpack. */
function withDecimals(json: Value): Raw {
  if (typeof json === "number" || json instanceof JsonNumber) return String(json);
  if (Array.isArray(json)) return json.map(withDecimals);
  if (!isObject(json)) return json as Raw;
  return Object.fromEntries(Object.entries(json).map(([name, one]) => [name, withDecimals(one)]));
}

/** Unknown values are extensions; their refinements, such as a prefix, are not needed here. */
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
