import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { operation } from "../calls/operation";
import { flagOrNull, idOrNull } from "../fields";

// The live platform returns hundreds of settings, and other settings in each release.
const settings = z.object({
  id: idOrNull,
  signup_enabled: flagOrNull,
  enable_member_promotion_management: flagOrNull,
  enforce_ci_inbound_job_token_scope_enabled: flagOrNull,
});

/** The settings of the instance that the client uses. */
export type ApplicationSettings = z.output<typeof settings>;

/**
 * Settings of the instance (`settled`, "Admin Mode"). A success proves that an administrator's rights are in
 * effect for the token. With Admin Mode on, the token needs the scope `admin_mode`.
 */
export const applicationSettings = defineArea("applicationSettings", "Look-ups", {
  /** Throws `forbidden` if no administrator's rights are in effect. */
  get: operation("GET /application/settings", {
    summary: "Reads the settings of the instance; for administrators in effect only.",
    answer: settings,
  }),
});
