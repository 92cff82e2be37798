// Takes the live objects that main.ts declares into the state, with the first `steward apply`, which changes
// none of them. Afterwards, delete this file and the two lines of main.ts that name it.
import { ImportBlocks } from "cdktf-provider-steward";
import type { Construct } from "constructs";

/** Import ids by the path of the construct in the stack. */
const IMPORT_IDS = {
  "shop-invitee-1": 'shop:${var.emails["invitee-1"]}',
  "shop-cart/job-token-scope": "shop/cart",
  "shop-cart/job-token-allowlist": "shop/cart",
  "shop-cart/environment-production": "shop/cart:production",
  "shop-cart/environment-staging": "shop/cart:staging",
  "shop-cart/container-rule-shop%2Fcart%2Frelease*": "shop/cart:1",
  "shop-catalog/job-token-scope": "shop/catalog",
  "shop-catalog/job-token-allowlist": "shop/catalog",
  "shop-catalog/environment-production": "shop/catalog:production",
  "shop-catalog/environment-staging": "shop/catalog:staging",
  "shop-catalog/container-rule-shop%2Fcatalog%2Frelease*": "shop/catalog:2",
  "shop-checkout/job-token-scope": "shop/checkout",
  "shop-checkout/job-token-allowlist": "shop/checkout",
  "shop-checkout/environment-production": "shop/checkout:production",
  "shop-checkout/environment-staging": "shop/checkout:staging",
  "shop-checkout/container-rule-shop%2Fcheckout%2Frelease*": "shop/checkout:3",
  "shop-deploy-tools/job-token-scope": "shop/deploy-tools",
  "shop-deploy-tools/job-token-allowlist": "shop/deploy-tools",
  "shop-end-to-end-tests/job-token-scope": "shop/end-to-end-tests",
  "shop-end-to-end-tests/job-token-allowlist": "shop/end-to-end-tests",
  "shop-payments/job-token-scope": "shop/payments",
  "shop-payments/job-token-allowlist": "shop/payments",
  "shop-payments/environment-production": "shop/payments:production",
  "shop-payments/environment-staging": "shop/payments:staging",
  "shop-payments/container-rule-shop%2Fpayments%2Frelease*": "shop/payments:4",
  "shop-search/job-token-scope": "shop/search",
  "shop-search/job-token-allowlist": "shop/search",
  "shop-search/environment-production": "shop/search:production",
  "shop-search/environment-staging": "shop/search:staging",
  "shop-search/container-rule-shop%2Fsearch%2Frelease*": "shop/search:5",
  "shop-storefront/job-token-scope": "shop/storefront",
  "shop-storefront/job-token-allowlist": "shop/storefront",
  "shop-storefront/environment-production": "shop/storefront:production",
  "shop-storefront/environment-staging": "shop/storefront:staging",
  "shop-storefront/pages": "shop/storefront",
  "shop-storefront-invitee-2": 'shop/storefront:${var.emails["invitee-2"]}',
};

export function importLiveObjects(stack: Construct): void {
  new ImportBlocks(stack, "imports", IMPORT_IDS);
}
