import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { FixtureInput } from "../../../src/service";
import { HttpProxy, type Passage } from "../../support/http-proxy";
import { TOKENS, usePlace } from "../support/place";
import type { Ended, Steward } from "../support/process";

jest.setTimeout(120_000);

const FIXTURE: FixtureInput = {
  users: [
    { username: "maya", id: 21, tokens: [{ token: TOKENS.maintainer, scopes: ["read_api"] }] },
    { username: "devon", id: 22, token: TOKENS.developer },
  ],
  groups: [
    {
      path: "acme",
      id: 11,
      members: [
        { user: "maya", role: "maintainer" },
        { user: "devon", role: "developer" },
      ],
    },
    { path: "partner", id: 12, visibility: "public" },
  ],
  projects: [
    {
      path: "acme/shop",
      id: 1,
      description: `Never paste ${TOKENS.maintainer} here`,
      environments: ["production"],
      job_token_scope: { inbound_enabled: false, projects: ["partner/tools"], groups: ["partner"] },
      protected_environments: [{ name: "production", deploy_access_levels: [{ user: "maya" }] }],
      container_rules: [{ id: 7, repository_path_pattern: "acme/*", minimum_access_level_for_push: "owner" }],
    },
    { path: "acme/tools", id: 2 },
    { path: "acme/docs", id: 3, archived: true },
    { path: "partner/tools", id: 4, visibility: "public" },
  ],
};

const place = usePlace("each", FIXTURE);

const wide = ({ err }: Ended): string => err.replace(/\n│ ?/g, " ");
const take = (...args: string[]): Promise<Ended> =>
  place.run(["snapshot", "acme", "--out", "copy.yaml", ...args]);

/** Serves the fixture with the command, and ends it afterwards. */
async function serving<Result>(work: (env: Record<string, string>) => Promise<Result>): Promise<Result> {
  const args = ["serve", "--fixture", "copy.yaml", "--admin-token-file", "admin.token"];
  const serve: Steward = place.start(args);
  const [, url] = /^listening on (\S+)\n/.exec(await serve.wrote("out", "\n"))!;
  try {
    return await work({ STEWARD_BASE_URL: url!, STEWARD_TOKEN: place.read("admin.token").trim() });
  } finally {
    serve.child.kill("SIGTERM");
    await serve.ended;
  }
}

/** A plan as JSON, without its time and the address of the service. */
async function planned(env: Record<string, string> = {}): Promise<unknown> {
  expect((await place.run(["plan", "--config", ".", "--out", "saved.plan"], env)).code).toBe(0);
  const { out } = await place.run(["show", "--json", "saved.plan"], env);
  const { timestamp: _, ...plan } = JSON.parse(
    out.replaceAll(env["STEWARD_BASE_URL"] ?? place.service.url, ""),
  );
  return plan;
}

test("a snapshot that steward serve serves gives the same snapshot and the same plan", async () => {
  const { code, out, err } = await take();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(
    "Snapshot of 3 projects and 1 group written to copy.yaml, with 2 users and 2 other projects or groups",
  );
  expect(out).toContain("Serve it: steward serve --fixture copy.yaml --admin-token-file token");
  expect(statSync(path.join(place.folder, "copy.yaml")).mode & 0o077).toBe(0);
  const original = place.read("copy.yaml");
  const plan = await planned();
  await serving(async (env) => {
    expect(await planned(env)).toEqual(plan);
    expect((await place.run(["snapshot", "acme", "--out", "again.yaml"], env)).code).toBe(0);
  });
  // An administrator sees the invitations of the group, too.
  const withoutNotes = (text: string) => text.replace(/#\n# Left out:\n(# - .*\n)+/, "");
  expect(place.read("again.yaml")).toBe(withoutNotes(original));
});

test("no token is in the file, also if somebody pasted it into a description", async () => {
  await take();
  expect(place.read("copy.yaml")).not.toContain(TOKENS.maintainer);
  expect(place.read("copy.yaml")).toContain("description: Never paste (sensitive value) here");
  const { out, err } = await place.run(["snapshot", "acme", "--out", "-"], { STEWARD_LOG: "trace" });
  expect(out + err).not.toContain(TOKENS.maintainer);
});

test("--out - writes the fixture to stdout, and the summary to stderr", async () => {
  await take();
  const { code, out, err } = await place.run(["snapshot", "acme", "--out", "-"]);
  expect({ code, out }).toEqual({ code: 0, out: place.read("copy.yaml") });
  expect(err).toContain("written to stdout");
});

test("--json reports each part that is left out, and the counts last", async () => {
  const { code, out } = await take("--json", "--anonymize");
  expect(code).toBe(0);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ type }) => type)).toEqual(["version", "snapshot_note", "snapshot_summary"]);
  expect(events[1].note).toMatchObject({ part: "invitations", kind: "unavailable" });
  expect(events[2].snapshot).toEqual({
    file: "copy.yaml",
    written: true,
    anonymized: true,
    selected: { projects: 3, groups: 1 },
    projects: 4,
    groups: 2,
    users: 2,
    notes: 1,
    requests: place.service.requests.count(),
  });
});

