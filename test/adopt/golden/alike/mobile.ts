import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_0,
  declareProjects,
  NO_CONTAINER_RULES,
  NO_STAGING,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS,
  PRODUCTION_WITH_2_APPROVALS,
  PRODUCTION_WITH_3_APPROVALS,
} from "./baseline";

export function declareMobile(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/mobile/admin": [{ pages: { forceHttps: false } }, NO_STAGING],
    "alike/mobile/api": [],
    "alike/mobile/cache": [PRODUCTION_BY_MAINTAINERS_AND_LEADS, PRODUCTION_WITH_3_APPROVALS],
    "alike/mobile/events": [PRODUCTION_BY_MAINTAINERS_AND_LEADS, NO_STAGING],
    "alike/mobile/gateway": [],
    "alike/mobile/jobs": [{ inboundEnabled: false }, NO_STAGING],
    "alike/mobile/reports": [NO_STAGING, NO_CONTAINER_RULES],
    "alike/mobile/sync": [],
    "alike/mobile/web": [PRODUCTION_WITH_2_APPROVALS, NO_STAGING],
    "alike/mobile/worker": [ALLOWLIST_OF_DEPLOY_AND_TOOL_0, NO_STAGING],
  });
}
