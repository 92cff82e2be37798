import type { FixtureInput } from "../../../src/service";
import { openPlace, type Place, TOKENS } from "../support/place";

// A baseline over 12 projects: of 47 declared objects 16 exist already, 9 of them with other values.

jest.setTimeout(60_000);

const PROJECTS = 12;
const RULES = 4;
const numbers = Array.from({ length: PROJECTS }, (_, index) => index);
const pathOf = (index: number): string => `acme/p${index}`;

const fixture: FixtureInput = {
  users: [
    { username: "maya", token: TOKENS.maintainer, email: "maya@acme.example" },
    { username: "devon", token: TOKENS.developer },
    { username: "bot", tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api"] }] },
  ],
  groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }],
  projects: numbers.map((index) => ({
    path: pathOf(index),
    job_token_scope: { inbound_enabled: true },
    // 6 environments and 3 rules differ from what is declared.
    protected_environments: [
      { name: "production", deploy_access_levels: [{ access_level: index < 6 ? 30 : 40 }] },
    ],
    ...(index < RULES && {
      container_rules: [
        {
          repository_path_pattern: `${pathOf(index)}/*`,
          minimum_access_level_for_push: index < 3 ? ("admin" as const) : ("owner" as const),
        },
      ],
    }),
  })),
};

const each = (count: number, config: (index: number) => object) =>
  Object.fromEntries(numbers.slice(0, count).map((index) => [`p${index}`, config(index)]));
const RESOURCES = {
  steward_job_token_scope: each(PROJECTS, (index) => ({ project: pathOf(index), inbound_enabled: false })),
  steward_job_token_allowlist_project: each(11, (index) => ({
    project: pathOf(index),
    target_project: pathOf((index + 1) % PROJECTS),
  })),
  steward_protected_environment: each(PROJECTS, (index) => ({
    project: pathOf(index),
    name: "production",
    deploy_access_levels: [{ access_level: 40 }],
  })),
  steward_container_protection_rule: each(PROJECTS, (index) => ({
    project: pathOf(index),
    repository_path_pattern: `${pathOf(index)}/*`,
    minimum_access_level_for_push: "owner",
  })),
};

/** The place of plans alone, which leave the service as it is; applies have their own. */
let planned: Place;
let place: Place;
const open = async (): Promise<Place> => {
  place = await openPlace(fixture);
  declare();
  return place;
};
beforeAll(async () => {
  planned = await open();
});
beforeEach(() => {
  place = planned;
  declare();
  place.service.requests.reset();
});
afterEach(() => place !== planned && place.close());
afterAll(() => planned.close());

const declare = (resource: object = RESOURCES, more: object = {}) =>
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    provider: { steward: [{}] },
    resource,
    ...more,
  });
const HERE = ["--config", "."];
const IMPORT = [...HERE, "--import-existing"];
const unwrapped = (text: string): string => text.replaceAll("\n│ ", " ");
const boxes = (err: string): number => err.split("│ Error: ").length - 1;
const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");

describe("a plan of what exists", () => {
  test("a plan has one error for all that exists, exits with 1, and shows everything else", async () => {
    const { code, out, err } = await place.run(["plan", ...HERE]);
    expect({ code, boxes: boxes(err) }).toEqual({ code: 1, boxes: 1 });
    expect(out).toContain("Plan: 31 to add, 0 to change, 0 to destroy.");
    expect(out).not.toContain("steward_protected_environment");
    expect(unwrapped(err)).toMatch(/This affects 16 objects:( steward_\w+\.p\d+,?){10} and 6 more\./);
    expect(unwrapped(err)).toContain("--import-existing of plan and apply takes over all that exists");
    expect(err).toMatch(/^│ {3}steward import steward_\w+\.p\d+ \d+:\S+$/m);
  });

  test("a plan sends at most one list a collection", async () => {
    await place.run(["plan", ...HERE]);
    const lists = place.service.requests.all
      .map(({ url }) => url.replace(/\?.*/, ""))
      .filter((url) => /environments|rules|allowlist/.test(url));
    expect(new Set(lists).size).toBe(lists.length);
    expect(lists).toHaveLength(11 + PROJECTS + PROJECTS);
  });

  test("a plan with --refresh=false looks for nothing", async () => {
    const { code, out } = await place.run(["plan", ...HERE, "--refresh=false"]);
    expect(code).toBe(0);
    expect(out).toContain("Plan: 47 to add");
    expect(place.service.requests.all.filter(({ url }) => url.includes("environments"))).toEqual([]);
  });

  test("an apply reports what exists once, exits with 1, and does the rest", async () => {
    await open();
    const { code, out, err } = await place.run(["apply", ...HERE, "--auto-approve"]);
    expect({ code, boxes: boxes(err) }).toEqual({ code: 1, boxes: 1 });
    expect(out).toContain("Apply incomplete, see the errors. Resources: 31 added, 0 changed, 0 destroyed.");
    expect(writes()).toHaveLength(31);
  });

  test("an apply has one error for all that no plan looked for", async () => {
    await open();
    const { code, out, err } = await place.run(["apply", ...HERE, "--auto-approve", "--refresh=false"]);
    expect({ code, boxes: boxes(err) }).toEqual({ code: 1, boxes: 1 });
    expect(out).toContain("Apply incomplete, see the errors. Resources: 31 added, 0 changed, 0 destroyed.");
    expect(unwrapped(err)).toContain("This affects 16 objects: ");
  });

  test("events and reports have an error of each object", async () => {
    const { out } = await place.run(["plan", ...HERE, "--json", "--report", "plan.json"]);
    expect(out.match(/"code":"already_exists"/g)).toHaveLength(16);
    expect(place.read("plan.json").match(/"code": ?"already_exists"/g)).toHaveLength(16);
  });
});

