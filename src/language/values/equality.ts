import { compareNum } from "./number";
import { rangeOf } from "./ranges";
import { hasDynamic, isSameType, pairedParts, type Type } from "./types";
import { bool, FALSE, isNumContent, TRUE, UNKNOWN_BOOL, type Value } from "./value";

/**
 * Returns the result of Terraform's `==` for two values. The result is unknown if it depends on an unknown value, and sensitive
 * if a part of one of the values is sensitive. Values of different types are never equal.
 */
export function equalValues(left: Value, right: Value): Value {
  return compare(left, right).withMarks(left.containedMarks | right.containedMarks);
}

function compare(left: Value, right: Value): Value {
  if (left.isNull && right.isNotNull) return FALSE;
  if (right.isNull && left.isNotNull) return FALSE;
  if (!left.isKnown || !right.isKnown) return compareUnknown(left, right);
  if (left.isNull || right.isNull) return bool(left.isNull && right.isNull);
  if (hasOpenType(left) || hasOpenType(right)) {
    return isConforming(left.type, right.type) || isConforming(right.type, left.type) ? UNKNOWN_BOOL : FALSE;
  }
  if (!isSameType(left.type, right.type)) return FALSE;
  return compareKnown(left, right);
}

/** Returns whether the value or a part of it has an unknown type. */
function hasOpenType(value: Value): boolean {
  if (!value.hasUnknown) return false;
  return value.isKnown ? value.elements.some(hasOpenType) : value.type.kind === "dynamic";
}

function compareUnknown(left: Value, right: Value): Value {
  if (!left.isKnown && !right.isKnown) return UNKNOWN_BOOL;
  const [known, open] = left.isKnown ? [left, right] : [right, left];
  if (!canBecome(open, known)) return FALSE;
  if (known.isNull || hasDynamic(open.type)) return UNKNOWN_BOOL;
  return isSameType(known.type, open.type) ? UNKNOWN_BOOL : FALSE;
}

/** Returns whether an unknown value can become a given known value, by its type and its refinements. */
function canBecome(open: Value, known: Value): boolean {
  const range = rangeOf(open);
  if (known.isNull) return !range.isNotNull;
  if (open.type.kind === "dynamic") return true;
  switch (known.type.kind) {
    case "string":
      return open.type.kind !== "string" || known.text.startsWith(range.prefix);
    case "number":
      return (
        open.type.kind !== "number" ||
        (compareNum(known.num, range.min) >= 0 && compareNum(known.num, range.max) <= 0)
      );
    case "list":
    case "set":
    case "map": {
      const own = rangeOf(known);
      return own.maxLength >= range.minLength && own.minLength <= range.maxLength;
    }
    default:
      return true;
  }
}

/** Returns whether a type matches the wanted type. Dynamic parts of the wanted type match any type. */
const isConforming = (type: Type, wanted: Type): boolean =>
  wanted.kind === "dynamic" ||
  pairedParts(type, wanted)?.every(([part, other]) => isConforming(part, other)) === true;

function compareKnown(left: Value, right: Value): Value {
  switch (left.type.kind) {
    case "string":
    case "bool":
      return bool(left.content === right.content);
    case "number":
      return bool(compareNum(left.num, right.num) === 0);
    case "set":
      return compareSets(left, right);
    default:
      return compareParts(left, right);
  }
}

function compareParts(left: Value, right: Value): Value {
  const [a, b] = [left.elements, right.elements];
  const isMap = left.type.kind === "map";
  if (a.length !== b.length || (isMap && [...left.entries.keys()].some((key) => !right.entries.has(key))))
    return FALSE;
  return allEqual(a.map((one, index) => [one, b[index]!]));
}

/**
 * Returns true if the values of all pairs are equal. If a pair is not certainly equal, returns the result of the first such pair:
 * false or unknown.
 */
function allEqual(pairs: readonly (readonly [Value, Value])[]): Value {
  for (const [left, right] of pairs) {
    const equal = compare(left, right);
    if (equal !== TRUE) return equal;
  }
  return TRUE;
}

function compareSets(left: Value, right: Value): Value {
  const [a, b] = [left.elements, right.elements];
  if ([...a, ...b].some((one) => !one.isKnown)) return UNKNOWN_BOOL;
  const isWithin = (one: Value, others: readonly Value[]): boolean =>
    others.some((other) => compare(one, other) === TRUE);
  return bool(a.every((one) => isWithin(one, b)) && b.every((one) => isWithin(one, a)));
}

/**
 * Returns whether two values have equal types, contents and marks. Two unknown values with equal refinements are equal here, but
 * not for `==`.
 */
export function isRawEqual(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left.marks !== right.marks || !isSameType(left.type, right.type)) return false;
  const [one, other] = [left.content, right.content];
  if (one instanceof Map && other instanceof Map) {
    return one.size === other.size && [...one].every(([key, part]) => isRawPart(part, other.get(key)));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part: Value, at) => isRawPart(part, other[at]));
  }
  return isNumContent(one) && isNumContent(other) ? compareNum(one, other) === 0 : one === other;
}

const isRawPart = (part: Value, other: Value | undefined): boolean =>
  other !== undefined && isRawEqual(part, other);
