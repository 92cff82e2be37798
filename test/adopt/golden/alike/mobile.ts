import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_0,
  APPROVED_BY_3_OF_LEADS,
  declareProjects,
  ENVIRONMENTS,
  MAINTAINERS_AND_LEADS,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS,
} from "./baseline";

export function declareMobile(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/mobile/admin": {
      protectedEnvironments: { production: ENVIRONMENTS.production },
      pages: { forceHttps: false },
    },
    "alike/mobile/api": {},
    "alike/mobile/cache": {
      protectedEnvironments: {
        ...ENVIRONMENTS,
        production: { deployAccessLevels: MAINTAINERS_AND_LEADS, approvalRules: APPROVED_BY_3_OF_LEADS },
      },
    },
    "alike/mobile/events": { protectedEnvironments: { production: PRODUCTION_BY_MAINTAINERS_AND_LEADS } },
    "alike/mobile/gateway": {},
    "alike/mobile/jobs": {
      inboundEnabled: false,
      protectedEnvironments: { production: ENVIRONMENTS.production },
    },
    "alike/mobile/reports": {
      protectedEnvironments: { production: ENVIRONMENTS.production },
      containerProtectionRules: {},
    },
    "alike/mobile/sync": {},
    "alike/mobile/web": {
      protectedEnvironments: {
        production: {
          ...ENVIRONMENTS.production,
          approvalRules: [{ group: "alike/leads", requiredApprovals: 2 }],
        },
      },
    },
    "alike/mobile/worker": {
      allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_0,
      protectedEnvironments: { production: ENVIRONMENTS.production },
    },
  });
}
