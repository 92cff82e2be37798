import * as z from "zod/mini";

/** Adds to a schema the description that the published JSON schemas show. */
export const described = <T extends z.core.$ZodType>(description: string, schema: T): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

/** Returns the schema of an optional property, with the description of the property. */
export const optional = <T extends z.core.$ZodType>(description: string, schema: T): z.ZodMiniOptional<T> =>
  described(description, z.optional(schema));
export const text = (description: string) => optional(description, z.string());
export const texts = (description: string) => optional(description, z.array(z.string()));
/** Returns the schema of an optional property that can only be true. */
export const flag = (description: string) => optional(description, z.literal(true));
