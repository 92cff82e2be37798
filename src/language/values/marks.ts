import type { PathStep } from "../../diagnostics";
import { type Content, EPHEMERAL, NO_MARKS, nullOf, SENSITIVE, unknown, Value } from "./value";

/** The path to a part of a value. In the path, attribute names and map keys are texts, and indexes are numbers. */
export type ValuePath = readonly PathStep[];

/** The paths of the parts of a value that had marks, by mark. */
interface MarkedPaths {
  readonly sensitivePaths: ValuePath[];
  readonly ephemeralPaths: ValuePath[];
}

/** Returns a value without the marks of the value and its parts, and the paths of the parts that had marks. */
export function unmarkDeep(value: Value): { readonly value: Value } & MarkedPaths {
  const paths: MarkedPaths = { sensitivePaths: [], ephemeralPaths: [] };
  return { value: strip(value, [], paths), ...paths };
}

function strip(value: Value, path: ValuePath, found: MarkedPaths): Value {
  if (value.containedMarks === NO_MARKS) return value;
  if (value.marks & SENSITIVE) found.sensitivePaths.push(path);
  if (value.marks & EPHEMERAL) found.ephemeralPaths.push(path);
  return new Value(
    value.type,
    mapContent(value.content, (one, step) => strip(one, [...path, step], found)),
  );
}

/** Returns the content of a value, in which the result of `change` replaces each direct part. */
export function mapContent(content: Content, change: (value: Value, step: PathStep) => Value): Content {
  if (Array.isArray(content)) return (content as readonly Value[]).map(change);
  if (!(content instanceof Map)) return content;
  return new Map([...(content as ReadonlyMap<string, Value>)].map(([key, one]) => [key, change(one, key)]));
}

/**
 * Returns a value in which null replaces ephemeral parts, or null if the whole value is ephemeral. An unknown ephemeral value
 * stays unknown.
 */
export function ephemeralAsNull(value: Value): Value {
  if (!value.hasEphemeral) return value;
  const { type, content, marks } = value;
  if ((marks & EPHEMERAL) === 0) return new Value(type, mapContent(content, ephemeralAsNull), marks);
  return (value.isKnown ? nullOf(type) : unknown(type)).withMarks(marks & ~EPHEMERAL);
}

/**
 * Returns a value in which the parts at these paths are marked as sensitive. A path into null, an unknown value or a set marks
 * this whole part.
 */
export function markPaths(value: Value, paths: readonly ValuePath[]): Value {
  return paths.reduce((marked, path) => markAt(marked, path), value);
}

function markAt(value: Value, path: ValuePath): Value {
  const [step, ...rest] = path;
  if (step === undefined || value.type.kind === "set") return value.markSensitive();
  const { content } = value;
  const inMap = content instanceof Map ? content.get(step) : undefined;
  const inside = Array.isArray(content) ? content[step as number] : inMap;
  if (inside === undefined) return value.markSensitive();
  const change = (one: Value, at: PathStep): Value => (at === step ? markAt(one, rest) : one);
  return new Value(value.type, mapContent(content, change), value.marks);
}
