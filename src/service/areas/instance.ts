import { z } from "zod";
import { administrator, anyone, signedIn } from "../endpoint/authorization";
import { type Endpoint, endpoint, inSection } from "../endpoint/endpoint";
import {
  APPLICATION_SETTINGS,
  applicationSettings,
  changeApplicationSettings,
} from "../store/application-settings";

const version = z.object({ version: z.string(), revision: z.string() });

const settingsRecord = z.object(APPLICATION_SETTINGS).meta({ id: "ApplicationSettings" });

export const instanceEndpoints = inSection("settled: Around the specification", [
  endpoint({
    route: "GET /version",
    summary: "Version and revision of the instance",
    access: signedIn,
    scopes: ["read_user"],
    answer: version.meta({ id: "Version" }),
    handle: ({ settings }) => ({ version: settings.version, revision: settings.revision }),
  }),
  endpoint({
    route: "GET /metadata",
    summary: "Release and edition of the instance",
    access: signedIn,
    scopes: ["read_user"],
    answer: version.extend({ enterprise: z.boolean() }).meta({ id: "Metadata" }),
    handle: ({ settings }) => ({
      version: settings.version,
      revision: settings.revision,
      enterprise: settings.version.endsWith("-ee"),
    }),
  }),
  endpoint({
    route: "GET /application/settings",
    summary: "Settings of the instance",
    access: administrator,
    answer: settingsRecord,
    handle: ({ database }) => applicationSettings(database),
  }),
  endpoint({
    route: "PUT /application/settings",
    summary: "Change settings of the instance",
    access: administrator,
    input: settingsRecord.partial().shape,
    answer: settingsRecord,
    handle: ({ database, input }) => {
      changeApplicationSettings(database, input);
      return applicationSettings(database);
    },
  }),
]);

/** Returns the endpoint that serves the OpenAPI document. The first request generates the document. */
export function documentEndpoint(make: () => Record<string, unknown>): readonly Endpoint[] {
  let made: Record<string, unknown> | undefined;
  return inSection("settled: an OpenAPI document, served", [
    endpoint({
      route: "GET /_steward/openapi.json",
      summary: "This document",
      access: anyone,
      answer: z.record(z.string(), z.unknown()),
      handle: () => {
        made ??= make();
        return made;
      },
    }),
  ]);
}
