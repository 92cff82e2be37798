import { BigFloat, type Num } from "./number";
import { NOT_NULL, Refinement, UNREFINED } from "./refinement";
import {
  BOOL,
  type CollectionType,
  compareText,
  DYNAMIC,
  EMPTY_OBJECT_TYPE,
  EMPTY_TUPLE_TYPE,
  isSameType,
  listOf,
  mapOf,
  NUMBER,
  type ObjectType,
  STRING,
  setOf,
  sharedObjectType,
  sortByName,
  type Type,
  tupleOf,
  withoutOptional,
} from "./types";

/** The content of a value: null, the refinement if the value is unknown, or the data. */
export type Content =
  | null
  | Refinement
  | string
  | Num
  | boolean
  | readonly Value[]
  | ReadonlyMap<string, Value>;

/**
 * A set of bits for properties that the result of an expression inherits from its operands. A `SENSITIVE` value must not be
 * printed, and an `EPHEMERAL` value must not be stored.
 */
export type Marks = number;
export const NO_MARKS: Marks = 0;
export const SENSITIVE: Marks = 1;
export const EPHEMERAL: Marks = 2;
const ALL_MARKS = SENSITIVE | EPHEMERAL;
const CONTAINS_UNKNOWN = 4;
/** The bits that a value inherits from its parts. */
const INHERITED = ALL_MARKS | CONTAINS_UNKNOWN;
/** The position of the bits for the marks of the value itself. The lower bits contain inherited marks. */
const OWN = 3;

/**
 * An immutable value of Terraform's language. The content of a list, a tuple or a set (in Terraform's order) is an array. The
 * content of a map or an object is a `Map` sorted by key. Other files must use the functions of this file to create a value, and
 * not `new`.
 */
export class Value {
  private readonly flags: number;

  constructor(
    readonly type: Type,
    readonly content: Content,
    /** The marks of the value itself. The parts of the value can have other marks. */
    marks: Marks = NO_MARKS,
  ) {
    let flags = marks | (marks << OWN);
    if (content instanceof Refinement) flags |= CONTAINS_UNKNOWN;
    else if (Array.isArray(content))
      for (const one of content as readonly Value[]) flags |= one.flags & INHERITED;
    else if (content instanceof Map)
      for (const one of content.values()) flags |= (one as Value).flags & INHERITED;
    this.flags = flags;
  }

  get isNull(): boolean {
    return this.content === null;
  }

  get isNotNull(): boolean {
    return this.content instanceof Refinement ? this.content.isNotNull : this.content !== null;
  }

  get isKnown(): boolean {
    return !(this.content instanceof Refinement);
  }

  /** The known facts about an unknown value; no facts for a known value. */
  get refinement(): Refinement {
    return this.content instanceof Refinement ? this.content : UNREFINED;
  }

  /** The text of the value, which must be a known string. */
  get text(): string {
    return this.content as string;
  }

  /** The number of the value, which must be a known number. */
  get num(): Num {
    return this.content as Num;
  }

  /** Whether the value is true. The value must be a known boolean. */
  get isTrue(): boolean {
    return this.content as boolean;
  }

  /** The elements of a known list, set or tuple, or the values of a known map or object, in order. */
  get elements(): readonly Value[] {
    return this.content instanceof Map
      ? [...(this.content as ReadonlyMap<string, Value>).values()]
      : (this.content as readonly Value[]);
  }

  /** The entries of a known map or object, in the order of their keys. */
  get entries(): ReadonlyMap<string, Value> {
    return this.content as ReadonlyMap<string, Value>;
  }

  get marks(): Marks {
    return this.flags >> OWN;
  }

  get isSensitive(): boolean {
    return (this.marks & SENSITIVE) !== 0;
  }

  /** The marks of the value and of all its parts. */
  get containedMarks(): Marks {
    return this.flags & ALL_MARKS;
  }

  get hasSensitive(): boolean {
    return (this.flags & SENSITIVE) !== 0;
  }

  get hasEphemeral(): boolean {
    return (this.flags & EPHEMERAL) !== 0;
  }

  get hasUnknown(): boolean {
    return (this.flags & CONTAINS_UNKNOWN) !== 0;
  }

  /** Returns the value with additional marks on the value itself. */
  withMarks(marks: Marks): Value {
    const all = this.marks | marks;
    return all === this.marks ? this : new Value(this.type, this.content, all);
  }

  markSensitive(isSensitive = true): Value {
    return this.withMarks(isSensitive ? SENSITIVE : NO_MARKS);
  }

  /**
   * Returns the value without these marks on the value itself; by default, without all marks. The parts of the value keep their
   * marks.
   */
  unmark(marks: Marks = ALL_MARKS): Value {
    const rest = this.marks & ~marks;
    return rest === this.marks ? this : new Value(this.type, this.content, rest);
  }
}

