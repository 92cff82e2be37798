import type { FixtureInput } from "cdktf-provider-steward/testing";
import { PEOPLE } from "./people";

type Project = NonNullable<FixtureInput["projects"]>[number];

const shared_with: Project["shared_with"] = [{ group: "shop/release-managers", role: "developer" }];

/**
 * Returns the project of a service. Developers can deploy the service to staging. Maintainers can deploy it to production
 * after an approval.
 */
const service = (name: string, more: Partial<Project> = {}): Project => ({
  path: `shop/${name}`,
  topics: ["service"],
  shared_with,
  environments: ["staging", "production"],
  job_token_scope: { projects: ["shop/deploy-tools", "shop/end-to-end-tests"] },
  protected_environments: [
    { name: "staging", deploy_access_levels: [{ access_level: 30 }] },
    {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ group: "shop/release-managers", required_approvals: 2 }],
    },
  ],
  container_rules: [
    { repository_path_pattern: `shop/${name}/release*`, minimum_access_level_for_push: "maintainer" },
  ],
  ...more,
});

/** A small web shop: five services with equal settings, and three projects with other settings. */
export const webShop: FixtureInput = {
  users: PEOPLE,
  groups: [
    {
      path: "shop",
      members: [
        { user: "maya", role: "owner" },
        { user: "robot", role: "maintainer" },
      ],
      invitations: [{ email: "Grace.Hopper@example.com", role: "reporter" }],
    },
    { path: "shop/release-managers", members: [{ user: "maya", role: "owner" }] },
  ],
  projects: [
    service("cart"),
    service("catalog"),
    service("checkout"),
    service("payments"),
    service("search"),
    {
      path: "shop/storefront",
      shared_with,
      environments: ["staging", "production"],
      job_token_scope: { projects: ["shop/end-to-end-tests"] },
      protected_environments: [
        { name: "staging", deploy_access_levels: [{ access_level: 30 }] },
        {
          name: "production",
          deploy_access_levels: [{ access_level: 40 }, { group: "shop/release-managers" }],
        },
      ],
      pages: { domains: ["styles.shop.example"], primary_domain: "styles.shop.example" },
      invitations: [{ email: "ada@agency.example", role: "developer", expires_at: "2099-06-30" }],
    },
    { path: "shop/deploy-tools", job_token_scope: { groups: ["shop"] } },
    {
      path: "shop/end-to-end-tests",
      job_token_scope: { inbound_enabled: false },
    },
  ],
};
