import {
  type Attributes,
  canonicalJson,
  elementType,
  isEncodedUnknown,
  sameValue,
  semanticKey,
  type Value,
} from "../../engine";
import type { ApprovedChange } from "./file";

/** The part of a change that concerns one attribute, or one element of a set. */
interface Piece {
  /** The key is equal for equal pieces, also in different changes of one object. */
  readonly key: string;
  readonly attribute: string;
  /** Whether the values of the object already match the piece. */
  isIn(values: Readonly<Record<string, Value>>): boolean;
}

type Values = Readonly<Record<string, Value>>;

/**
 * Splits an update or a create into its attributes, and sets into elements, so that several merge requests can share one change.
 * Any other change has a piece for the value of each attribute.
 */
export function piecesOf(change: ApprovedChange, attributes: Attributes): Piece[] {
  const { action, before, after, live, previous_address: previous, import_id: imported } = change;
  const isShared = action === "update" || action === "create";
  const [old, now]: [Values, Values] = [before ?? live ?? {}, after ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const written = names.flatMap((name) => {
    const [one, other] = [old[name] ?? null, now[name] ?? null];
    if (!isShared) return [valuePiece(name, one, other, attributes)];
    return piecesOfAttribute(name, one, other, attributes);
  });
  const facts = [
    ["previous_address", previous],
    ["import_id", imported],
  ] as const;
  return [
    ...written,
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [{ key: `${name} ${value}`, attribute: name, isIn: () => true }],
    ),
  ];
}

function piecesOfAttribute(name: string, one: Value, other: Value, attributes: Attributes): Piece[] {
  const type = attributes[name]?.type;
  if (sameValue(one, other, type)) return [];
  if (type?.kind === "set" && isSet(one) && isSet(other)) {
    const keysOf = (value: Value): Set<string> =>
      new Set(((value ?? []) as readonly Value[]).map((element) => semanticKey(element, elementType(type))));
    return difference(keysOf(one), keysOf(other)).map(([sign, key]) => ({
      key: JSON.stringify([name, sign, key]),
      attribute: name,
      isIn: ({ [name]: value = null }) => isSet(value) && keysOf(value).has(key) === (sign === "+"),
    }));
  }
  return [valuePiece(name, one, other, attributes)];
}

/** Whether a value is a set of known elements, or null. */
const isSet = (value: Value): boolean => value === null || Array.isArray(value);

const difference = (one: ReadonlySet<string>, other: ReadonlySet<string>): ["+" | "-", string][] => [
  ...[...one].filter((key) => !other.has(key)).map((key) => ["-", key] as ["-", string]),
  ...[...other].filter((key) => !one.has(key)).map((key) => ["+", key] as ["+", string]),
];

function valuePiece(name: string, one: Value, other: Value, attributes: Attributes): Piece {
  const type = attributes[name]?.type;
  const keyOf = (value: Value) => (type === undefined ? canonicalJson(value) : semanticKey(value, type));
  return {
    key: JSON.stringify([name, keyOf(one), keyOf(other)]),
    attribute: name,
    // Any known value may take the place of an unknown value.
    isIn: ({ [name]: value = null }) => isEncodedUnknown(other) || sameValue(value, other, type),
  };
}
