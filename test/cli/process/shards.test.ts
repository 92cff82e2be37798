import { existsSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "../../../src/service";
import { App } from "../support/app";
import { TOKENS } from "../support/place";

let service: Service;
let app: App;

const RULE = "steward_container_protection_rule";
const SCOPE = "steward_job_token_scope";
const entryOf = (target: string) => ({
  steward_job_token_allowlist_project: { entry: { project: "acme/shop", target_project: target } },
});
const scopeOf = (project: string) => ({ [SCOPE]: { limit: { project, inbound_enabled: true } } });

/** Stacks a and b add entries to one list, c and d depend on each other. */
const STACKS: Record<string, object> = {
  a: { resource: entryOf("acme/tools") },
  b: { resource: entryOf("acme/docs") },
  c: { resource: scopeOf("acme/shop") },
  d: { resource: scopeOf("acme/docs"), dependencies: ["c"] },
};

beforeAll(async () => {
  service = await startService({
    fixture: {
      users: [{ username: "maya", token: TOKENS.maintainer }],
      groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }],
      projects: [{ path: "acme/shop" }, { path: "acme/tools" }, { path: "acme/docs" }],
    },
  });
  app = new App({ base_url: service.url, token: TOKENS.maintainer });
  app.declare(STACKS);
});
afterAll(async () => {
  app.remove();
  await service.close();
});

const shard = (name: string, ...argv: string[]) => app.run(argv[0]!, "--shard", name, ...argv.slice(1));
const report = (name: string) => JSON.parse(app.read(name));
const namesIn = (name: string) => report(name).stacks.map((stack: { name: string }) => stack.name);

/** Tests build on each other. */
describe("a shard", () => {
  test("plans its stacks alone, and the report says which part it is", async () => {
    const { code, err } = await shard("1/3", "plan", "--report", "1.json");
    expect(code).toBe(0);
    expect(err).toContain("Shard 1/3 has 2 of 4 stacks: c, d.");
    expect(namesIn("1.json")).toEqual(["c", "d"]);
    expect(report("1.json").limited_to).toEqual({ shard: { number: 1, of: 3, of_stacks: 4 } });
    const json = await shard("2/3", "plan", "--json");
    const events = json.out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    expect(events.find(({ type }) => type === "shard")).toMatchObject({
      shard: { number: 2, of: 3, stacks: ["a"], of_stacks: 4 },
    });
  });

  test("without a stack says so, exits with 0, and writes its report but no plan", async () => {
    const args = [
      "--detailed-exitcode",
      "--out",
      "4.steward",
      "--report",
      "4.json",
      "--exclude",
      `${SCOPE}.limit`,
    ];
    const { code, err } = await shard("4/4", "plan", ...args);
    expect(code).toBe(0);
    expect(err).toContain("Shard 4/4 has none of the 4 stacks: nothing to do.");
    expect(report("4.json")).toMatchObject({ result: "clean", stacks: [] });
    expect(existsSync(path.join(app.folder, "4.steward"))).toBe(false);
    expect((await shard("4/4", "drift")).code).toBe(0);
  });

  test("saves a plan that apply takes without the option", async () => {
    for (const name of ["1", "2", "3"]) {
      expect((await shard(`${name}/3`, "plan", "--out", "plan.steward")).code).toBe(0);
      expect((await app.run("apply", "plan.steward")).code).toBe(0);
    }
    expect(await app.addresses("d")).toContain(`${SCOPE}.limit`);
    expect((await app.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("takes nothing for undeclared that a stack of another shard declares", async () => {
    const { code, out } = await shard("2/3", "drift", "--coverage");
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("Nothing unmanaged") });
    const added = await fetch(`${service.url}/api/v4/projects/1/registry/protection/repository/rules`, {
      method: "POST",
      headers: { "private-token": TOKENS.maintainer, "content-type": "application/json" },
      body: JSON.stringify({
        repository_path_pattern: "acme/shop/*",
        minimum_access_level_for_push: "owner",
      }),
    });
    expect(added.status).toBe(201);
    const after = await shard("2/3", "drift", "--coverage", "--report", "2.json");
    expect(after.code).toBe(2);
    expect(after.out).toContain(RULE);
    expect(after.out).not.toContain("steward_job_token_allowlist_project");
  });

  test.each([
    ["drift", ["--coverage"]],
    ["plan", []],
  ])("the joined reports of shards of %s are the report of a run over all stacks", async (command, more) => {
    const parts = ["1", "2", "3"];
    const args = [...more, "--report"];
    for (const name of parts) await shard(`${name}/3`, command, ...args, `part-${name}.json`);
    const whole = await app.run(command, ...args, "whole.json");
    const files = parts.map((name) => `part-${name}.json`);
    const merged = await app.run(
      "report",
      "merge",
      ...files,
      "--report",
      "merged.json",
      "--report",
      "merged.html",
    );
    expect(merged.code).toBe(whole.code);
    const timeless = ({ started_at: _, finished_at: _end, ...rest }: Record<string, unknown>) => rest;
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    const expected = timeless(report("whole.json")) as { stacks: { name: string }[] };
    expect(timeless(report("merged.json"))).toEqual({
      ...expected,
      stacks: [...expected.stacks].sort(byName),
    });
    expect(app.read("merged.html")).toContain("<!doctype html>");
    const partial = await app.run("report", "merge", ...files.slice(1), "--report", "partial.json");
    expect(partial.code).toBe(1);
    expect(partial.err).toContain("The report of shard 1/3 is not among the 2 merged ones");
  });

  test("compares its declarations with the stacks of other shards", async () => {
    const { b: _, ...others } = STACKS;
    app.declare({ ...others, b: { resource: entryOf("acme/tools") } });
    const { code, err } = await shard("2/4", "plan");
    expect(code).toBe(1);
    expect(err).toContain("Declared in two stacks");
  });

  test.each([
    ["0/3", [], "such as 3/10"],
    ["4/3", [], "such as 3/10"],
    ["x", [], "such as 3/10"],
    ["1/3", ["--stack", "a"], "--shard and --stack can't be combined"],
    ["1/3", ["--config", "."], "--shard and --config can't be combined"],
    ["1/3", ["--target", `${SCOPE}.limit`], "--shard and --target can't be combined"],
    ["1/3", ["--state", "a.tfstate"], "--shard and --state can't be combined"],
  ])("%s with %j is refused", async (name, more, text) => {
    const { code, err } = await shard(name, "plan", ...more);
    expect(code).toBe(1);
    expect(err).toContain(text);
  });
});