describe("--import-existing", () => {
  test("an apply takes over what exists and changes it, and the next plan is empty", async () => {
    await open();
    const plan = await place.run(["plan", ...IMPORT]);
    expect(plan.code).toBe(0);
    const totals =
      "Plan: 16 to import, 31 to add, 9 to change, 0 to destroy. Existing objects: 16 to import, 9 of them to change.";
    expect(plan.out).toContain(totals);
    expect(plan.out).toContain('(imported from "1:1")');
    expect(plan.out).toContain("  # 6 objects steward_protected_environment will be updated in-place");
    expect(plan.out).toContain("  # (imported from their ids)");
    expect(plan.out).toContain('minimum_access_level_for_push = "admin" -> "owner"');
    const { code, out } = await place.run(["apply", ...IMPORT, "--auto-approve"]);
    expect(code).toBe(0);
    expect(out).toContain("Resources: 16 imported, 31 added, 9 changed, 0 destroyed.");
    expect(writes().map(({ method }) => method)).not.toContain("DELETE");
    expect((await place.run(["plan", ...HERE, "--detailed-exitcode"])).code).toBe(0);
  });

  test("a plan sends as many requests with it as without it", async () => {
    await place.run(["plan", ...HERE]);
    const requests = place.service.requests.count();
    place.service.requests.reset();
    await place.run(["plan", ...IMPORT]);
    expect(place.service.requests.count()).toBe(requests);
    expect(writes()).toEqual([]);
  });

  test.each([
    [["--max-imports", "15"], "would import 16 objects, and --max-imports allows 15"],
    [["--max-changes", "39"], "would change 40 objects, and --max-changes allows 39"],
  ])("%j refuses the plan before anything is written", async (limit, message) => {
    const { code, err } = await place.run(["apply", ...IMPORT, "--auto-approve", ...limit]);
    expect(code).toBe(1);
    expect(unwrapped(err)).toContain(message);
    expect(writes()).toEqual([]);
    expect(() => place.read("terraform.tfstate")).toThrow("ENOENT");
  });

  test("events, totals, reports of all formats, access, rights, requests and policies count what is taken over", async () => {
    place.write(
      "policy.js",
      `module.exports = [{ name: "imports", why: "w", level: "mandatory", types: ["steward_protected_environment"],
        checkChange: ({ importing, actions }) => importing && actions.includes("update") ? [{ what: importing.id, mend: "m" }] : [] }];`,
    );
    const reports = ["r.md", "r.html", "r.xml", "r.widget.json", "r.json"].flatMap((file) => [
      "--report",
      file,
    ]);
    const described = ["--access", "--rights", "--show-requests"];
    const shown = await place.run(["plan", ...IMPORT, ...described, ...reports]);
    expect(shown.out).toContain("Requests: 40.");
    expect(shown.out.match(/PUT \/projects\/\d+\/protected_environments\/production/g)).toHaveLength(6);
    for (const file of ["r.md", "r.html"])
      expect(place.read(file)).toContain("16 to import, 9 of them to change");
    expect(place.read("r.xml")).toContain("imported from 1:production");
    expect(place.read("r.json").match(/"import_id"/g)).toHaveLength(16);
    expect(place.read("r.widget.json")).toContain('"update":9');
    const { out } = await place.run(["plan", ...IMPORT, "--json"]);
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const summary = events.find(({ type }) => type === "change_summary");
    expect(summary.changes).toMatchObject({ import: 16, existing: 16, existing_to_change: 9, change: 9 });
    const change = events.find(
      ({ type, change: one }) =>
        type === "planned_change" && one.resource.addr === "steward_protected_environment.p0",
    );
    expect(change.change).toMatchObject({ action: "update", importing: { id: "1:production" } });
    const refused = await place.run(["plan", ...IMPORT, "--policy", "policy.js"]);
    expect([refused.code, boxes(refused.err)]).toEqual([1, 6]);
    const total = await place.run(["plan", ...IMPORT, "--summary"]);
    expect(total.out).toContain("Existing objects: 16 to import, 9 of them to change.");
  });

  test("a saved plan is applied as it was shown, and refused once a live object differs", async () => {
    await open();
    expect((await place.run(["plan", ...IMPORT, "--out", "saved"])).code).toBe(0);
    expect((await place.run(["show", "saved"])).out).toContain("Existing objects: 16 to import");
    const environment = "/projects/1/protected_environments/production";
    await place.byHand("PUT", environment, { deploy_access_levels: [{ access_level: 60 }] });
    const refused = await place.run(["apply", "saved"]);
    expect(refused.code).toBe(1);
    expect(unwrapped(refused.err)).toContain(
      '"deploy_access_levels" of steward_protected_environment.p0 before',
    );
    expect((await place.run(["plan", ...IMPORT, "--out", "saved"])).code).toBe(0);
    const { code, out } = await place.run(["apply", "saved"]);
    expect(code).toBe(0);
    expect(out).toContain("Resources: 16 imported");
    expect((await place.run(["plan", ...HERE, "--detailed-exitcode"])).code).toBe(0);
  });

  test("nothing is imported that another address declares through another configuration", async () => {
    declare(
      {
        steward_protected_environment: {
          one: { project: pathOf(0), name: "production", deploy_access_levels: [{ access_level: 40 }] },
          two: {
            provider: "steward.second",
            project: pathOf(0),
            name: "production",
            deploy_access_levels: [{ access_level: 30 }],
          },
        },
      },
      { provider: { steward: [{}, { alias: "second" }] } },
    );
    const { code, err } = await place.run(["apply", ...IMPORT, "--auto-approve"]);
    expect(code).toBe(1);
    expect(unwrapped(err)).toContain("Declared twice");
    expect(writes()).toEqual([]);
  });

  test.each([
    ["--refresh=false", ["plan"]],
    ["--destroy", ["plan"]],
    ["--refresh-only", ["apply", "--auto-approve"]],
  ])("%s is refused beside it", async (option, command) => {
    const { code, err } = await place.run([...command, ...IMPORT, option]);
    expect(code).toBe(1);
    expect(unwrapped(err)).toContain(`--import-existing and ${option} can't be combined`);
  });
});

