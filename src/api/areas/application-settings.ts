import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { operation } from "../calls/operation";
import { flagOrNull, idOrNull } from "../fields";

// This schema contains only the settings that Steward uses. The live platform returns hundreds of settings, which
// differ between releases.
const settings = z.object({
  id: idOrNull,
  signup_enabled: flagOrNull,
  enable_member_promotion_management: flagOrNull,
  enforce_ci_inbound_job_token_scope_enabled: flagOrNull,
});

/** The settings of the instance that the client uses. */
export type ApplicationSettings = z.output<typeof settings>;

/**
 * Settings of the instance. If the service returns these settings, the token has an administrator's rights. With Admin
 * Mode on, the token needs the scope `admin_mode`.
 */
export const applicationSettings = defineArea("applicationSettings", "Look-ups", {
  /** Reads the settings of the instance. Fails with `forbidden` if the token does not have an administrator's rights. */
  get: operation("GET /application/settings", {
    summary: "Reads the settings of the instance; for administrators in effect only.",
    answer: settings,
  }),
});
