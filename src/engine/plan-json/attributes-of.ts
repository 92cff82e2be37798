import type { Provider } from "../../framework";
import type { Attributes } from "../../schema";
import { builtinSchema } from "../builtin/builtin-schemas";

/** What a schema says of a resource or data source; nothing of a type that no provider has. */
export function attributesOf(
  providers: Readonly<Record<string, Provider>>,
  { mode, type }: { readonly mode: "managed" | "data"; readonly type: string },
): Attributes | undefined {
  const kind = mode === "managed" ? "resources" : "dataSources";
  const found = Object.values(providers).find(({ schema }) => Object.hasOwn(schema[kind], type));
  return found?.schema[kind][type]?.attributes ?? builtinSchema(mode, type)?.attributes;
}
