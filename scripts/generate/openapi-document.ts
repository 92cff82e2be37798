import { openApiText } from "../../src/service/start/route-table";
import type { Generator } from "./generated-files";

/** Generates `docs/openapi.json` from the route table: it describes all endpoints of the embedded service. */
export const openApiDocument = (): Generator => ({
  place: "docs/openapi.json",
  generate: async () => new Map([["docs/openapi.json", openApiText()]]),
});
