import type { Provider } from "../../framework";
import type { Attributes, Schema } from "../../schema";
import { builtinSchema } from "../builtin/builtin-schemas";

type Type = { readonly mode: "managed" | "data"; readonly type: string };

/** The schema of a resource or data source; nothing of a type that neither a provider nor the engine has. */
export function findSchema(
  providers: Readonly<Record<string, Provider>>,
  { mode, type }: Type,
): Schema | undefined {
  const kind = mode === "managed" ? "resources" : "dataSources";
  const found = Object.values(providers).find(({ schema }) => Object.hasOwn(schema[kind], type));
  return found?.schema[kind][type] ?? builtinSchema(mode, type);
}

/** What its schema says of the attributes. */
export const attributesOf = (
  providers: Readonly<Record<string, Provider>>,
  type: Type,
): Attributes | undefined => findSchema(providers, type)?.attributes;
