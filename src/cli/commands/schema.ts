import { createProvider } from "../../provider";
import type { Terminal } from "../terminal/terminal";
import { writeSchema } from "../views/command-results";

/** Writes the schema of the provider. */
export async function schema(_args: object, terminal: Terminal): Promise<number> {
  writeSchema(createProvider().schema, terminal);
  return 0;
}