describe("--write-imports", () => {
  const blocks = 16;

  test("a plan writes import blocks in HCL, and in JSON for a file that ends in .json", async () => {
    place.write("out/README", "");
    const { code, err } = await place.run(["plan", ...HERE, "--write-imports", "out/imports.tf"]);
    expect(code).toBe(0);
    expect(err).toContain("Wrote 16 import blocks to out/imports.tf.");
    const text = place.read("out/imports.tf");
    expect(text.match(/^import \{$/gm)).toHaveLength(blocks);
    expect(text).toContain('import {\n  to = steward_protected_environment.p0\n  id = "1:production"\n}\n');
    await place.run(["plan", ...HERE, "--write-imports", "out/imports.tf.json"]);
    const { import: written } = JSON.parse(place.read("out/imports.tf.json"));
    expect(written).toHaveLength(blocks);
    expect(written).toContainEqual({ to: "steward_protected_environment.p0", id: "1:production" });
    // As a part of the configuration the blocks import without the option.
    declare(RESOURCES, { import: written });
    const { out } = await place.run(["plan", ...HERE]);
    expect(out).toContain("Plan: 16 to import, 31 to add, 9 to change, 0 to destroy.\n");
  });

  test("a plan without an object to import writes no file", async () => {
    declare({ steward_job_token_scope: RESOURCES.steward_job_token_scope });
    const { err } = await place.run(["plan", ...HERE, "--write-imports", "imports.tf"]);
    expect(err).toContain("Nothing to import: imports.tf was not written.");
    expect(() => place.read("imports.tf")).toThrow("ENOENT");
  });

  test("a plan says why a file can't be written", async () => {
    const { code, err } = await place.run(["plan", ...HERE, "--write-imports", "nowhere/imports.tf"]);
    expect(code).toBe(1);
    expect(err).toContain("Import blocks can't be written");
  });
});
