import * as z from "zod/mini";

/** A schema with the description that `docs/report.schema.json` shows. */
export const described = <T extends z.core.$ZodType>(description: string, schema: T): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};