/** Matches a text that can need normalization. Characters below U+0300 never need normalization. */
const NEEDS_NORMAL_FORM = /[\u0300-\uffff]/;

const normalizeText = (text: string): string => (NEEDS_NORMAL_FORM.test(text) ? text.normalize("NFC") : text);

export const TRUE = new Value(BOOL, true);
export const FALSE = new Value(BOOL, false);
/** The value `null` without a type. */
export const NULL = new Value(DYNAMIC, null);
/** The unknown value without a type and without refinement. */
export const UNKNOWN = new Value(DYNAMIC, UNREFINED);
/** The unknown boolean that is not null. Comparisons of unknown values return this value. */
export const UNKNOWN_BOOL = new Value(BOOL, NOT_NULL);
const EMPTY_OBJECT = new Value(EMPTY_OBJECT_TYPE, new Map());
export const EMPTY_TUPLE = new Value(EMPTY_TUPLE_TYPE, []);

/** Returns a string value. The text of the value is in Unicode NFC, the form in which Terraform stores all strings. */
export const string = (text: string): Value => new Value(STRING, normalizeText(text));
export const bool = (isTrue: boolean): Value => (isTrue ? TRUE : FALSE);

/** Returns a number value. A JS number must be an integer or infinite. For other JS numbers, see `jsonNumber` in `json.ts`. */
export const number = (value: Num): Value => new Value(NUMBER, value);

export const nullOf = (type: Type): Value =>
  type.kind === "dynamic" ? NULL : new Value(withoutOptional(type), null);

export const unknown = (type: Type): Value =>
  type.kind === "dynamic" ? UNKNOWN : new Value(type, UNREFINED);

/** Returns a list value. For an empty list, `element` is required, because no element has a type. */
export function list(elements: readonly Value[], element?: Type): Value {
  return new Value(listOf(commonType(elements, element)), elements);
}

export function tuple(elements: readonly Value[]): Value {
  return elements.length === 0 ? EMPTY_TUPLE : new Value(tupleOf(elements.map((one) => one.type)), elements);
}

export type Entries = ReadonlyMap<string, Value> | Readonly<Record<string, Value>>;

/**
 * Returns the entries as a `Map` sorted by key. If the argument is already such a `Map`, returns this `Map`, so the caller must
 * not change it later.
 */
function sorted(entries: Entries): ReadonlyMap<string, Value> {
  if (entries instanceof Map && isInOrder(entries.keys())) return entries;
  const pairs = entries instanceof Map ? [...entries] : Object.entries(entries as Record<string, Value>);
  return new Map(sortByName(pairs.map(([key, one]) => [normalizeText(key), one])));
}

function isInOrder(keys: Iterable<string>): boolean {
  let last: string | undefined;
  for (const key of keys) {
    if (NEEDS_NORMAL_FORM.test(key) || (last !== undefined && compareText(last, key) > 0)) return false;
    last = key;
  }
  return true;
}

export function map(entries: Entries, element?: Type): Value {
  const content = sorted(entries);
  return new Value(mapOf(commonType([...content.values()], element)), content);
}

export function object(entries: Entries): Value {
  const content = sorted(entries);
  if (content.size === 0) return EMPTY_OBJECT;
  return new Value(sharedObjectType(content), content);
}

/**
 * Returns an object with the given type, if the attributes in `content` have exactly the types in it. If a type differs, the type
 * of the object follows from the attributes. The content must be sorted by name.
 */
export function objectOfType(type: ObjectType, content: ReadonlyMap<string, Value>): Value {
  for (const [name, one] of content) {
    const wanted = type.attributes.get(name);
    if (wanted === undefined || (one.type !== wanted && !isSameType(one.type, wanted)))
      return object(content);
  }
  return content.size === type.attributes.size && type.optional.size === 0
    ? new Value(type, content)
    : object(content);
}

function commonType(elements: readonly Value[], given: Type | undefined): Type {
  let found = given;
  for (const { type } of elements) {
    if (found === undefined || found.kind === "dynamic") found = type;
    else if (type.kind !== "dynamic" && found !== type && !isSameType(found, type)) {
      throw new TypeError("the elements of a collection must all have the same type");
    }
  }
  if (found === undefined) throw new TypeError("an empty collection needs the type of its elements");
  return withoutOptional(found);
}

export const setTypeFor = (elements: readonly Value[], element?: Type): CollectionType =>
  setOf(commonType(elements, element));

/** Returns the marks of all values together, without the marks of their parts. */
export const ownMarks = (values: readonly Value[]): Marks =>
  values.reduce((all, { marks }) => all | marks, NO_MARKS);

/** Returns the marks of all values and their parts together. */
export const deepMarks = (values: readonly Value[]): Marks =>
  values.reduce((all, { containedMarks }) => all | containedMarks, NO_MARKS);

export const isNumContent = (content: Content): content is Num =>
  typeof content === "number" || content instanceof BigFloat;
