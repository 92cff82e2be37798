import { copyFileSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { makeMirror, type PluginMirror } from "../../plugin/support/plugin-mirror";
import { Workspace } from "../../plugin/support/workspace";
import { describeWith } from "../../support/capabilities";
import { Gate } from "./gate";
import { EstateStack, numbers, type Resources } from "./support";

// How many requests the service has before it at once. It answers none of them before all that are expected are there: what
// is asked one after the other never ends.

// What is broken here never ends; a loaded machine takes its time all the same.
jest.setTimeout(30_000);

const ENTRIES = 1000;
const PAGES = ENTRIES / 100 + 1;
/** Where nobody says how wide, requests go out so wide at first, and so wide at the most. */
const [INITIAL_LIMIT, MAX_LIMIT] = [10, 50];
const CROWDED = "1";
const EMPTY = "2";
const targets = numbers(ENTRIES).map((index) => `estate/target-${index}`);
const ids = numbers(30).map((index) => String(index + 3));

let service: Service;
let gate: Gate;
let stack: EstateStack;
beforeAll(async () => {
  service = await startService({
    fixture: {
      groups: [{ path: "estate" }],
      projects: [
        { path: "estate/shop", id: Number(CROWDED), job_token_scope: { projects: targets } },
        { path: "estate/empty", id: Number(EMPTY) },
        ...targets.map((path, index) => ({ path, id: index + 3 })),
      ],
    },
  });
  gate = await Gate.open(service.url);
});
afterAll(async () => {
  gate.close();
  await service.close();
});
beforeEach(() => {
  stack = new EstateStack({ ...service, url: gate.url });
});
afterEach(() => stack.remove());

const isWrite = (sent: string) => (method: string) => method === sent;
const isPageAfterFirst = (_: string, url: string) => /allowlist\?.*&page=(?!1$)\d+$/.test(url);
const isList = (method: string, url: string) =>
  method === "GET" && /\/(allowlist|rules|protected_environments)\b/.test(url);

const named = (given: readonly string[], one: (name: string) => object) =>
  Object.fromEntries(given.map((name) => [`r${name}`, one(name)]));
const entries = (of: readonly string[]): Resources => ({
  steward_job_token_allowlist_project: named(of, (target) => ({ project: EMPTY, target_project: target })),
});
const whole = (target_projects: readonly string[], project = EMPTY): Resources => ({
  steward_job_token_allowlist: { this: { project, target_projects, target_groups: [] } },
});
const ofCrowded = (of: readonly string[]): Resources => ({
  steward_job_token_allowlist_project: named(of, (target) => ({ project: CROWDED, target_project: target })),
});

/** Three collections of each of three projects, each of which is planned after the one before. */
function nineCollections(): Resources {
  const resource: Record<string, Record<string, object>> = {};
  let before: string | undefined;
  const add = (type: string, name: string, body: object) => {
    resource[type] = {
      ...resource[type],
      [name]: { ...body, ...(before !== undefined && { depends_on: [before] }) },
    };
    before = `${type}.${name}`;
  };
  for (const project of ids.slice(0, 3)) {
    add("steward_job_token_allowlist_project", `p${project}`, { project, target_project: EMPTY });
    add("steward_container_protection_rule", `p${project}`, {
      project,
      repository_path_pattern: "estate/*",
      minimum_access_level_for_push: "owner",
    });
    add("steward_protected_environment", `p${project}`, {
      project,
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
    });
  }
  return resource;
}

async function expectNoChange(): Promise<void> {
  const plan = await stack.plan();
  expect(plan.diagnostics).toEqual([]);
  expect(plan.hasChanges).toBe(false);
}

describe("the embedded engine", () => {
  test("asks for the pages of a list together, once the first one tells how many there are", async () => {
    const one = ids.slice(0, 1);
    stack.declare(ofCrowded(one), {
      import: [{ to: `steward_job_token_allowlist_project.r${one[0]}`, id: `${CROWDED}:${one[0]}` }],
    });
    const meeting = { isOne: isPageAfterFirst, atOnce: PAGES - 1, total: PAGES - 1 };
    expect(await gate.during(meeting, () => stack.plan())).toEqual({ most: PAGES - 1, seen: PAGES - 1 });
  });

  test("asks for all collections together from the start of the refresh, in whatever order they are planned", async () => {
    stack.declare(nineCollections());
    await stack.apply();
    const meeting = { isOne: isList, atOnce: 9, total: 9 };
    expect(await gate.during(meeting, expectNoChange)).toEqual({ most: 9, seen: 9 });
    stack.declare({});
    await stack.apply();
  });

  test.each([1, 4, 25])("writes as wide as --parallelism %d, and never wider", async (parallelism) => {
    stack.declare(entries(ids));
    const meeting = { atOnce: parallelism, total: ids.length };
    const apply = () => stack.apply({ parallelism });
    const all = { most: parallelism, seen: ids.length };
    expect(await gate.during({ ...meeting, isOne: isWrite("POST") }, apply)).toEqual(all);
    stack.declare({});
    expect(await gate.during({ ...meeting, isOne: isWrite("DELETE") }, apply)).toEqual(all);
  });

  test("writes to one authoritative collection as wide as --parallelism, and never wider", async () => {
    stack.declare(whole(ids));
    const meeting = { atOnce: 4, total: ids.length };
    const apply = () => stack.apply({ parallelism: 4 });
    const all = { most: 4, seen: ids.length };
    expect(await gate.during({ ...meeting, isOne: isWrite("POST") }, apply)).toEqual(all);
    stack.declare(whole([]));
    expect(await gate.during({ ...meeting, isOne: isWrite("DELETE") }, apply)).toEqual(all);
  });

  test("writes to one authoritative collection in bounded width where nobody says how wide", async () => {
    stack.declare(whole(ids));
    const meeting = { atOnce: INITIAL_LIMIT, total: ids.length };
    for (const method of ["POST", "DELETE"]) {
      const { most, seen } = await gate.during({ ...meeting, isOne: isWrite(method) }, () => stack.apply());
      expect(seen).toBe(ids.length);
      expect(most).toBeGreaterThanOrEqual(INITIAL_LIMIT);
      expect(most).toBeLessThanOrEqual(MAX_LIMIT);
      stack.declare(whole([]));
    }
  });
});

describeWith("engine", "under Terraform", (engine) => {
  let mirror: PluginMirror;
  let workspace: Workspace;
  beforeAll(async () => {
    mirror = await makeMirror();
  });
  beforeEach(async () => {
    workspace = new Workspace(engine, {
      TF_CLI_CONFIG_FILE: mirror.configuration,
      STEWARD_BASE_URL: gate.url,
      STEWARD_TOKEN: service.adminToken,
    });
    await workspace.succeed("init");
  });
  afterEach(() => workspace.remove());
  afterAll(() => mirror.remove());

  const declare = (resource: Resources, more: object = {}) =>
    workspace.write("main.tf.json", JSON.stringify({ resource, ...more }));

  test("single entries are written as wide as -parallelism, and never wider", async () => {
    declare(entries(ids.slice(0, 12)));
    const meeting = { isOne: isWrite("POST"), atOnce: 4, total: 12 };
    const apply = () => workspace.apply("-parallelism=4");
    expect(await gate.during(meeting, apply)).toEqual({ most: 4, seen: 12 });
  });

  test("one authoritative collection is written in bounded width, whatever -parallelism", async () => {
    const [project = "", ...others] = ids;
    declare(whole(others, project));
    const meeting = { isOne: isWrite("POST"), atOnce: INITIAL_LIMIT, total: others.length };
    const { most, seen } = await gate.during(meeting, () => workspace.apply("-parallelism=1"));
    expect(seen).toBe(others.length);
    expect(most).toBeGreaterThanOrEqual(INITIAL_LIMIT);
    expect(most).toBeLessThanOrEqual(MAX_LIMIT);
  });

  /** What one engine wrote the other takes over. */
  async function taken(resource: Resources): Promise<void> {
    stack.declare(resource);
    await stack.apply();
    copyFileSync(stack.stateFile, path.join(workspace.folder, "terraform.tfstate"));
    declare(resource);
  }
  const expectNothing = async (words: string) => expect((await workspace.plan(words)).changes).toBe(false);

  test.each([4, 8])(
    "at -parallelism=%d so many collections are asked for together from the start",
    async (width) => {
      const eight = ids.slice(0, 8);
      await taken({
        steward_container_protection_rule: named(eight, (project) => ({
          project,
          repository_path_pattern: `estate/${width}/*`,
          minimum_access_level_for_push: "owner",
        })),
      });
      const meeting = { isOne: isList, atOnce: width, total: 8 };
      const plan = () => expectNothing(`-parallelism=${width}`);
      expect(await gate.during(meeting, plan)).toEqual({ most: width, seen: 8 });
    },
  );

  test("the pages of a list are asked for together, whatever -parallelism", async () => {
    await taken({
      steward_job_token_allowlist_project: { one: { project: CROWDED, target_project: EMPTY } },
    });
    const meeting = { isOne: isPageAfterFirst, atOnce: PAGES - 1, total: PAGES - 1 };
    const plan = () => expectNothing("-parallelism=1");
    expect(await gate.during(meeting, plan)).toEqual({ most: PAGES - 1, seen: PAGES - 1 });
  });
});
