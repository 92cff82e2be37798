import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_2,
  declareProjects,
  ENVIRONMENTS,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS,
} from "./baseline";

export function declareData(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/data/admin": { inboundEnabled: false, containerProtectionRules: {} },
    "alike/data/api": {
      inboundEnabled: false,
      protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
    },
    "alike/data/cache": {
      protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
      containerProtectionRules: {},
    },
    "alike/data/events": { allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_2, containerProtectionRules: {} },
    "alike/data/gateway": {
      protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
      pages: { forceHttps: false },
    },
    "alike/data/jobs": {
      protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
      containerProtectionRules: {},
    },
    "alike/data/reports": {},
    "alike/data/sync": {
      protectedEnvironments: { production: ENVIRONMENTS.production },
      containerProtectionRules: {},
    },
    "alike/data/web": {},
    "alike/data/worker": { protectedEnvironments: { production: PRODUCTION_BY_MAINTAINERS_AND_LEADS } },
  });
}
