import { createProvider } from "../../provider";
import { schemaJson } from "../../provider/schema/wire";
import type { Terminal } from "../terminal";

/** Writes the provider's schema, in the shape of `terraform providers schema -json`. */
export async function schema(_args: object, terminal: Terminal): Promise<number> {
  terminal.out.write(`${JSON.stringify(schemaJson(createProvider().schema))}\n`);
  return 0;
}
