import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_2,
  declareProjects,
  NO_CONTAINER_RULES,
  NO_STAGING,
  PRODUCTION_BY_MAINTAINERS_AND_LEADS,
} from "./baseline";

export function declareData(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/data/admin": [{ inboundEnabled: false }, NO_CONTAINER_RULES],
    "alike/data/api": [{ inboundEnabled: false }, PRODUCTION_BY_MAINTAINERS_AND_LEADS],
    "alike/data/cache": [PRODUCTION_BY_MAINTAINERS_AND_LEADS, NO_CONTAINER_RULES],
    "alike/data/events": [ALLOWLIST_OF_DEPLOY_AND_TOOL_2, NO_CONTAINER_RULES],
    "alike/data/gateway": [{ pages: { forceHttps: false } }, PRODUCTION_BY_MAINTAINERS_AND_LEADS],
    "alike/data/jobs": [PRODUCTION_BY_MAINTAINERS_AND_LEADS, NO_CONTAINER_RULES],
    "alike/data/reports": [],
    "alike/data/sync": [NO_STAGING, NO_CONTAINER_RULES],
    "alike/data/web": [],
    "alike/data/worker": [PRODUCTION_BY_MAINTAINERS_AND_LEADS, NO_STAGING],
  });
}
