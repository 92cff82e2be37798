import type { ProviderSchema } from "../../provider/schema";
import { schemaJson } from "../../provider/schema/wire";
import type { Terminal } from "../terminal";

/** Writes a schema in the shape of `terraform providers schema -json`. */
export function writeSchema(schema: ProviderSchema, { out }: Pick<Terminal, "out">): void {
  out.line(JSON.stringify(schemaJson(schema)));
}
