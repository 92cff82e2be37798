import path from "node:path";
import { LocalBackend, TerraformStack, Testing } from "cdktf";
import { Fleet, type FleetConfig, StewardProvider } from "../../../src/constructs";
import { COPY } from "../support/app";
import { openPlace, type Place, TOKENS } from "../support/place";

// The app has two fleets with different provider configurations. The tests cover everything that can happen to the projects
// of one fleet between two runs.

const STATE = "estate.tfstate";
const FLEET: FleetConfig = {
  projects: { group: "acme", includeSubgroups: true, topics: ["service"] },
  baseline: {
    inboundEnabled: true,
    protectedEnvironments: { production: { deployAccessLevels: [{ accessLevel: 40 }] } },
  },
};

/** Synthesizes the app once. The command of the app copies the result. */
const write = (id = "acme") => {
  const app = Testing.app({ outdir: path.join(place.folder, "synthesized") });
  const stack = new TerraformStack(app, "estate");
  new LocalBackend(stack, { path: path.join(place.folder, STATE) });
  new StewardProvider(stack, "steward");
  const other = new StewardProvider(stack, "other", { alias: "other", token: TOKENS.developer });
  new Fleet(stack, id, FLEET);
  new Fleet(stack, "lib", {
    projects: { group: "lib" },
    baseline: { inboundEnabled: true },
    provider: other,
  });
  app.synth();
};

const project = (path: string) => ({
  path,
  topics: ["service"],
  job_token_scope: { inbound_enabled: false },
});
const FIXTURE = {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "devon", token: TOKENS.developer },
  ],
  groups: [
    { path: "acme", members: [{ user: "maya", role: "owner" as const }] },
    { path: "lib", members: [{ user: "devon", role: "owner" as const }] },
  ],
  projects: ["acme/a", "acme/b", "acme/c", "lib/core"].map(project),
};

const LEAVING = ["--allow-leaving", "1"];
/** The ways to apply the code, as lists of commands. The tests change the list of projects after the first command. */
const WAYS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "a saved plan": [
    ["plan", ...LEAVING, "--out", "whole.plan"],
    ["apply", "whole.plan"],
  ],
  "saved plans of shards": [1, 2].flatMap((number) => [
    ["plan", ...LEAVING, "--shard", `${number}/2`, "--out", `${number}.plan`],
    ["apply", `${number}.plan`],
  ]),
  "waves of some projects": [["apply", "--auto-approve", ...LEAVING, "--wave", "1", "--project", "acme/*"]],
};

let place: Place;
beforeEach(async () => {
  place = await openPlace(FIXTURE);
  place.write("cdktf.json", { app: COPY });
  write();
  expect(await run("apply", "--auto-approve")).toMatchObject({ code: 0 });
});
afterEach(() => place.close());

const run = async (...words: readonly string[]) => {
  const ended = await place.run(words);
  return { code: ended.code, text: `${ended.out}${ended.err}` };
};
const keys = (): string[] =>
  JSON.parse(place.read(STATE))
    .resources.filter(({ mode }: { mode: string }) => mode === "managed")
    .flatMap(({ name, instances }: { name: string; instances: { index_key: string }[] }) =>
      instances.map(({ index_key: key }) => `${name.replace(/_[0-9A-F]{8}$/, "")} ${key}`),
    )
    .sort();
const byHand = (method: string, url: string, body: object) =>
  place.byHand(method, url, body, place.service.adminToken);
/**
 * Runs the commands of a way. Returns the writes to projects, and the outputs of failed commands. `between` runs after the
 * first command.
 */
const goes = async (way: string, between: () => Promise<unknown> = async () => undefined, only?: number) => {
  const before = place.service.requests.all.length;
  const failed: string[] = [];
  for (const [at, words] of WAYS[way]!.slice(0, only).entries()) {
    if (at === 1) await between();
    const { code, text } = await run(...words);
    if (code !== 0) failed.push(text);
  }
  const written = place.service.requests.all
    .slice(before)
    .filter(({ method, url }) => method !== "GET" && url.includes("/projects/"))
    .map(({ method, url }) => `${method} ${url}`);
  return { failed, written };
};
const nothing = { failed: [], written: [] };

