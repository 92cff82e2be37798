import { copyFileSync } from "node:fs";
import path from "node:path";
import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import { makeMirror, type PluginMirror } from "../../plugin/support/plugin-mirror";
import { Workspace } from "../../plugin/support/workspace";
import { describeWith, runs } from "../../support/capabilities";
import { testCompleteness } from "../../support/every-resource";
import { EstateStack, numbers, type Resources } from "./support";

// What a plan of each resource asks for, through whole engines, counted at the service.

const MANY = runs(110, 250);
const COUNTS = [1, 2, 100, MANY];
/** Of what each project has once: the price is the same for each. */
const FEW = [10, 30];
/** Where things are declared. */
interface Place {
  readonly project: string;
  readonly group: string;
}
const EMBEDDED: Place = { project: "estate/shop", group: "estate" };
const TERRAFORM: Place = { project: "estate/docs", group: "platform" };

/** Of the project that holds what Terraform plans. */
const DOCS = 7000;

const target = (index: number): string => `estate/target-${index}`;
const team = (index: number): string => `team-${index}`;

const fixture: FixtureInput = {
  groups: [
    { path: "estate" },
    { path: "platform" },
    ...numbers(MANY).map((index) => ({ path: team(index) })),
  ],
  projects: [
    { path: "estate/shop" },
    { path: "estate/docs", id: DOCS },
    ...numbers(MANY).map((index) => ({ path: target(index) })),
  ],
};

interface Case {
  readonly declare: (index: number, place: Place) => object;
  /** Requests of a no-change plan: where the API has pages, a hundred on each. */
  readonly requests: (count: number) => number;
  readonly counts?: readonly number[];
  /** The requests under Terraform, by their endpoint. */
  readonly underTerraform: Readonly<Record<string, number>>;
}

const pages = (count: number): number => Math.ceil(count / 100);
/** Where the API has a request for one as well. */
const inPages = { requests: pages };
/**
 * Terraform doesn't say how many there will be: the first is asked for alone, and two pages are read at once; of more,
 * the first page tells that as many as there are pages are asked for alone before they are read.
 */
const SINGLES = pages(MANY) <= 2 ? 1 : pages(MANY);
const PAGES = pages(MANY) <= 2 ? pages(MANY) : 1 + pages(MANY);

/** Under Terraform what each project has once is planned of so many. */
const PROJECTS = 5;

const CASES: Readonly<Record<string, Case>> = {
  steward_protected_environment: {
    declare: (index, { project }) => ({
      project,
      name: `env-${index}`,
      deploy_access_levels: [{ access_level: 40 }],
    }),
    ...inPages,
    underTerraform: {
      "/projects/:id/protected_environments/:name": SINGLES,
      "/projects/:id/protected_environments": PAGES,
    },
  },
  steward_project_invitation: {
    declare: (index, { project }) => ({ project, email: `person-${index}@example.com`, access_level: 30 }),
    ...inPages,
    underTerraform: {
      "/projects/:id/invitations of one": SINGLES,
      "/projects/:id/invitations": PAGES,
    },
  },
  steward_group_invitation: {
    declare: (index, { group }) => ({ group, email: `guest-${index}@example.com`, access_level: 30 }),
    ...inPages,
    underTerraform: { "/groups/:id/invitations of one": SINGLES, "/groups/:id/invitations": PAGES },
  },
  steward_job_token_allowlist_project: {
    declare: (index, { project }) => ({ project, target_project: target(index) }),
    // The project itself is on the list.
    requests: (count) => pages(count + 1),
    underTerraform: { "/projects/:id/job_token_scope/allowlist": pages(MANY + 1) },
  },
  steward_job_token_allowlist_group: {
    declare: (index, { project }) => ({ project, target_group: team(index) }),
    requests: pages,
    underTerraform: { "/projects/:id/job_token_scope/groups_allowlist": pages(MANY) },
  },
  steward_container_protection_rule: {
    declare: (index, { project }) => ({
      project,
      repository_path_pattern: `${project}/image-${index}`,
      minimum_access_level_for_push: "owner",
    }),
    // One list without pages.
    requests: () => 1,
    underTerraform: { "/projects/:id/registry/protection/repository/rules": 1 },
  },
  // What each project has once is a request a project.
  steward_job_token_scope: {
    declare: (index) => ({ project: target(index), inbound_enabled: true }),
    requests: (count) => count,
    underTerraform: { "/projects/:id/job_token_scope": PROJECTS },
    counts: FEW,
  },
  steward_pages_settings: {
    declare: (index) => ({ project: target(index), force_https: true }),
    requests: (count) => count,
    underTerraform: { "/projects/:id/pages": PROJECTS },
    counts: FEW,
  },
  steward_job_token_allowlist: {
    declare: (index) => ({ project: target(index), target_projects: [], target_groups: [] }),
    // A list of projects and one of groups.
    requests: (count) => 2 * count,
    underTerraform: {
      "/projects/:id/job_token_scope/allowlist of a target": PROJECTS,
      "/projects/:id/job_token_scope/groups_allowlist of a target": PROJECTS,
    },
    counts: FEW,
  },
};

