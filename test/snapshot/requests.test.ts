import type { FixtureInput } from "cdktf-provider-steward/testing";
import { snapshotOf, withService } from "./support/snapshots";

jest.setTimeout(300_000);

const PER_PROJECT = [
  "GET /projects/:id",
  "GET /projects/:id/members",
  "GET /projects/:id/environments",
  "GET /projects/:id/job_token_scope",
  "GET /projects/:id/job_token_scope/allowlist",
  "GET /projects/:id/job_token_scope/groups_allowlist",
  "GET /projects/:id/protected_environments",
  "GET /projects/:id/pages",
  "GET /projects/:id/pages/domains",
  "GET /projects/:id/registry/protection/repository/rules",
  "GET /projects/:id/invitations",
];

/**
 * Returns a group of projects. All projects are shared with the same group, have the same outside project on their
 * allowlists, and refer to each other.
 */
const company = (projects: number): FixtureInput => ({
  users: [{ username: "maya" }, { username: "devon" }],
  groups: [
    { path: "acme", members: [{ user: "maya", role: "maintainer" }] },
    { path: "approvers", members: [{ user: "devon", role: "developer" }] },
    { path: "partner" },
  ],
  projects: [
    ...Array.from({ length: projects }, (_, at) => ({
      path: `acme/project-${at}`,
      shared_with: [{ group: "approvers", role: "developer" as const }],
      environments: ["production"],
      job_token_scope: { projects: ["partner/tools", "acme/project-0"], groups: ["partner"] },
      protected_environments: [
        {
          name: "production",
          deploy_access_levels: [{ user: "maya" }, { group: "approvers" }],
          approval_rules: [{ user: "devon" }],
        },
      ],
      invitations: [{ email: "new@corp.example", role: "guest" as const, created_by: "maya" }],
    })),
    { path: "partner/tools" },
  ],
});

test.each([
  [30, 1],
  [110, 2],
])(
  "a snapshot of %i projects sends 11 requests per project, and reads shared objects only once",
  async (count, pages) => {
    await withService(company(count), async (service) => {
      const snapshot = await snapshotOf(service, ["acme"], { contents: "direct" });
      expect(snapshot.selected).toEqual({ projects: count, groups: 1 });
      const kinds = new Map<string, number>();
      for (const { method, route } of service.requests.all) {
        const kind = `${method} ${route}`;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      // The one additional request reads the record of the project outside of the selection. Nothing else of this project is
      // read.
      const expected = new Map(
        PER_PROJECT.map((kind) => [kind, kind === "GET /projects/:id" ? count + 1 : count]),
      );
      expected.set("GET /groups/:id", 4).set("GET /groups/:id/projects", pages);
      expected.set("GET /groups/:id/members", 2).set("GET /groups/:id/invitations", 1);
      expected.set("GET /user", 1);
      expect(Object.fromEntries(kinds)).toEqual(Object.fromEntries(expected));
    });
  },
);
