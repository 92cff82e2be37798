import { z } from "zod";

type Coercion = (value: unknown) => unknown;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const identity: Coercion = (value) => value;

const toNumber: Coercion = (value) =>
  typeof value === "string" && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value;

const toBoolean: Coercion = (value) => {
  if (typeof value !== "string") return value;
  const word = value.toLowerCase();
  return word === "true" ? true : word === "false" ? false : value;
};

/** The literal that a text stands for; `030` is the number 30. */
function ofLiteral(values: ReadonlySet<unknown>): Coercion {
  const spelled = [toNumber, toBoolean].map((coerce) => (value: unknown) => {
    const taken = coerce(value);
    return taken !== value && values.has(taken) ? taken : undefined;
  });
  return (value) => spelled.map((read) => read(value)).find((taken) => taken !== undefined) ?? value;
}

/** `items[0][key]=` is parsed to a hash with numeric keys; they give the order of the list. */
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
      // Clients send null for what was left out.
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
 * Creates a function that converts a query or form parameter (texts, numbered elements) to its JSON form. A value that it
 * cannot convert stays as it is, for the schema to reject. Fields that the schema does not name are dropped.
 */
export function coercionFor(schema: z.ZodType): Coercion {
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
