import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { operation } from "../calls/operation";
import { flagOrNull, idOrNull } from "../fields";

// The live platform returns hundreds; of each release, some of these.
const settings = z.object({
  id: idOrNull,
  signup_enabled: flagOrNull,
  enable_member_promotion_management: flagOrNull,
  enforce_ci_inbound_job_token_scope_enabled: flagOrNull,
});

/** Settings of the instance, as far as the client uses them. */
export type ApplicationSettings = z.output<typeof settings>;

/**
 * Settings of the instance (settled, "Admin Mode"). A success proves that the token has an administrator's rights in effect:
 * with Admin Mode on, that needs the scope `admin_mode`.
 */
export const applicationSettings = defineArea("applicationSettings", "Look-ups", {
  /** `forbidden` without the rights of an administrator in effect. */
  get: operation("GET /application/settings", {
    summary: "Reads the settings of the instance; for administrators in effect only.",
    answer: settings,
  }),
});
