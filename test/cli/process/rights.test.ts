import type { FixtureInput } from "../../../src/service";
import { openPlace, type Place, TOKENS } from "../support/place";

jest.setTimeout(60_000);

/** Devon maintains one of two projects; the reader maintains both, with a token that only reads. */
const FIXTURE: FixtureInput = {
  users: [
    { username: "devon", token: TOKENS.developer },
    { username: "bot", tokens: [{ token: TOKENS.reader, name: "reader", scopes: ["read_api"] }] },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "devon", role: "developer" },
        { user: "bot", role: "maintainer" },
      ],
    },
  ],
  projects: [
    { path: "acme/shop", job_token_scope: { inbound_enabled: false } },
    {
      path: "acme/tools",
      members: [{ user: "devon", role: "maintainer" }],
      job_token_scope: { inbound_enabled: false },
    },
  ],
};

let place: Place;
beforeAll(async () => {
  place = await openPlace(FIXTURE);
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource: {
      steward_job_token_scope: {
        shop: { project: "acme/shop", inbound_enabled: true },
        tools: { project: "acme/tools", inbound_enabled: true },
      },
      steward_pages_settings: { tools: { project: "acme/tools", force_https: true } },
    },
  });
});
afterAll(() => place.close());

const requests = (): readonly string[] => {
  const { requests: log } = place.service;
  const all = log.all.map(({ method, route }) => `${method} ${route}`);
  log.reset();
  return all;
};
const writes = (): readonly string[] => requests().filter((request) => !request.startsWith("GET"));
const apply = (token: string, ...more: readonly string[]) =>
  place.run(["apply", "--auto-approve", "--config", ".", ...more], { STEWARD_TOKEN: token });

test("a token that only reads is told of before anything is sent, for each object", async () => {
  const { code, err } = await apply(TOKENS.reader);
  expect(code).toBe(1);
  expect(err).toContain("The token has the scopes read_api, and a change takes api:");
  for (const address of ["job_token_scope.shop", "job_token_scope.tools", "pages_settings.tools"])
    expect(err).toContain(`steward_${address}`);
  expect(writes()).toEqual([]);
});

test("a role that is missing is told of before the first write, and all else is done", async () => {
  const { code, out } = await apply(TOKENS.developer, "--json");
  expect(code).toBe(1);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; hook?: { resource: { addr: string } } });
  const told = events
    .filter(({ type }) => type.startsWith("apply_"))
    .map(({ type, hook }) => `${type} ${hook!.resource.addr}`);
  expect(told.slice(0, 2).sort()).toEqual([
    "apply_errored steward_job_token_scope.shop",
    "apply_errored steward_pages_settings.tools",
  ]);
  expect(told.slice(2)).toEqual([
    "apply_start steward_job_token_scope.tools",
    "apply_complete steward_job_token_scope.tools",
  ]);
  const found = events.flatMap((event) => ("diagnostic" in event ? [event["diagnostic"] as object] : []));
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        code: "insufficient_role",
        address: "steward_job_token_scope.shop",
        detail: expect.stringContaining("takes the role Maintainer"),
      }),
      expect.objectContaining({
        code: "insufficient_role",
        address: "steward_pages_settings.tools",
        detail: expect.stringContaining("takes the role administrator of the instance"),
      }),
    ]),
  );
  expect(writes()).toEqual(["PATCH /projects/:id/job_token_scope"]);
});

test("rights are asked for where there are changes: one request for the token, one for each project", async () => {
  const tools = ["--target", "steward_job_token_scope.tools"];
  requests();
  expect((await apply(TOKENS.developer, ...tools)).code).toBe(0);
  expect(requests()).toEqual(["GET /projects/:id/job_token_scope"]);
  await fetch(`${place.service.url}/api/v4/projects/acme%2Ftools/job_token_scope`, {
    method: "PATCH",
    headers: { "PRIVATE-TOKEN": place.service.adminToken, "Content-Type": "application/json" },
    body: JSON.stringify({ enabled: false }),
  });
  requests();
  expect((await apply(TOKENS.developer, ...tools)).code).toBe(0);
  const all = requests();
  expect(all.slice(-1)).toEqual(["PATCH /projects/:id/job_token_scope"]);
  expect(all.filter((one) => one === "GET /personal_access_tokens/self")).toHaveLength(1);
  // One of these is the plan's, which looks whether the project is archived.
  expect(all.filter((one) => one === "GET /projects/:id")).toHaveLength(2);
});

describe("in a group, and where the nearest answer is not enough", () => {
  beforeAll(() => {
    place.write("group/main.tf.json", {
      terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
      resource: {
        steward_group_invitation: { ada: { group: "acme", email: "ada@example.com", access_level: 30 } },
        steward_pages_settings: { shop: { project: "acme/shop", force_https: true } },
      },
    });
  });
  const applyThere = (token: string) =>
    place.run(["apply", "--auto-approve", "--config", "group", "--state", "group.tfstate"], {
      STEWARD_TOKEN: token,
    });

  test("an invitation takes an Owner of the group", async () => {
    requests();
    const { code, err } = await applyThere(TOKENS.developer);
    expect(code).toBe(1);
    expect(err.replaceAll(/\s*│\s*/g, " ")).toContain("in the group acme takes the role Owner");
    expect(writes()).toEqual([]);
  });

  test("an administrator may do all of it, without a role", async () => {
    expect((await applyThere(place.service.adminToken)).code).toBe(0);
  });
});
