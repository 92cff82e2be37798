import { fixtureSchemaText } from "../../src/service/fixture/schema";
import type { Generator } from "./generated-files";

/** `docs/fixture.schema.json`: what a fixture of the embedded service may hold, from the schema that checks it. */
export const fixtureSchema = (): Generator => ({
  place: "docs/fixture.schema.json",
  generate: async () => new Map([["docs/fixture.schema.json", fixtureSchemaText()]]),
});
