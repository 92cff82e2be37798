import type { FixtureInput } from "../../../src/service";
import { HttpProxy, type Passage } from "../../support/http-proxy";
import { TOKENS, usePlace } from "../support/place";
import type { Ended } from "../support/process";

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
