import { fixtureSchemaText } from "../../src/service/fixture/schema";
import type { Generator } from "./generated-files";

/** `docs/fixture.schema.json`: the content of a fixture of the embedded service, from the schema that checks it. */
export const fixtureSchema = (): Generator => ({
  place: "docs/fixture.schema.json",
  generate: async () => new Map([["docs/fixture.schema.json", fixtureSchemaText()]]),
});
