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

/**
 * A part of a change: one attribute, or one element of a set. Each of several merge requests can approve some pieces of a
 * change.
 */
interface Piece {
  /** A key that is equal for pieces with the same effect, even in different changes of the object. */
  readonly key: string;
  readonly attribute: string;
  /** Returns true if these values of the object already contain the piece. */
  isIn(values: Readonly<Record<string, Value>>): boolean;
}

type Values = Readonly<Record<string, Value>>;

/**
 * Splits a change into pieces. An update or a create has one piece for each changed attribute, and one for each added or
 * removed element of a set. A change of any other kind has one piece for each attribute, changed or not.
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

/** Returns true for a set whose elements are known. Also returns true for null, because null counts as an empty set. */
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
    // If the approved value was unknown, any value of the object matches.
    isIn: ({ [name]: value = null }) => isEncodedUnknown(other) || sameValue(value, other, type),
  };
}
