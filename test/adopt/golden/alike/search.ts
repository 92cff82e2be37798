import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_2,
  APPROVED_BY_3_OF_LEADS,
  declareProjects,
  ENVIRONMENTS,
  MAINTAINERS_AND_LEADS,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS,
  PRODUCTION_WITH_3_APPROVALS,
} from "./baseline";

export function declareSearch(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/search/admin": {
      inboundEnabled: false,
      protectedEnvironments: { production: ENVIRONMENTS.production },
    },
    "alike/search/api": {
      protectedEnvironments: {
        production: {
          ...ENVIRONMENTS.production,
          approvalRules: [{ group: "alike/leads", requiredApprovals: 2 }],
        },
      },
    },
    "alike/search/cache": { inboundEnabled: false, containerProtectionRules: {} },
    "alike/search/events": {
      inboundEnabled: false,
      protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_WITH_3_APPROVALS },
    },
    "alike/search/gateway": { inboundEnabled: false, allowlist: ALLOWLIST_OF_DEPLOY_AND_TOOL_2 },
    "alike/search/jobs": {
      protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_WITH_3_APPROVALS },
      pages: { forceHttps: false },
    },
    "alike/search/reports": {},
    "alike/search/sync": {
      inboundEnabled: false,
      protectedEnvironments: { ...ENVIRONMENTS, production: PRODUCTION_BY_MAINTAINERS_AND_LEADS },
    },
    "alike/search/web": {},
    "alike/search/worker": {
      protectedEnvironments: {
        ...ENVIRONMENTS,
        production: { deployAccessLevels: MAINTAINERS_AND_LEADS, approvalRules: APPROVED_BY_3_OF_LEADS },
      },
    },
  });
}
