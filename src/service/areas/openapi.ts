import { z } from "zod";
import { anyone } from "../endpoint/authorization";
import { type Endpoint, endpoint } from "../endpoint/endpoint";

/** Serves the OpenAPI document, which is generated at the first request. */
export function documentEndpoint(make: () => Record<string, unknown>): Endpoint {
  let made: Record<string, unknown> | undefined;
  return endpoint({
    method: "GET",
    path: "/_steward/openapi.json",
    summary: "This document",
    section: "settled: an OpenAPI document, served",
    access: anyone,
    answer: z.record(z.string(), z.unknown()),
    handle: () => {
      made ??= make();
      return made;
    },
  });
}
