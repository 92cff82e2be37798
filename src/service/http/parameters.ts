import { z } from "zod";
import { badRequest } from "./errors";

type Coercion = (value: unknown) => unknown;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const identity: Coercion = (value) => value;

const toNumber: Coercion = (value) =>
  typeof value === "string" && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value;

const toBoolean: Coercion = (value) => {
  if (typeof value !== "string") return value;
  const word = value.toLowerCase();
  return word === "true" || (word === "false" ? false : value);
};

/**
 * Returns a function that converts a text such as `3` or `true` to its value, if `values` contains this value. `030`
 * is the number 30.
 */
function ofLiteral(values: ReadonlySet<unknown>): Coercion {
  const spelled = [toNumber, toBoolean].map((coerce) => (value: unknown) => {
    const taken = coerce(value);
    return taken !== value && values.has(taken) ? taken : undefined;
  });
  return (value) => spelled.map((read) => read(value)).find((taken) => taken !== undefined) ?? value;
}

/**
 * Converts numbered elements to a list. `items[0][key]=` is first parsed to a hash with numeric keys, which give the order of the
 * list.
 */
function toList(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  if (!keys.every((key) => /^\d+$/.test(key))) return value;
  return keys.sort((left, right) => Number(left) - Number(right)).map((key) => value[key]);
}

function ofObject(schema: z.ZodObject): Coercion {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, coercionFor(field as z.ZodType)] as const,
  );
  return (value) => {
    if (!isRecord(value)) return value;
    const taken: Record<string, unknown> = {};
    for (const [name, coerce] of fields) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      // Clients send null for omitted parameters.
      if (given !== undefined && given !== null) taken[name] = coerce(given);
    }
    return taken;
  };
}

function ofUnion(schema: z.ZodUnion): Coercion {
  const options = schema.options.map(
    (option) => [option as z.ZodType, coercionFor(option as z.ZodType)] as const,
  );
  return (value) => {
    const fitting = options.find(([option, coerce]) => option.safeParse(coerce(value)).success);
    return fitting === undefined ? value : fitting[1](value);
  };
}

/**
 * Creates a function that converts a parameter of a query or form to the type in its schema. For example, the function
 * converts a text to a number, or numbered elements to a list. A value that the function can't convert stays unchanged,
 * so that the schema rejects it. Fields that the schema does not name are dropped.
 */
function coercionFor(schema: z.ZodType): Coercion {
  if (schema instanceof z.ZodNumber) return toNumber;
  if (schema instanceof z.ZodBoolean) return toBoolean;
  if (schema instanceof z.ZodLiteral) return ofLiteral(schema.values);
  if (schema instanceof z.ZodArray) {
    const element = coercionFor(schema.element as z.ZodType);
    return (value) => {
      const list = toList(value);
      return Array.isArray(list) ? list.map(element) : list;
    };
  }
  if (schema instanceof z.ZodObject) return ofObject(schema);
  if (schema instanceof z.ZodUnion) return ofUnion(schema);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return coercionFor(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return coercionFor(schema.in as z.ZodType);
  return identity;
}

/** Values of a record, with booleans as SQLite stores them. */
type Stored<T> = T extends boolean
  ? boolean | number
  : T extends object
    ? { readonly [Name in keyof T]: Stored<T[Name]> }
    : T;

/**
 * Converts rows to records. A record has the fields of the schema in the order of the schema, and booleans instead of
 * SQLite's 0 and 1. All values except booleans stay unchanged.
 */
export function recordOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  type Record = z.output<z.ZodObject<Shape>>;
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, field instanceof z.ZodBoolean] as const,
  );
  return (row: Stored<Record>): Record => {
    const record: { [name: string]: unknown } = {};
    for (const [name, isBoolean] of fields) {
      const value = (row as Readonly<typeof record>)[name];
      if (value !== undefined) record[name] = isBoolean ? Boolean(value) : value;
    }
    return record as Record;
  };
}

/**
 * Returns the schema of a record's id. The schema refuses ids that SQLite could store, but that a JSON number can't
 * represent exactly.
 */
export const id = () => z.int().min(1);

/** Returns the schema of a date, or of a timestamp with an offset. */
export const date = () => z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Returns the schema of a list that clients send as comma-separated text, as a number, or as a JSON array. */
export const commaSeparated = () =>
  z.union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()]).transform((value) =>
    (Array.isArray(value) ? value : [value])
      .flatMap((part) => String(part).split(","))
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step, index) => (index === 0 ? String(step) : `[${String(step)}]`)).join("");

function reason(issue: z.core.$ZodIssue): string {
  const name = pathText(issue.path);
  if (issue.code === "custom") return `${name} ${issue.message}`.trim();
  if (issue.message === MISSING) return `${name} is missing`;
  if (issue.code === "invalid_value" || issue.code === "too_small" || issue.code === "too_big") {
    return `${name} does not have a valid value`;
  }
  return `${name} is invalid`;
}

const MISSING = "missing";
const nameMissing: z.core.$ZodErrorMap = (issue) => (issue.input === undefined ? MISSING : undefined);

/**
 * Creates the parser of an endpoint's parameters (query, JSON, form).
 *
 * @returns a function that returns the parsed parameters, or throws a 400 such as `{"error": "name is missing, page is invalid"}`
 */
export function parameterReader<Schema extends z.ZodObject>(
  schema: Schema,
): (given: Record<string, unknown>) => z.output<Schema> {
  // The converter is created at the first request, to keep the start fast.
  let coerce: ReturnType<typeof coercionFor> | undefined;
  return (given) => {
    coerce ??= coercionFor(schema);
    const parsed = schema.safeParse(coerce(given), { error: nameMissing });
    if (parsed.success) return parsed.data;
    throw badRequest([...new Set(parsed.error.issues.map(reason))].join(", "));
  };
}