test("a file that is not a snapshot is kept before anything is read, and an earlier snapshot is replaced", async () => {
  place.write("copy.yaml", "projects: []\n");
  const refused = await take();
  expect(refused.code).toBe(1);
  expect(wide(refused)).toContain("copy.yaml exists and was not written by `steward snapshot`");
  expect(place.service.requests.count()).toBe(0);
  expect(place.read("copy.yaml")).toBe("projects: []\n");
  expect((await take("--force")).code).toBe(0);
  expect((await take("--anonymize")).code).toBe(0);
  expect(place.read("copy.yaml")).not.toContain("acme");
});

test("settings that the token may not read are left out with a warning", async () => {
  const ended = await place.run(["snapshot", "acme", "--out", "copy.yaml"], {
    STEWARD_TOKEN: TOKENS.developer,
  });
  expect(ended.code).toBe(0);
  expect(wide(ended)).toContain("Warning: Settings are not readable");
  expect(wide(ended)).toMatch(
    /needs the Maintainer role: acme\/docs \(.*\); acme\/shop \(.*protected environments.*\)/,
  );
  expect(place.read("copy.yaml")).toContain(
    "# - Pages: the token's user needs the Maintainer role: acme/docs, acme/shop",
  );
  expect(ended.out).toMatch(/\d+ parts left out/);
});

describe("if a project could not be read", () => {
  /** Lets requests for the environments of one project fail. */
  async function failing(args: readonly string[]): Promise<Ended> {
    const broken = async (passage: Passage): Promise<void> =>
      passage.url.includes("/projects/2/environments")
        ? passage.answer({ status: 500, headers: {}, body: Buffer.from("") })
        : passage.answer(await passage.forward());
    const proxy = new HttpProxy(place.service.url, broken);
    try {
      return await place.run(["snapshot", "acme", "--out", "copy.yaml", ...args], {
        STEWARD_BASE_URL: await proxy.start(),
      });
    } finally {
      proxy.close();
    }
  }

  test("the others are written, and the exit code is 1", async () => {
    const ended = await failing([]);
    expect(ended.code).toBe(1);
    expect(wide(ended)).toContain("Error: Settings could not be read");
    expect(wide(ended)).toContain("acme/tools (environments)");
    expect(place.read("copy.yaml")).toMatch(/# - environments: .*\(500\): acme\/tools\n/);
    expect(place.read("copy.yaml")).toContain("path: acme/shop");
  });

  test("an earlier snapshot is kept, and --force replaces it", async () => {
    await take();
    const complete = place.read("copy.yaml");
    const ended = await failing([]);
    expect(ended.code).toBe(1);
    expect(wide(ended)).toContain("Error: Earlier snapshot kept");
    expect(ended.out).toContain("not written");
    expect(place.read("copy.yaml")).toBe(complete);
    expect((await failing(["--force"])).code).toBe(1);
    expect(place.read("copy.yaml")).toContain("acme/tools\n");
    expect(place.read("copy.yaml")).not.toBe(complete);
  });
});

test("a token that is revoked meanwhile ends the run with one error, and an earlier snapshot is kept", async () => {
  await take();
  const complete = place.read("copy.yaml");
  const revoked = async (passage: Passage): Promise<void> =>
    passage.url.includes("/projects/")
      ? passage.answer({ status: 401, headers: {}, body: Buffer.from("") })
      : passage.answer(await passage.forward());
  const proxy = new HttpProxy(place.service.url, revoked);
  const ended = await place.run(["snapshot", "acme", "--out", "copy.yaml"], {
    STEWARD_BASE_URL: await proxy.start(),
  });
  proxy.close();
  expect(ended.code).toBe(1);
  expect(ended.err.match(/Error: /g)).toHaveLength(1);
  expect(place.read("copy.yaml")).toBe(complete);
});

test.each([
  [["nowhere", "--out", "none.yaml"], '"nowhere" can\'t be found'],
  [["--all", "--topic", "none", "--out", "none.yaml"], "No project or group matches"],
  [["--out", "none.yaml"], "Name projects or groups"],
  [["acme"], "--out FILE"],
  [["acme", "--out", "-", "--json"], "--out -"],
  [["acme", "--out", "no/such/folder.yaml"], "can't be written (ENOENT: no such file or directory)"],
])("snapshot %j fails and writes nothing", async (args, message) => {
  const ended = await place.run(["snapshot", ...args]);
  expect(ended.code).toBe(1);
  expect(wide(ended) + ended.out).toContain(message);
  expect(place.service.requests.all.filter(({ route }) => route?.includes("members"))).toEqual([]);
  expect(existsSync(path.join(place.folder, "none.yaml"))).toBe(false);
});

test("a token that is not valid fails once, and nothing is written", async () => {
  const ended = await place.run(["snapshot", "acme", "--out", "none.yaml"], { STEWARD_TOKEN: "wrong-token" });
  expect(ended.code).toBe(1);
  expect(ended.err.match(/Error: /g)).toHaveLength(1);
  expect(existsSync(path.join(place.folder, "none.yaml"))).toBe(false);
});
