import { PROVIDER_NAME } from "../../../src/provider";
import { RESOURCES } from "../../../src/provider/registry";
import type { FixtureInput, Service } from "../../../src/service";
import { containerOf, ENTRIES, ONE_EACH, placed, SAMPLES } from "../../provider/samples";
import { crowdOfGroups, crowdOfProjects } from "../../provider/support/crowd";
import { FIXTURE as COMPANY, PEOPLE } from "../../provider/support/world";

/** The numbers of the projects. In `npm test`, the estate has one project of each kind; in the soak, it has several. */
const PROJECTS = process.env["SOAK"] ? [1, 2, 3, 4, 5, 6] : [1, 3];
const paths = (prefix: string) => PROJECTS.map((number) => `acme/${prefix}${number}`);

/** The company before any declaration is applied. It has all objects that the samples refer to. */
export const FIXTURE: FixtureInput = {
  ...COMPANY,
  groups: [
    ...COMPANY.groups!,
    ...[1, 2, 3, 4].map((number) => ({ path: `acme/team${number}` })),
    ...crowdOfGroups(2),
  ],
  projects: [
    ...COMPANY.projects!,
    ...paths("p").map((path) => ({ path, job_token_scope: { inbound_enabled: false }, ...PEOPLE })),
    ...[1, 2].map((number) => ({ path: `acme/t${number}` })),
    {
      path: "acme/t3",
      protected_environments: [{ name: "taken over", deploy_access_levels: [{ access_level: 40 }] }],
    },
    ...crowdOfProjects(2),
    // The project that stores the states.
    { path: "acme/states" },
  ],
};

type Resources = Record<string, Record<string, object>>;

/**
 * The resources that own a whole set. In a project, the estate declares a resource of this list or its entry resources, but
 * never both.
 */
const OWNERS = RESOURCES.filter(({ owns }) => owns?.entryTypes !== undefined);
const named = (type: string) => `${PROVIDER_NAME}_${type}`;
const owners = OWNERS.map(({ type }) => named(type));
const owned = OWNERS.flatMap(({ owns }) => owns?.entryTypes?.map(named) ?? []);

/**
 * Returns objects of all resources: 70 objects in the soak. Some objects depend on other objects, so that the apply can't
 * send all requests at once.
 */
function resources(): Resources {
  const all: Resources = {};
  const declare = (type: string, name: string, attributes: object) => {
    all[type] = { ...all[type], [name]: attributes };
  };
  for (const number of PROJECTS) {
    const hasOwners = number <= 2;
    const place = { project: `acme/p${number}`, group: `acme/team${Math.min(number, 4)}` };
    for (const [type, { config }] of ONE_EACH) {
      if (!owners.includes(type)) declare(type, `p${number}`, { project: place.project, ...config });
      else if (hasOwners) declare(type, `p${number}`, placed(type, place.project));
    }
    for (const [type, { config }] of ENTRIES) {
      if (hasOwners && owned.includes(type)) continue;
      const kind = containerOf(type);
      declare(type, `p${number}`, placed(type, place[kind]));
      if (hasOwners) continue;
      declare(type, `p${number}-more`, {
        [kind]: kind === "project" ? `\${steward_job_token_scope.p${number}.project}` : place.group,
        ...config(1),
        depends_on: [`${type}.p${number}`],
      });
    }
  }
  return all;
}

/** The number of declared objects. */
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

const ENVIRONMENT = "steward_protected_environment";
const environment = (project: string, name: string, level = 40) => ({
  project,
  name,
  deploy_access_levels: [{ access_level: level }],
});

/**
 * Returns the configuration of an earlier apply, with two objects. The adjusted configuration renames the first object, and
 * forgets the second object.
 */
export const prior = (backend: object = {}) => ({
  ...configuration(backend),
  resource: {
    [ENVIRONMENT]: {
      before: environment("acme/t1", "renamed"),
      released: environment("acme/t2", "released"),
    },
  },
});

/** The number of objects that the adjusted configuration manages without a create request. */
export const ADJUSTED = 2;

/**
 * Returns the configuration of the estate with three more changes: a rename, a forgotten object, and an imported object that
 * changes.
 */
export function adjusted(backend: object = {}) {
  const { resource, ...rest } = configuration(backend);
  return {
    ...rest,
    resource: {
      ...resource,
      [ENVIRONMENT]: {
        ...resource[ENVIRONMENT],
        after: environment("acme/t1", "renamed"),
        taken: environment("acme/t3", "taken over", 30),
      },
    },
    moved: [{ from: `${ENVIRONMENT}.before`, to: `${ENVIRONMENT}.after` }],
    removed: [{ from: `${ENVIRONMENT}.released`, lifecycle: { destroy: false } }],
    import: [{ to: `${ENVIRONMENT}.taken`, id: "acme/t3:taken over" }],
  };
}

/** Returns the objects of the estate on the service, without ids and dates. Duplicates stay visible. */
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
  for (const number of [1, 2, 3])
    found[`acme/t${number}`] = await get(`/projects/acme%2Ft${number}/protected_environments`);
  for (const [type, { leaves }] of Object.entries(SAMPLES)) {
    const places =
      containerOf(type) === "project" ? paths("p") : [1, 2, 3, 4].map((number) => `acme/team${number}`);
    for (const path of places) {
      const at = `/${containerOf(type)}s/${encodeURIComponent(path)}`;
      for (const part of Object.keys(leaves)) found[`${path} ${part}`] ??= await get(`${at}/${part}`);
    }
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
