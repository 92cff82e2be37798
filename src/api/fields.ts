import * as z from "zod/mini";

/** An id: a whole number. */
export const id = z.int();

/** Text that identifies or compares an object: it must be there. */
export const text = z.string();

/** A field that may be null, or missing because it is newer, older or not for everybody: then it is null. */
export const orNull = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z._default(z.nullable(schema), null as never);

export const textOrNull = orNull(z.string());
export const numberOrNull = orNull(z.number());
export const idOrNull = orNull(z.int());

/** A field of which the specification leaves the type open. */
export const scalarOrNull = orNull(z.union([z.string(), z.number(), z.boolean()]));

/** A boolean that must be there, and of which null means false (section "Resources and their fields"). */
export const flag = z.pipe(
  z.nullable(z.boolean()),
  z.transform((value): boolean => value ?? false),
);

/** A boolean that may be missing because of the release or of who asks: missing is null, null is false. */
export const flagOrNull = z.pipe(
  z.optional(z.nullable(z.boolean())),
  z.transform((value): boolean | null => (value === undefined ? null : (value ?? false))),
);

/** A list that is empty where it is missing or null. */
export const listOf = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.optional(z.nullable(z.array(schema))),
    z.transform((value): z.output<Schema>[] => value ?? []),
  );

/** A number of which the interface takes a few values alone. */
export const oneOf = (...values: readonly number[]) =>
  z.number().check(z.refine((value) => values.includes(value), { error: values.join(" or ") }));
