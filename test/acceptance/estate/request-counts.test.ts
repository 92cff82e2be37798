import { copyFileSync } from "node:fs";
import path from "node:path";
import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import { createProvider } from "../../../src/provider";
import { makeMirror } from "../../plugin/support/plugin-mirror";
import { Workspace } from "../../plugin/support/workspace";
import { describeWith, runs } from "../../support/capabilities";
import { EstateStack, numbers, type Resources } from "./support";

// What a plan of each resource asks for, through whole engines, counted at the service.

const COUNTS = [10, 100, 250];
/** Of what each project has once, where the whole suite isn't asked for: the price is the same for each. */
const FEW_PROJECTS = runs(30, 250);
const MOST = 250;
/** What a plan may ask for besides. */
const CONSTANT = 3;

/** Where things are declared. */
interface Place {
  readonly project: string;
  readonly group: string;
}
const EMBEDDED: Place = { project: "estate/shop", group: "estate" };
const TERRAFORM: Place = { project: "estate/docs", group: "platform" };

const target = (index: number): string => `estate/target-${index}`;
const team = (index: number): string => `team-${index}`;

const fixture: FixtureInput = {
  groups: [
    { path: "estate" },
    { path: "platform" },
    ...numbers(MOST).map((index) => ({ path: team(index) })),
  ],
  projects: [
    { path: "estate/shop" },
    { path: "estate/docs" },
    ...numbers(MOST).map((index) => ({ path: target(index) })),
  ],
};

interface Case {
  readonly declare: (index: number, place: Place) => object;
  /** Requests of a no-change plan at most, besides the constant: where the API has pages, a hundred on each. */
  readonly most: (count: number) => number;
  readonly counts?: readonly number[];
  /** Whether the API has a request for one of them. */
  readonly hasSingles?: true;
}

const pages = (count: number): number => Math.min(count, Math.ceil(count / 100));
const inPages = { most: (count: number) => pages(count), hasSingles: true } as const;

const CASES: Readonly<Record<string, Case>> = {
  steward_protected_environment: {
    declare: (index, { project }) => ({
      project,
      name: `env-${index}`,
      deploy_access_levels: [{ access_level: 40 }],
    }),
    ...inPages,
  },
  steward_project_invitation: {
    declare: (index, { project }) => ({ project, email: `person-${index}@example.com`, access_level: 30 }),
    ...inPages,
  },
  steward_group_invitation: {
    declare: (index, { group }) => ({ group, email: `guest-${index}@example.com`, access_level: 30 }),
    ...inPages,
  },
  steward_job_token_allowlist_project: {
    declare: (index, { project }) => ({ project, target_project: target(index) }),
    // The project itself is on the list.
    most: (count) => pages(count + 1),
  },
  steward_job_token_allowlist_group: {
    declare: (index, { project }) => ({ project, target_group: team(index) }),
    most: pages,
  },
  steward_container_protection_rule: {
    declare: (index, { project }) => ({
      project,
      repository_path_pattern: `${project}/image-${index}`,
      minimum_access_level_for_push: "owner",
    }),
    // One list without pages.
    most: () => 1,
  },
  // What each project has once is a request a project.
  steward_job_token_scope: {
    declare: (index) => ({ project: target(index), inbound_enabled: true }),
    most: (count) => count,
    counts: [10, FEW_PROJECTS],
  },
  steward_pages_settings: {
    declare: (index) => ({ project: target(index), force_https: true }),
    most: (count) => count,
    counts: [10, FEW_PROJECTS],
  },
  steward_job_token_allowlist: {
    declare: (index) => ({ project: target(index), target_projects: [], target_groups: [] }),
    // A list of projects and one of groups.
    most: (count) => 2 * count,
    counts: [10, FEW_PROJECTS],
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

test("every registered resource is counted", () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(createProvider().schema.resources).sort());
});

describe("a no-change plan of the embedded engine", () => {
  test.each(Object.entries(CASES))("%s", async (type, { most, counts = COUNTS }) => {
    const stack = new EstateStack(service);
    try {
      for (const count of counts) {
        stack.declare(declared(type, count, EMBEDDED));
        await stack.apply();
        const requests = await stack.requestsOfEmptyPlan();
        expect(requests).toBeGreaterThan(0);
        expect(requests).toBeLessThanOrEqual(most(count) + CONSTANT);
      }
    } finally {
      stack.remove();
    }
  });

  test("projects that are named by path are looked up once each, however often they are named", async () => {
    const stack = new EstateStack(service);
    const entries = (from: string) =>
      Object.fromEntries(
        numbers(30).map((index) => [
          `${from.replace("/", "_")}_${index}`,
          { project: from, target_project: target(index) },
        ]),
      );
    stack.declare({
      steward_job_token_allowlist_project: { ...entries(target(101)), ...entries(target(100)) },
    });
    service.requests.reset();
    await stack.plan();
    const asked = service.requests.all.filter(({ route }) => route === "/projects/:id").map(({ url }) => url);
    expect(asked).toHaveLength(32);
    expect(new Set(asked).size).toBe(32);
    stack.remove();
  });
});

describeWith("engine", "a no-change plan under Terraform", (engine) => {
  jest.setTimeout(120_000);

  test("three single reads where there are any, and from the fourth on the pages", async () => {
    const mirror = await makeMirror();
    const stack = new EstateStack(service);
    const workspace = new Workspace(engine, {
      TF_CLI_CONFIG_FILE: mirror.configuration,
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: service.adminToken,
    });
    const types = Object.entries(CASES).filter(([, { most }]) => most(10) === 1);
    const resource = Object.assign({}, ...types.map(([type]) => declared(type, 10, TERRAFORM))) as Resources;
    try {
      stack.declare(resource);
      await stack.apply();
      // What one engine wrote the other takes over.
      copyFileSync(stack.stateFile, path.join(workspace.folder, "terraform.tfstate"));
      workspace.write("main.tf.json", JSON.stringify({ resource }));
      await workspace.succeed("init");
      service.requests.reset();
      expect((await workspace.plan()).changes).toBe(false);
      const singles = types.filter(([, { hasSingles }]) => hasSingles).length;
      expect(types).toHaveLength(6);
      expect(service.requests.count()).toBeLessThanOrEqual(types.length + CONSTANT * singles);
    } finally {
      stack.remove();
      workspace.remove();
      mirror.remove();
    }
  });
});
