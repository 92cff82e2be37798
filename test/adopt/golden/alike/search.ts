import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_2,
  declareProjects,
  NO_CONTAINER_RULES,
  NO_STAGING,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS,
  PRODUCTION_WITH_2_APPROVALS,
  PRODUCTION_WITH_3_APPROVALS,
} from "./baseline";

export function declareSearch(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/search/admin": [{ inboundEnabled: false }, NO_STAGING],
    "alike/search/api": [PRODUCTION_WITH_2_APPROVALS, NO_STAGING],
    "alike/search/cache": [{ inboundEnabled: false }, NO_CONTAINER_RULES],
    "alike/search/events": [{ inboundEnabled: false }, PRODUCTION_WITH_3_APPROVALS],
    "alike/search/gateway": [{ inboundEnabled: false }, ALLOWLIST_OF_DEPLOY_AND_TOOL_2],
    "alike/search/jobs": [{ pages: { forceHttps: false } }, PRODUCTION_WITH_3_APPROVALS],
    "alike/search/reports": [],
    "alike/search/sync": [{ inboundEnabled: false }, PRODUCTION_BY_MAINTAINERS_AND_LEADS],
    "alike/search/web": [],
    "alike/search/worker": [PRODUCTION_BY_MAINTAINERS_AND_LEADS, PRODUCTION_WITH_3_APPROVALS],
  });
}