const declared = (type: string, count: number, place: Place): Resources => ({
  [type]: Object.fromEntries(
    numbers(count).map((index) => [`r${index}`, CASES[type]!.declare(index, place)]),
  ),
});

let service: Service;
beforeAll(async () => {
  service = await startService({ fixture, recordRequests: true });
});
afterAll(() => service.close());

testCompleteness({
  about: "requests of a plan",
  samples: CASES,
  file: "test/acceptance/estate/request-counts.test.ts",
});

describe("a no-change plan of the embedded engine", () => {
  test.each(Object.entries(CASES))("%s", async (type, { requests, counts = COUNTS }) => {
    const stack = new EstateStack(service);
    try {
      for (const count of counts) {
        stack.declare(declared(type, count, EMBEDDED));
        await stack.apply();
        expect({ count, requests: await stack.requestsOfEmptyPlan() }).toEqual({
          count,
          requests: requests(count),
        });
      }
    } finally {
      stack.remove();
    }
  });

  test("projects that are named by path are looked up once each, however often they are named", async () => {
    const stack = new EstateStack(service);
    stack.declare(entriesOfTwo(100));
    service.requests.reset();
    await stack.plan();
    expectLookedUpOnce(32);
    stack.remove();
  });
});

/** Of each of two projects thirty entries, of the same projects. */
const entriesOfTwo = (first: number): Resources => ({
  steward_job_token_allowlist_project: Object.fromEntries(
    [first, first + 1].flatMap((from) =>
      numbers(30).map((index) => [
        `r${from}_${index}`,
        { project: target(from), target_project: target(index) },
      ]),
    ),
  ),
});

function expectLookedUpOnce(count: number): void {
  const asked = service.requests.all.filter(({ route }) => route === "/projects/:id").map(({ url }) => url);
  expect(asked).toHaveLength(count);
  expect(new Set(asked).size).toBe(count);
}

describeWith("engine", "under Terraform", (engine) => {
  jest.setTimeout(120_000);
  let mirror: PluginMirror;
  let workspace: Workspace;
  beforeAll(async () => {
    mirror = await makeMirror();
    workspace = new Workspace(engine, {
      TF_CLI_CONFIG_FILE: mirror.configuration,
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: service.adminToken,
    });
    await workspace.succeed("init");
  });
  afterAll(() => {
    workspace.remove();
    mirror.remove();
  });
  const declare = (resource: Resources) => workspace.write("main.tf.json", JSON.stringify({ resource }));

  test("projects that are named by path are looked up once each, by a plan, by its apply, and never again", async () => {
    declare(entriesOfTwo(102));
    const steps = [
      [["plan", "-out=planned"], 32],
      // Another process, which Terraform has plan each object once more.
      [["apply", "planned"], 32],
      [["plan"], 0],
    ] as const;
    for (const [words, lookups] of steps) {
      service.requests.reset();
      await workspace.succeed(...words);
      expectLookedUpOnce(lookups);
    }
  });

  test("a no-change plan: one object of a list alone where it can be, and from the second on its pages", async () => {
    const stack = new EstateStack(service);
    const resource = Object.fromEntries(
      Object.entries(CASES).flatMap(([type, { counts }]) =>
        Object.entries(declared(type, counts === undefined ? MANY : PROJECTS, TERRAFORM)),
      ),
    );
    try {
      stack.declare(resource);
      await stack.apply();
      // What one engine wrote the other takes over.
      copyFileSync(stack.stateFile, path.join(workspace.folder, "terraform.tfstate"));
      declare(resource);
      service.requests.reset();
      expect((await workspace.plan()).changes).toBe(false);
      const asked: Record<string, number> = {};
      for (const { route, url } of service.requests.all) {
        const isOfTarget = /allowlist$/.test(route!) && !url.includes(`/projects/${DOCS}/`);
        const name = `${route}${url.includes("query=") ? " of one" : ""}${isOfTarget ? " of a target" : ""}`;
        asked[name] = (asked[name] ?? 0) + 1;
      }
      const expected = Object.values(CASES).map(({ underTerraform }) => underTerraform);
      expect(asked).toEqual(Object.assign({}, ...expected));
    } finally {
      stack.remove();
    }
  });
});
