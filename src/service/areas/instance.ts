import { z } from "zod";
import { administrator, signedIn } from "../endpoint/authorization";
import { endpoint, inSection } from "../endpoint/endpoint";
import { PROMOTIONS, promotionsNeedApproval, setPromotionsNeedApproval } from "../model/promotions";
import type { Database } from "../store/database";

const section = "settled: Around the specification";

const version = z.object({ version: z.string(), revision: z.string() });

const getVersion = endpoint({
  method: "GET",
  path: "/version",
  summary: "Version and revision of the instance",
  access: signedIn,
  scopes: ["read_user"],
  answer: version.meta({ id: "Version" }),
  handle: ({ settings }) => ({ version: settings.version, revision: settings.revision }),
});

const getMetadata = endpoint({
  method: "GET",
  path: "/metadata",
  summary: "Release and edition of the instance",
  access: signedIn,
  scopes: ["read_user"],
  answer: version.extend({ enterprise: z.boolean() }).meta({ id: "Metadata" }),
  handle: ({ settings }) => ({
    version: settings.version,
    revision: settings.revision,
    enterprise: settings.version.endsWith("-ee"),
  }),
});

const applicationSettings = z.object({ [PROMOTIONS]: z.boolean() }).meta({ id: "ApplicationSettings" });

const settingsOf = (database: Database) => ({ [PROMOTIONS]: promotionsNeedApproval(database) });

const getSettings = endpoint({
  method: "GET",
  path: "/application/settings",
  summary: "Settings of the instance",
  access: administrator,
  answer: applicationSettings,
  handle: ({ database }) => settingsOf(database),
});

const changeSettings = endpoint({
  method: "PUT",
  path: "/application/settings",
  summary: "Change settings of the instance",
  access: administrator,
  input: { [PROMOTIONS]: z.boolean().optional() },
  answer: applicationSettings,
  handle: ({ database, input }) => {
    const wait = input[PROMOTIONS];
    if (wait !== undefined) setPromotionsNeedApproval(database, wait);
    return settingsOf(database);
  },
});

export const instanceEndpoints = inSection(section, [getVersion, getMetadata, getSettings, changeSettings]);
