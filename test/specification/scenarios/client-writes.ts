import { ID } from "../company";
import type { Bench, Scenario } from "../laboratory";

const write = (name: string, run: (bench: Bench, project: number) => Promise<unknown>): Scenario => ({
  name: `client: ${name}`,
  run: async (bench) => run(bench, await bench.newProject()),
});

interface Environment {
  readonly deploy_access_levels: readonly { readonly id: number }[];
  readonly approval_rules: readonly { readonly id: number }[];
}

const JOB_TOKENS: readonly Scenario[] = [
  write("jobTokenScope.update", async ({ client, byHand }, project) => {
    await client.jobTokenScope.update(project, { enabled: false });
    return byHand("GET", `/projects/${project}/job_token_scope`);
  }),
  write("jobTokenScope.addProject", async ({ client, byHand }, project) => ({
    answer: await client.jobTokenScope.addProject(project, ID.tools),
    live: await byHand("GET", `/projects/${project}/job_token_scope/allowlist`),
  })),
  write("jobTokenScope.addGroup", async ({ client, byHand }, project) => ({
    answer: await client.jobTokenScope.addGroup(project, ID.platform),
    live: await byHand("GET", `/projects/${project}/job_token_scope/groups_allowlist`),
  })),
  write("jobTokenScope.removeProject", async ({ client, byHand }, project) => {
    const list = `/projects/${project}/job_token_scope/allowlist`;
    await byHand("POST", list, { target_project_id: ID.tools });
    await client.jobTokenScope.removeProject(project, ID.tools);
    return (await byHand<unknown[]>("GET", list)).length;
  }),
  write("jobTokenScope.removeGroup", async ({ client, byHand }, project) => {
    const list = `/projects/${project}/job_token_scope/groups_allowlist`;
    await byHand("POST", list, { target_group_id: ID.platform });
    await client.jobTokenScope.removeGroup(project, ID.platform);
    return byHand("GET", list);
  }),
];

const ENVIRONMENTS: readonly Scenario[] = [
  write("protectedEnvironments.protect", ({ client }, project) =>
    client.protectedEnvironments.protect(project, {
      required_approval_count: 2,
      name: "production",
      deploy_access_levels: [
        { user_id: ID.devon },
        { group_id: ID.approvers, group_inheritance_type: 1 },
        { access_level: 40 },
      ],
      approval_rules: [
        { user_id: ID.devon, required_approvals: 2 },
        { group_id: ID.approvers, group_inheritance_type: 1 },
        { access_level: 60 },
      ],
    }),
  ),
  write("protectedEnvironments.update", async ({ client, byHand }, project) => {
    const prior = await byHand<Environment>("POST", `/projects/${project}/protected_environments`, {
      name: "production",
      deploy_access_levels: [{ group_id: ID.approvers }, { access_level: 40 }],
      approval_rules: [{ group_id: ID.approvers }, { access_level: 60 }],
    });
    const changes = (kind: keyof Environment) => [
      { id: prior[kind][0]!.id, group_inheritance_type: 1 },
      { id: prior[kind][1]!.id, _destroy: true },
      { user_id: ID.devon },
      { group_id: ID.platform },
      { access_level: 30 },
    ];
    return client.protectedEnvironments.update(project, "production", {
      deploy_access_levels: changes("deploy_access_levels"),
      approval_rules: changes("approval_rules").map((rule) => ({ ...rule, required_approvals: 2 })),
    });
  }),
  write("protectedEnvironments.unprotect", async ({ client, byHand }, project) => {
    const environments = `/projects/${project}/protected_environments`;
    await byHand("POST", environments, { name: "production", deploy_access_levels: [{ access_level: 40 }] });
    await client.protectedEnvironments.unprotect(project, "production");
    return byHand("GET", environments);
  }),
];

interface Pages {
  readonly deployments: readonly unknown[];
}

const PAGES: readonly Scenario[] = [
  {
    name: "client: pages.update",
    // This scenario uses a project of the fixture, because only a fixture can create deployments.
    async run({ client, byHand }) {
      await byHand("PATCH", `/projects/${ID.site}/pages`, {
        pages_unique_domain_enabled: false,
        pages_https_only: true,
        pages_primary_domain: "",
      });
      return client.pages.update(ID.site, {
        pages_unique_domain_enabled: true,
        pages_https_only: false,
        pages_primary_domain: "site.example.com",
      });
    },
  },
  {
    name: "client: pages.unpublish",
    async run({ client, byHand, publishedProject }) {
      const project = publishedProject();
      await client.pages.unpublish(project);
      return (await byHand<Pages>("GET", `/projects/${project}/pages`)).deployments;
    },
  },
];

const CONTAINER_RULES: readonly Scenario[] = [
  write("containerProtectionRules.create", ({ client }, project) =>
    client.containerProtectionRules.create(project, {
      repository_path_pattern: "acme/release*",
      minimum_access_level_for_push: "maintainer",
      minimum_access_level_for_delete: "owner",
    }),
  ),
  write("containerProtectionRules.update", async ({ client, byHand }, project) => {
    const { id } = await byHand<{ id: number }>("POST", rulesOf(project), {
      repository_path_pattern: "acme/release*",
      minimum_access_level_for_push: "maintainer",
      minimum_access_level_for_delete: "owner",
    });
    return client.containerProtectionRules.update(project, id, {
      repository_path_pattern: "acme/*",
      minimum_access_level_for_push: "admin",
      minimum_access_level_for_delete: "admin",
    });
  }),
  write("containerProtectionRules.delete", async ({ client, byHand }, project) => {
    const { id } = await byHand<{ id: number }>("POST", rulesOf(project), {
      repository_path_pattern: "acme/release*",
      minimum_access_level_for_push: "maintainer",
    });
    await client.containerProtectionRules.delete(project, id);
    return byHand("GET", rulesOf(project));
  }),
];

const rulesOf = (project: number): string => `/projects/${project}/registry/protection/repository/rules`;

export const CLIENT_WRITES: readonly Scenario[] = [
  ...JOB_TOKENS,
  ...ENVIRONMENTS,
  ...PAGES,
  ...CONTAINER_RULES,
];
