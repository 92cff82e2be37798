import { z } from "zod";
import { type Database, readSetting, writeSetting } from "./database";

const description = {
  admin_mode: "Whether a token needs the scope `admin_mode` to act as an administrator. Default: false.",
  deletion_adjourned_period: "Days between the deletion of a project and its removal. Default: 0, no delay.",
  enable_member_promotion_management:
    "Whether an administrator approves promotions to a billable role. Default: false.",
  enforce_ci_inbound_job_token_scope_enabled:
    "Whether the instance limits access by job tokens for every project. Default: false.",
};

/** The schemas of the settings that `GET` and `PUT /application/settings` serve, under the platform's names. */
export const APPLICATION_SETTINGS = {
  admin_mode: z.boolean().describe(description.admin_mode),
  deletion_adjourned_period: z.int().min(0).max(90).describe(description.deletion_adjourned_period),
  enable_member_promotion_management: z.boolean().describe(description.enable_member_promotion_management),
  enforce_ci_inbound_job_token_scope_enabled: z
    .boolean()
    .describe(description.enforce_ci_inbound_job_token_scope_enabled),
};

export type ApplicationSettings = z.output<z.ZodObject<typeof APPLICATION_SETTINGS>>;

const INITIAL: Readonly<ApplicationSettings> = {
  admin_mode: false,
  deletion_adjourned_period: 0,
  enable_member_promotion_management: false,
  enforce_ci_inbound_job_token_scope_enabled: false,
};

/** Returns the value of an application setting. Administrators can change these settings while the instance runs. */
export const applicationSetting = <Name extends keyof ApplicationSettings>(
  database: Database,
  name: Name,
): ApplicationSettings[Name] =>
  (readSetting(database, name) as ApplicationSettings[Name] | undefined) ?? INITIAL[name];

export const applicationSettings = (database: Database): ApplicationSettings => ({
  admin_mode: applicationSetting(database, "admin_mode"),
  deletion_adjourned_period: applicationSetting(database, "deletion_adjourned_period"),
  enable_member_promotion_management: applicationSetting(database, "enable_member_promotion_management"),
  enforce_ci_inbound_job_token_scope_enabled: applicationSetting(
    database,
    "enforce_ci_inbound_job_token_scope_enabled",
  ),
});

/** Stores the given settings. A setting that is undefined keeps its value. */
export function changeApplicationSettings(
  database: Database,
  change: { readonly [Name in keyof ApplicationSettings]?: ApplicationSettings[Name] | undefined },
): void {
  for (const [name, value] of Object.entries(change))
    if (value !== undefined) writeSetting(database, name, value);
}
