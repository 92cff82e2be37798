import * as z from "zod/mini";

/** An id: an integer. */
export const id = z.int();

/** A required text. For fields that identify an object, and for fields that Steward compares. */
export const text = z.string();

/**
 * Returns the schema of a field that is null or missing for some tokens or in some releases of the platform. A
 * missing field becomes null.
 */
export const orNull = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z._default(z.nullable(schema), null as never);

export const textOrNull = orNull(z.string());
export const numberOrNull = orNull(z.number());
export const idOrNull = orNull(z.int());

/**
 * An access level in a response. The schema `level` also accepts texts and booleans, which `readLevel` of the
 * provider refuses later. So an invalid level fails only one object, and not the whole list.
 */
export const level = z.custom<number>((value) => ["number", "string", "boolean"].includes(typeof value));

/** A field whose type the specification leaves open. */
export const scalarOrNull = orNull(z.union([z.string(), z.number(), z.boolean()]));

/** A required boolean. Null becomes false (specification, "Resources and their fields"). */
export const flag = z.pipe(
  z.nullable(z.boolean()),
  z.transform((isSet): boolean => isSet ?? false),
);

/**
 * A boolean that is missing for some tokens or in some releases of the platform. A missing field becomes null, and
 * null becomes false.
 */
export const flagOrNull = z.pipe(
  z.optional(z.nullable(z.boolean())),
  z.transform((isSet): boolean | null => (isSet === undefined ? null : (isSet ?? false))),
);

/** Returns the schema of a list. If the field is missing or null, the list is empty. */
export const listOf = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.optional(z.nullable(z.array(schema))),
    z.transform((value): z.output<Schema>[] => value ?? []),
  );

/** Returns the schema of a number that has one of the given values. */
export const oneOf = (...values: readonly number[]) =>
  z.number().check(z.refine((value) => values.includes(value), { error: values.join(" or ") }));

/** A group with which a project or group is shared, as the read of a single project or group returns it. */
export const sharedGroup = z.object({
  group_id: id,
  group_name: textOrNull,
  group_full_path: text,
  group_access_level: z.number(),
  expires_at: textOrNull,
});
