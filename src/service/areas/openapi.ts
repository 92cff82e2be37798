import { z } from "zod";
import { anyone } from "../endpoint/authorization";
import { type Endpoint, endpoint, inSection } from "../endpoint/endpoint";

/** Serves the OpenAPI document, which is generated at the first request. */
export function documentEndpoint(make: () => Record<string, unknown>): readonly Endpoint[] {
  let made: Record<string, unknown> | undefined;
  const document = endpoint({
    method: "GET",
    path: "/_steward/openapi.json",
    summary: "This document",
    access: anyone,
    answer: z.record(z.string(), z.unknown()),
    handle: () => {
      made ??= make();
      return made;
    },
  });
  return inSection("settled: an OpenAPI document, served", [document]);
}
