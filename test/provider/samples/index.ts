import type { Walk } from "../../support/every-resource";
import { GROUP, PROJECT, TOKEN } from "../support/world";
import { containerProtectionRule } from "./container-protection-rule";
import { invitationSample } from "./invitation";
import { jobTokenAllowlist } from "./job-token-allowlist";
import { jobTokenAllowlistGroup } from "./job-token-allowlist-group";
import { jobTokenAllowlistProject } from "./job-token-allowlist-project";
import { jobTokenScope } from "./job-token-scope";
import { pagesSettings } from "./pages-settings";
import { protectedEnvironment } from "./protected-environment";
import type { Sample } from "./sample";

export { isSent, type Sample, varied } from "./sample";

/** The samples by type, one file each. A registered resource without one fails every suite that walks over them. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  steward_container_protection_rule: containerProtectionRule,
  steward_group_invitation: invitationSample(
    { group: "acme/platform" },
    { group: "acme/approvers" },
    `/groups/${GROUP.platform}`,
  ),
  steward_job_token_allowlist: jobTokenAllowlist,
  steward_job_token_allowlist_group: jobTokenAllowlistGroup,
  steward_job_token_allowlist_project: jobTokenAllowlistProject,
  steward_job_token_scope: jobTokenScope,
  steward_pages_settings: pagesSettings,
  steward_project_invitation: invitationSample(
    { project: "acme/web" },
    { project: "acme/docs" },
    `/projects/${PROJECT.web}`,
  ),
  steward_protected_environment: protectedEnvironment,
};

/** The token of who applies objects of a type. */
export const appliedBy = (type: string): string => SAMPLES[type]?.appliedBy ?? TOKEN.maintainer;

/** What a suite walks over that needs no more of a resource than its sample. */
export const everySample = (about: string): Walk<Sample> => ({
  about,
  samples: SAMPLES,
  file: "test/provider/samples/index.ts",
});
