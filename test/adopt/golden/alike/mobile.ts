import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_0,
  declareProjects,
  NO_STAGING,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS_NO_STAGING,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS_WITH_3_APPROVALS,
  PRODUCTION_WITH_2_APPROVALS_NO_STAGING,
} from "./baseline";

export function declareMobile(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/mobile/admin": { ...NO_STAGING, pages: { forceHttps: false } },
    "alike/mobile/api": {},
    "alike/mobile/cache": { ...PRODUCTION_BY_MAINTAINERS_AND_LEADS_WITH_3_APPROVALS },
    "alike/mobile/events": { ...PRODUCTION_BY_MAINTAINERS_AND_LEADS_NO_STAGING },
    "alike/mobile/gateway": {},
    "alike/mobile/jobs": { inboundEnabled: false, ...NO_STAGING },
    "alike/mobile/reports": { ...NO_STAGING, containerProtectionRules: {} },
    "alike/mobile/sync": {},
    "alike/mobile/web": { ...PRODUCTION_WITH_2_APPROVALS_NO_STAGING },
    "alike/mobile/worker": { allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_0, ...NO_STAGING },
  });
}
