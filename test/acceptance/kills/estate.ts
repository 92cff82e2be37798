import type { FixtureInput, Service } from "../../../src/service";

/** A sample has one project of each kind. */
const PROJECTS = process.env["SOAK"] ? [1, 2, 3, 4, 5, 6] : [1, 3];
const paths = (prefix: string) => PROJECTS.map((number) => `acme/${prefix}${number}`);

/** A company in which nothing is declared yet. */
export const FIXTURE: FixtureInput = {
  users: [{ username: "devon" }],
  groups: [
    { path: "acme", members: [{ user: "devon", role: "developer" }] },
    ...[1, 2, 3, 4].map((number) => ({ path: `acme/team${number}` })),
  ],
  projects: [
    ...paths("p").map((path) => ({ path, job_token_scope: { inbound_enabled: false } })),
    ...[1, 2, 3].map((number) => ({ path: `acme/t${number}` })),
    // Where states are kept.
    { path: "acme/states" },
  ],
};

type Resources = Record<string, Record<string, object>>;

/** Objects of all nine resources, 60 in a soak; some wait for others, so that not all is sent at once. */
function resources(): Resources {
  const all: Resources = {};
  const declare = (type: string, name: string, attributes: object) => {
    const named = `steward_${type}`;
    all[named] = { ...all[named], [name]: attributes };
  };
  for (const number of PROJECTS) {
    const project = `\${steward_job_token_scope.p${number}.project}`;
    declare("job_token_scope", `p${number}`, { project: `acme/p${number}`, inbound_enabled: true });
    declare("pages_settings", `p${number}`, { project, unique_domain_enabled: true, force_https: false });
    if (number <= 2) {
      declare("job_token_allowlist", `p${number}`, {
        project,
        target_projects: ["acme/t1", "acme/t2", "acme/t3"],
        target_groups: ["acme/team1"],
      });
    } else {
      for (const target of ["t1", "t2"]) {
        declare("job_token_allowlist_project", `p${number}-${target}`, {
          project,
          target_project: `acme/${target}`,
        });
      }
      declare("job_token_allowlist_group", `p${number}`, { project, target_group: "acme/team2" });
      for (const who of ["ada", "grace"]) {
        declare("project_invitation", `p${number}-${who}`, {
          project,
          email: `${who}@example.com`,
          access_level: 30,
        });
      }
      declare("group_invitation", `p${number}`, {
        group: `acme/team${number - 2}`,
        email: "lin@example.com",
        access_level: 20,
      });
    }
    for (const name of ["staging", "production"]) {
      declare("protected_environment", `p${number}-${name}`, {
        project: `acme/p${number}`,
        name,
        deploy_access_levels: [{ access_level: 40 }, { user: "devon" }],
        approval_rules: [{ access_level: 40, required_approvals: 2 }],
      });
    }
    for (const pattern of number <= 4 ? ["release", "base"] : ["release"]) {
      declare("container_protection_rule", `p${number}-${pattern}`, {
        project: `acme/p${number}`,
        repository_path_pattern: `acme/p${number}/${pattern}*`,
        minimum_access_level_for_push: "maintainer",
        depends_on: [`steward_protected_environment.p${number}-staging`],
      });
    }
  }
  return all;
}

/** How many objects are declared. */
export const OBJECTS = Object.values(resources()).flatMap(Object.values).length;

export const configuration = (backend: object = {}) => ({
  terraform: {
    required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
    ...backend,
  },
  variable: { base_url: {}, token: { sensitive: true } },
  provider: { steward: [{ base_url: "${var.base_url}", token: "${var.token}" }] },
  resource: resources(),
});

/** What a service holds of the estate, without what the service itself counts and stamps; an entry that is there twice is seen. */
export async function contentOf({ url, adminToken }: Service): Promise<Record<string, unknown>> {
  const get = async (path: string): Promise<unknown> => {
    const headers = { "private-token": adminToken };
    const answer = await fetch(`${url}/api/v4${path}${path.includes("?") ? "&" : "?"}per_page=100`, {
      headers,
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return plain(JSON.parse((await answer.text()).replaceAll(url, "http://service")));
  };
  const found: Record<string, unknown> = {};
  for (const path of paths("p")) {
    const project = `/projects/${encodeURIComponent(path)}`;
    for (const part of [
      "job_token_scope",
      "job_token_scope/allowlist",
      "job_token_scope/groups_allowlist",
      "protected_environments",
      "pages",
      "registry/protection/repository/rules",
      "invitations",
    ]) {
      found[`${path} ${part}`] = await get(`${project}/${part}`);
    }
  }
  for (const number of [1, 2, 3, 4]) {
    found[`team${number}`] = await get(`/groups/${encodeURIComponent(`acme/team${number}`)}/invitations`);
  }
  return found;
}

const STAMPS = new Set(["id", "created_at", "invited_at", "updated_at", "last_activity_at"]);

function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plain).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !STAMPS.has(name))
      .map(([name, one]) => [name, plain(one)]),
  );
}
