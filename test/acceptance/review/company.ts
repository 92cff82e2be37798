import type { FixtureInput } from "cdktf-provider-steward/testing";

type Project = NonNullable<FixtureInput["projects"]>[number];

/** The read-only token is for the plan and drift jobs of the pipeline. The token `owner` is for the apply job. */
export const TOKENS = { reader: "token-of-the-audit-bot", owner: "token-of-the-settings-bot" } as const;

const person = (username: string, name: string) => ({ username, name, email: `${username}@acme.example` });

const PEOPLE: NonNullable<FixtureInput["users"]> = [
  person("oskar", "Oskar Brandt"),
  person("maya", "Maya Lindqvist"),
  person("devon", "Devon Achebe"),
  person("lena", "Lena Fischer"),
  person("amir", "Amir Haddad"),
  person("priya", "Priya Raman"),
  person("tomas", "Tomas Novak"),
  person("chloe", "Chloe Martin"),
  person("jonas", "Jonas Weber"),
  person("yuki", "Yuki Tanaka"),
  person("noah", "Noah Berg"),
  person("ines", "Ines Costa"),
  person("rosa", "Rosa Delgado"),
  person("samir", "Samir Patel"),
  person("noor", "Noor Rahman"),
  { ...person("former", "Former Employee"), state: "blocked" },
  { ...person("ci-deployer", "CI deployer"), bot: true },
  { ...person("settings-bot", "Settings bot"), bot: true, token: TOKENS.owner },
  {
    ...person("audit-bot", "Audit bot"),
    bot: true,
    tokens: [{ token: TOKENS.reader, name: "plan and drift", scopes: ["read_api"] }],
  },
];

const GROUPS: NonNullable<FixtureInput["groups"]> = [
  {
    path: "acme",
    name: "Acme",
    members: [
      { user: "oskar", role: "owner" },
      { user: "settings-bot", role: "owner" },
      { user: "audit-bot", role: "owner" },
    ],
  },
  {
    path: "acme/storefront",
    members: [
      { user: "devon", role: "maintainer" },
      { user: "lena", role: "developer" },
      { user: "amir", role: "developer" },
    ],
  },
  {
    path: "acme/commerce",
    members: [
      { user: "priya", role: "maintainer" },
      { user: "tomas", role: "developer" },
      { user: "chloe", role: "developer" },
      { user: "jonas", role: "developer" },
      { user: "former", role: "developer" },
      { user: "ci-deployer", role: "developer" },
    ],
  },
  {
    path: "acme/data",
    members: [
      { user: "yuki", role: "maintainer" },
      { user: "noah", role: "developer" },
      { user: "ines", role: "developer" },
    ],
  },
  { path: "acme/platform", members: [{ user: "maya", role: "maintainer" }] },
  {
    path: "acme/release-managers",
    members: [
      { user: "rosa", role: "developer" },
      { user: "samir", role: "developer" },
    ],
  },
  { path: "acme/security", members: [{ user: "samir", role: "maintainer" }] },
];

const shared_with: Project["shared_with"] = [{ group: "acme/release-managers", role: "developer" }];

const project = (path: string, more: Partial<Project> = {}): Project => ({
  path: `acme/${path}`,
  shared_with,
  environments: ["staging", "production"],
  ...more,
});

const SERVICES = [
  ...["cart", "catalog", "checkout", "customers", "inventory", "orders"],
  ...["payments", "pricing", "promotions", "returns", "search", "shipping"],
];

/** An online shop with 30 projects in four subgroups. The first apply of `app/` creates most settings of these projects. */
export const company: FixtureInput = {
  users: PEOPLE,
  groups: GROUPS,
  projects: [
    project("storefront/web-shop", { job_token_scope: { inbound_enabled: false } }),
    project("storefront/mobile-app", { members: [{ user: "chloe", role: "reporter" }] }),
    project("storefront/checkout-ui"),
    project("storefront/search-ui"),
    project("storefront/design-system"),
    project("storefront/magazine", {
      pages: { unique_domain_enabled: true, domains: ["magazine.acme.example"] },
    }),
    ...SERVICES.map((name) => project(`commerce/${name}`)),
    project("data/warehouse"),
    project("data/recommendations"),
    project("data/reports", { members: [{ user: "rosa", role: "reporter", expires_at: "2099-12-31" }] }),
    project("data/events"),
    project("platform/deploy-tools"),
    project("platform/test-runner"),
    project("platform/ci-images"),
    project("platform/cluster-config", {
      shared_with: [...shared_with, { group: "acme/security", role: "reporter" }],
    }),
    project("platform/dns"),
    project("platform/monitoring"),
    { path: "acme/handbook", visibility: "internal", pages: { domains: ["handbook.acme.example"] } },
    { path: "acme/legacy-import", job_token_scope: { inbound_enabled: false } },
  ],
};
