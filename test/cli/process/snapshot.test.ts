import { statSync } from "node:fs";
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
  expect(
    (await place.run(["plan", "--config", ".", "--import-existing", "--out", "saved.plan"], env)).code,
  ).toBe(0);
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
