import type { TerraformStack } from "cdktf";
import {
  ALLOWLIST_OF_DEPLOY_AND_TOOL_0,
  ALLOWLIST_OF_DEPLOY_AND_TOOL_2,
  declareProjects,
  NO_CONTAINER_RULES,
  NO_STAGING,
  PRODUCTION_WITH_3_APPROVALS,
} from "./baseline";

export function declarePayments(stack: TerraformStack): void {
  declareProjects(stack, {
    "alike/payments/admin": [
      { allowlist: { targetProjects: ["alike/tools/deploy", "alike/tools/tool-1"] } },
      PRODUCTION_WITH_3_APPROVALS,
    ],
    "alike/payments/api": [],
    "alike/payments/cache": [{ inboundEnabled: false }, PRODUCTION_WITH_3_APPROVALS],
    "alike/payments/events": [ALLOWLIST_OF_DEPLOY_AND_TOOL_2, NO_CONTAINER_RULES],
    "alike/payments/gateway": [],
    "alike/payments/jobs": [ALLOWLIST_OF_DEPLOY_AND_TOOL_0, NO_STAGING],
    "alike/payments/reports": [{ pages: { forceHttps: false } }, ALLOWLIST_OF_DEPLOY_AND_TOOL_0],
    "alike/payments/sync": [],
    "alike/payments/web": [{ inboundEnabled: false }, ALLOWLIST_OF_DEPLOY_AND_TOOL_2],
    "alike/payments/worker": [
      { allowlist: { targetProjects: ["alike/tools/deploy", "alike/tools/tool-1"] } },
      PRODUCTION_WITH_3_APPROVALS,
    ],
  });
}
