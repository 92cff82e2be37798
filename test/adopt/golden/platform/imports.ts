// Takes the live objects that main.ts declares into the state, with the first `steward apply`, which changes
// none of them. Afterwards, delete this file and the two lines of main.ts that name it.
import { ImportBlocks } from "cdktf-provider-steward";
import type { Construct } from "constructs";

/** Import ids by the path of the construct in the stack. */
const IMPORT_IDS = {
  "platform-invitee-1": 'platform:${var.emails["invitee-1"]}',
  "platform-invitee-2": 'platform:${var.emails["invitee-2"]}',
  "platform-invitee-3": 'platform:${var.emails["invitee-3"]}',
  "platform-gateway/job-token-scope": "platform/gateway",
  "platform-gateway/job-token-allowlist": "platform/gateway",
  "platform-gateway/environment-production": "platform/gateway:production",
  "platform-gateway/environment-review%2F*": "platform/gateway:review/*",
  "platform-gateway/environment-staging": "platform/gateway:staging",
  "platform-infrastructure-invitee-2": 'platform/infrastructure:${var.emails["invitee-2"]}',
  "platform-infrastructure-cluster/job-token-scope": "platform/infrastructure/cluster",
  "platform-infrastructure-cluster/job-token-allowlist": "platform/infrastructure/cluster",
  "platform-infrastructure-cluster/environment-production%2Feu":
    "platform/infrastructure/cluster:production/eu",
  "platform-infrastructure-cluster/environment-production%2Fus":
    "platform/infrastructure/cluster:production/us",
  "platform-infrastructure-cluster/environment-staging": "platform/infrastructure/cluster:staging",
  "platform-infrastructure-databases/job-token-scope": "platform/infrastructure/databases",
  "platform-infrastructure-databases/job-token-allowlist": "platform/infrastructure/databases",
  "platform-infrastructure-databases/environment-production%2Feu":
    "platform/infrastructure/databases:production/eu",
  "platform-infrastructure-databases/environment-production%2Fus":
    "platform/infrastructure/databases:production/us",
  "platform-infrastructure-databases/environment-staging": "platform/infrastructure/databases:staging",
  "platform-infrastructure-dns/job-token-scope": "platform/infrastructure/dns",
  "platform-infrastructure-dns/job-token-allowlist": "platform/infrastructure/dns",
  "platform-infrastructure-dns/environment-production": "platform/infrastructure/dns:production",
  "platform-infrastructure-monitoring/job-token-scope": "platform/infrastructure/monitoring",
  "platform-infrastructure-monitoring/environment-production":
    "platform/infrastructure/monitoring:production",
  "platform-infrastructure-monitoring/environment-staging": "platform/infrastructure/monitoring:staging",
  "platform-infrastructure-vault/job-token-scope": "platform/infrastructure/vault",
  "platform-infrastructure-vault/environment-production": "platform/infrastructure/vault:production",
  "platform-libraries-api-client/job-token-scope": "platform/libraries/api-client",
  "platform-libraries-api-client/job-token-allowlist": "platform/libraries/api-client",
  "platform-libraries-design-system/job-token-scope": "platform/libraries/design-system",
  "platform-libraries-design-system/job-token-allowlist": "platform/libraries/design-system",
  "platform-libraries-feature-flags/job-token-scope": "platform/libraries/feature-flags",
  "platform-libraries-feature-flags/job-token-allowlist": "platform/libraries/feature-flags",
  "platform-libraries-http-toolkit/job-token-scope": "platform/libraries/http-toolkit",
  "platform-libraries-http-toolkit/job-token-allowlist": "platform/libraries/http-toolkit",
  "platform-libraries-logging/job-token-scope": "platform/libraries/logging",
  "platform-libraries-logging/job-token-allowlist": "platform/libraries/logging",
  "platform-libraries-test-fixtures/job-token-scope": "platform/libraries/test-fixtures",
  "platform-libraries-test-fixtures/job-token-allowlist": "platform/libraries/test-fixtures",
  "platform-playground/job-token-scope": "platform/playground",
  "platform-services-accounts/job-token-scope": "platform/services/accounts",
  "platform-services-accounts/job-token-allowlist": "platform/services/accounts",
  "platform-services-accounts/environment-production": "platform/services/accounts:production",
  "platform-services-accounts/environment-review%2F*": "platform/services/accounts:review/*",
  "platform-services-accounts/environment-staging": "platform/services/accounts:staging",
  "platform-services-accounts/container-rule-platform%2Fservices%2Faccounts%2Frelease%2F*":
    "platform/services/accounts:1",
  "platform-services-audit-log/job-token-scope": "platform/services/audit-log",
  "platform-services-audit-log/job-token-allowlist": "platform/services/audit-log",
  "platform-services-audit-log/environment-production": "platform/services/audit-log:production",
  "platform-services-audit-log/environment-review%2F*": "platform/services/audit-log:review/*",
  "platform-services-audit-log/environment-staging": "platform/services/audit-log:staging",
  "platform-services-audit-log/container-rule-platform%2Fservices%2Faudit-log%2Frelease%2F*":
    "platform/services/audit-log:2",
  "platform-services-billing/job-token-scope": "platform/services/billing",
  "platform-services-billing/job-token-allowlist": "platform/services/billing",
  "platform-services-billing/environment-production": "platform/services/billing:production",
  "platform-services-billing/environment-review%2F*": "platform/services/billing:review/*",
  "platform-services-billing/environment-staging": "platform/services/billing:staging",
  "platform-services-billing/container-rule-platform%2Fservices%2Fbilling%2Frelease%2F*":
    "platform/services/billing:3",
  "platform-services-catalog/job-token-scope": "platform/services/catalog",
  "platform-services-catalog/job-token-allowlist": "platform/services/catalog",
  "platform-services-catalog/environment-production": "platform/services/catalog:production",
  "platform-services-catalog/environment-review%2F*": "platform/services/catalog:review/*",
  "platform-services-catalog/environment-staging": "platform/services/catalog:staging",
  "platform-services-catalog/container-rule-platform%2Fservices%2Fcatalog%2Frelease%2F*":
    "platform/services/catalog:4",
  "platform-services-customers/job-token-scope": "platform/services/customers",
  "platform-services-customers/job-token-allowlist": "platform/services/customers",
  "platform-services-customers/environment-production": "platform/services/customers:production",
  "platform-services-customers/environment-review%2F*": "platform/services/customers:review/*",
  "platform-services-customers/environment-staging": "platform/services/customers:staging",
  "platform-services-customers/container-rule-platform%2Fservices%2Fcustomers%2Frelease%2F*":
    "platform/services/customers:5",
  "platform-services-documents/job-token-scope": "platform/services/documents",
  "platform-services-documents/job-token-allowlist": "platform/services/documents",
  "platform-services-documents/environment-production": "platform/services/documents:production",
  "platform-services-documents/environment-review%2F*": "platform/services/documents:review/*",
  "platform-services-documents/environment-staging": "platform/services/documents:staging",
  "platform-services-documents/container-rule-platform%2Fservices%2Fdocuments%2Frelease%2F*":
    "platform/services/documents:6",
  "platform-services-events/job-token-scope": "platform/services/events",
  "platform-services-events/job-token-allowlist": "platform/services/events",
  "platform-services-events/environment-production": "platform/services/events:production",
  "platform-services-events/environment-review%2F*": "platform/services/events:review/*",
  "platform-services-events/environment-staging": "platform/services/events:staging",
  "platform-services-events/container-rule-platform%2Fservices%2Fevents%2Frelease%2F*":
    "platform/services/events:7",
  "platform-services-fulfilment/job-token-scope": "platform/services/fulfilment",
  "platform-services-fulfilment/job-token-allowlist": "platform/services/fulfilment",
  "platform-services-fulfilment/environment-production": "platform/services/fulfilment:production",
  "platform-services-fulfilment/environment-review%2F*": "platform/services/fulfilment:review/*",
  "platform-services-fulfilment/environment-staging": "platform/services/fulfilment:staging",
  "platform-services-fulfilment/container-rule-platform%2Fservices%2Ffulfilment%2Frelease%2F*":
    "platform/services/fulfilment:8",
  "platform-services-identity/job-token-scope": "platform/services/identity",
  "platform-services-identity/job-token-allowlist": "platform/services/identity",
  "platform-services-identity/environment-production": "platform/services/identity:production",
  "platform-services-identity/environment-review%2F*": "platform/services/identity:review/*",
  "platform-services-identity/environment-staging": "platform/services/identity:staging",
  "platform-services-identity/container-rule-platform%2Fservices%2Fidentity%2Frelease%2F*":
    "platform/services/identity:9",
  "platform-services-inventory/job-token-scope": "platform/services/inventory",
  "platform-services-inventory/job-token-allowlist": "platform/services/inventory",
  "platform-services-inventory/environment-production": "platform/services/inventory:production",
  "platform-services-inventory/environment-review%2F*": "platform/services/inventory:review/*",
  "platform-services-inventory/environment-staging": "platform/services/inventory:staging",
  "platform-services-inventory/container-rule-platform%2Fservices%2Finventory%2Frelease%2F*":
    "platform/services/inventory:10",
  "platform-services-ledger/job-token-scope": "platform/services/ledger",
  "platform-services-ledger/job-token-allowlist": "platform/services/ledger",
  "platform-services-ledger/environment-production": "platform/services/ledger:production",
  "platform-services-ledger/environment-review%2F*": "platform/services/ledger:review/*",
  "platform-services-ledger/environment-staging": "platform/services/ledger:staging",
  "platform-services-ledger/container-rule-platform%2Fservices%2Fledger%2Frelease%2F*":
    "platform/services/ledger:11",
  "platform-services-mailer/job-token-scope": "platform/services/mailer",
  "platform-services-mailer/job-token-allowlist": "platform/services/mailer",
  "platform-services-mailer/environment-production": "platform/services/mailer:production",
  "platform-services-mailer/environment-review%2F*": "platform/services/mailer:review/*",
  "platform-services-mailer/environment-staging": "platform/services/mailer:staging",
  "platform-services-mailer/container-rule-platform%2Fservices%2Fmailer%2Frelease%2F*":
    "platform/services/mailer:12",
  "platform-tooling-ci-images/job-token-scope": "platform/tooling/ci-images",
  "platform-tooling-ci-images/job-token-allowlist": "platform/tooling/ci-images",
  "platform-tooling-ci-images/container-rule-platform%2Ftooling%2Fci-images%2F*":
    "platform/tooling/ci-images:13",
  "platform-tooling-ci-images/container-rule-platform%2Ftooling%2Fci-images%2Fbase*":
    "platform/tooling/ci-images:14",
  "platform-tooling-deploy-tools/job-token-scope": "platform/tooling/deploy-tools",
  "platform-tooling-handbook/job-token-scope": "platform/tooling/handbook",
  "platform-tooling-handbook/pages": "platform/tooling/handbook",
  "platform-tooling-handbook-invitee-2": 'platform/tooling/handbook:${var.emails["invitee-2"]}',
  "platform-tooling-sandbox/job-token-scope": "platform/tooling/sandbox",
  "platform-tooling-test-runner/job-token-scope": "platform/tooling/test-runner",
};

export function importLiveObjects(stack: Construct): void {
  new ImportBlocks(stack, "imports", IMPORT_IDS);
}
