import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_2,
  declareProjects,
  NO_STAGING,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS_NO_STAGING,
} from "./baseline";

export function declareData(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/data/admin": { inboundEnabled: false, containerProtectionRules: {} },
    "alike/data/api": { inboundEnabled: false, ...PRODUCTION_BY_MAINTAINERS_AND_LEADS },
    "alike/data/cache": { ...PRODUCTION_BY_MAINTAINERS_AND_LEADS, containerProtectionRules: {} },
    "alike/data/events": { allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_2, containerProtectionRules: {} },
    "alike/data/gateway": { ...PRODUCTION_BY_MAINTAINERS_AND_LEADS, pages: { forceHttps: false } },
    "alike/data/jobs": { ...PRODUCTION_BY_MAINTAINERS_AND_LEADS, containerProtectionRules: {} },
    "alike/data/reports": {},
    "alike/data/sync": { ...NO_STAGING, containerProtectionRules: {} },
    "alike/data/web": {},
    "alike/data/worker": { ...PRODUCTION_BY_MAINTAINERS_AND_LEADS_NO_STAGING },
  });
}
