import { openApiText } from "../../src/service/start/route-table";
import type { Generator } from "./generated-files";

/** `docs/openapi.json`: the embedded service's whole interface, from its route table. */
export const openApiDocument = (): Generator => ({
  place: "docs/openapi.json",
  generate: async () => new Map([["docs/openapi.json", openApiText()]]),
});