describe.each(Object.keys(WAYS))("an apply through %s", (way) => {
  it("if a project was renamed, or joined the fleet after plan, apply writes nothing", async () => {
    const before = keys();
    await byHand("PUT", "/projects/2", { path: "renamed" });
    const join = () =>
      byHand("POST", "/projects", { name: "new", path: "new", namespace_id: 1, topics: ["service"] });
    expect([await goes(way, join, 2), keys()]).toEqual([nothing, before]);
  });

  it("if Steward can't read the list of projects, apply forgets no object of a project that left the fleet", async () => {
    const before = keys();
    await byHand("PUT", "/projects/2", { topics: [] });
    place.service.faults.add({ method: "GET", route: "/groups/:id/projects", status: 403, always: true });
    const { failed, written } = await goes(way);
    expect([failed.length > 0, written, keys()]).toEqual([true, [], before]);
    place.service.faults.clear();
    expect([await goes(way), keys()]).toEqual([nothing, before.filter((key) => !key.includes(" 2"))]);
  });

  it("apply forgets objects of a project that left a fleet, even if the fleet is renamed at the same time", async () => {
    await byHand("PUT", "/projects/2", { topics: [] });
    write("renamed");
    expect(await goes(way)).toEqual(nothing);
    expect(keys()).toEqual([
      "lib_job-token-scope 4",
      ...["1:production", "3:production"].map((key) => `renamed_environments ${key}`),
      ...["1", "3"].map((key) => `renamed_job-token-scope ${key}`),
    ]);
  });
});

it("if a project left a fleet, plan --write-moves prints the `terraform state rm` command for the project's objects", async () => {
  await byHand("PUT", "/projects/2", { topics: [] });
  const { text } = await run("plan", ...LEAVING, "--write-moves", "moves.tf");
  expect(text.replace(/_[0-9A-F]{8}/g, "")).toContain(
    `\nterraform state rm 'steward_job_token_scope.acme_job-token-scope["2"]' 'steward_protected_environment.acme_environments["2:production"]'\n`,
  );
});

it("if a fleet is renamed, plan --write-moves also writes moves for objects of a project that left the fleet", async () => {
  await byHand("PUT", "/projects/2", { topics: [] });
  write("renamed");
  const { text } = await run("plan", ...LEAVING, "--write-moves", "moves.json");
  expect(text.replace(/_[0-9A-F]{8}/g, "")).toContain(
    `\nterraform state rm 'steward_job_token_scope.acme_job-token-scope["2"]' 'steward_protected_environment.acme_environments["2:production"]'\n`,
  );
  const { moved } = JSON.parse(place.read("moves.json").replace(/_[0-9A-F]{8}/g, ""));
  const move = (name: string, key: number | string) => ({
    from: `steward_${name.replace("FLEET", "acme")}["${key}"]`,
    to: `steward_${name.replace("FLEET", "renamed")}["${key}"]`,
  });
  expect(new Set(moved)).toEqual(
    new Set(
      [1, 2, 3].flatMap((id) => [
        move("job_token_scope.FLEET_job-token-scope", id),
        move("protected_environment.FLEET_environments", `${id}:production`),
      ]),
    ),
  );
});

it("if apply --wave fails after some projects, the next apply sends only the remaining changes", async () => {
  for (const id of [1, 2, 3]) await byHand("PATCH", `/projects/${id}/job_token_scope`, { enabled: false });
  place.service.faults.add({ method: "PATCH", route: "/projects/:id/job_token_scope", skip: 1, status: 403 });
  const first = await run("apply", "--auto-approve", "--wave", "1");
  expect(first.code).toBe(1);
  const before = place.service.requests.all.length;
  expect(await run("apply", "--auto-approve", "--wave", "1")).toMatchObject({
    code: 0,
    text: expect.any(String),
  });
  const patched = place.service.requests.all
    .slice(before)
    .filter(({ method }) => method === "PATCH")
    .map(({ url }) => url.match(/projects\/(\d+)/)![1]);
  expect(patched).toEqual(["2", "3"]);
  expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
});
