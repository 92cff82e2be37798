import type { Provider } from "../../framework";
import type { Attributes, Schema } from "../../schema";
import { builtinSchema } from "../builtin/builtin-schemas";

type Type = { readonly mode: "managed" | "data"; readonly type: string };

/** The schema of a resource or data source; undefined if no provider and not the engine has the type. */
export function findSchema(
  providers: Readonly<Record<string, Provider>>,
  { mode, type }: Type,
): Schema | undefined {
  const kind = mode === "managed" ? "resources" : "dataSources";
  const found = Object.values(providers).find(({ schema }) => Object.hasOwn(schema[kind], type));
  return found?.schema[kind][type] ?? builtinSchema(mode, type);
}

/** The attributes of a type's schema. */
export const attributesOf = (
  providers: Readonly<Record<string, Provider>>,
  type: Type,
): Attributes | undefined => findSchema(providers, type)?.attributes;
