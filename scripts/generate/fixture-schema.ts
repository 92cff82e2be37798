import { fixtureSchemaText } from "../../src/service/fixture/schema";
import type { Generator } from "./generated-files";

/**
 * Generates `docs/fixture.schema.json`, the JSON schema of the embedded service's fixtures. The text comes from the
 * schema with which the service checks fixtures.
 */
export const fixtureSchema = (): Generator => ({
  place: "docs/fixture.schema.json",
  generate: async () => new Map([["docs/fixture.schema.json", fixtureSchemaText()]]),
});
