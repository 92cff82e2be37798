import { type ProviderSchema, schemaJson } from "../../engine";
import type { Terminal } from "../terminal/terminal";

/** Writes a schema in the format of `terraform providers schema -json`. */
export function writeSchema(schema: ProviderSchema, { out }: Pick<Terminal, "out">): void {
  out.line(JSON.stringify(schemaJson(schema)));
}
