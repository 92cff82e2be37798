import { type Client, createClient } from "../../../src/api";
import { type FixtureInput, type Service, startService } from "../../../src/testing";

const FIXTURE: FixtureInput = {
  users: [
    { username: "ann", id: 11, name: "Ann", token: "token-of-ann" },
    { username: "bob", id: 12, email: "bob@corp.example" },
    { username: "guest", id: 13, token: "token-of-guest" },
    {
      username: "eve",
      id: 14,
      enterprise_group: "acme",
      two_factor_enabled: true,
      created_at: "2026-01-02T03:04:05.000Z",
      profile: { location: "Bern", job_title: "Engineer" },
      identities: [{ provider: "group_saml", extern_uid: "eve-uid", saml_provider_id: 5 }],
      scim_identities: [{ group: "acme", extern_uid: "eve-scim" }],
    },
    { username: "max", id: 15, enterprise_group: "acme", state: "blocked" },
  ],
  groups: [
    {
      path: "acme",
      id: 101,
      members: [
        { user: "ann", role: "owner" },
        { user: "eve", role: "developer" },
      ],
      invitations: [{ email: "old@acme.example", role: "guest", created_by: "ann" }],
    },
    { path: "acme/tools", id: 102, members: [{ user: "bob", role: "maintainer", expires_at: "2099-01-31" }] },
  ],
  projects: [
    {
      path: "acme/web",
      id: 201,
      topics: ["frontend"],
      default_branch: "main",
      former_paths: ["acme/old-web"],
      members: [
        { user: "bob", role: "developer" },
        { user: "guest", role: "guest" },
      ],
      shared_with: [{ group: "acme/tools", role: "developer" }],
      environments: ["production", "review/feature-1"],
      job_token_scope: { inbound_enabled: true, projects: ["acme/api"], groups: ["acme/tools"] },
      pages: {
        unique_domain_enabled: true,
        domains: ["docs.acme.example"],
        deployments: [{ path_prefix: "", root_directory: "public" }, { path_prefix: "v2" }],
      },
      container_rules: [{ repository_path_pattern: "acme/web/*", minimum_access_level_for_push: "owner" }],
    },
    { path: "acme/api", id: 202, archived: true },
    { path: "acme/tools/cli", id: 203, visibility: "public" },
  ],
};

/**
 * Starts a service with a small company for all tests of a file. `as` returns a client with the given token; by default,
 * with the administrator's token.
 */
export function useSetting() {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ fixture: FIXTURE });
  });
  afterAll(() => service.close());
  return {
    service: () => service,
    as: (token = service.adminToken): Client => createClient({ baseUrl: service.url, token, env: {} }),
  };
}
