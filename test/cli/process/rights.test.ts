import type { FixtureInput } from "../../../src/service";
import { HttpProxy } from "../../support/http-proxy";
import { TOKENS, usePlace } from "../support/place";

/** Devon maintains one of two projects; the reader maintains both with a read-only token. */
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

const place = usePlace("all", FIXTURE);
beforeAll(async () => {
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

const requests = (): readonly string[] => {
  const { requests: log } = place.service;
  const all = log.all.map(({ method, route }) => `${method} ${route}`);
  log.reset();
  return all;
};
const writes = (): readonly string[] => requests().filter((request) => !request.startsWith("GET"));
const apply = (token: string, ...more: readonly string[]) =>
  place.run(["apply", "--auto-approve", "--config", ".", ...more], { STEWARD_TOKEN: token });

describe("token scopes", () => {
  /** A service that reports scopes that differ from the token's real ones. */
  const withScopes = async (scopes: readonly string[]) => {
    const proxy = new HttpProxy(place.service.url, async (passage) => {
      const answer = await passage.forward();
      if (!passage.url.endsWith("/personal_access_tokens/self")) return passage.answer(answer);
      const { "content-length": _, ...headers } = answer.headers;
      const body = JSON.stringify({ ...JSON.parse(answer.body.toString()), scopes });
      passage.answer({ status: 200, headers, body: Buffer.from(body) });
    });
    const STEWARD_BASE_URL = await proxy.start();
    requests();
    try {
      const env = { STEWARD_TOKEN: place.service.adminToken, STEWARD_BASE_URL };
      const { code, err } = await place.run(
        ["apply", "--auto-approve", "--config", ".", "--state", `${scopes.join("-")}.tfstate`],
        env,
      );
      return { code, err, writes: writes() };
    } finally {
      proxy.close();
    }
  };

  test.each([[["granular"]], [["read_api", "granular"]], [["read_api", "manage_runner"]], [[]]])(
    "scopes %j may allow a change, so that it is sent: a fine-grained token was refused",
    async (scopes) => {
      const { code, err, writes: sent } = await withScopes(scopes);
      expect({ code, err }).toMatchObject({ code: 0 });
      expect(sent).not.toEqual([]);
    },
  );

  test.each([[["read_api"]], [["read_user", "read_repository", "openid"]]])(
    "scopes %j are all known to read alone, so that nothing is sent",
    async (scopes) => {
      const { code, err, writes: sent } = await withScopes(scopes);
      expect(code).toBe(1);
      expect(err).toContain("The token's scopes don't allow this change");
      expect(sent).toEqual([]);
    },
  );
});

test("a read-only token is refused for each object before anything is sent", async () => {
  const { code, err } = await apply(TOKENS.reader);
  expect(code).toBe(1);
  expect(err).toContain("The token has the scopes read_api, but a change needs the scope api:");
  for (const address of ["job_token_scope.shop", "job_token_scope.tools", "pages_settings.tools"])
    expect(err).toContain(`steward_${address}`);
  expect(writes()).toEqual([]);
});

interface Event {
  readonly type: string;
  readonly hook?: { readonly resource: { readonly addr: string } };
  readonly diagnostic?: {
    readonly severity: string;
    readonly code: string;
    readonly address: string;
    readonly detail: string;
  };
}
const eventsOf = (out: string): readonly Event[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);

test("an insufficient role is a warning before the first write; the service decides", async () => {
  const { code, out } = await apply(TOKENS.developer, "--json");
  expect(code).toBe(1);
  const events = eventsOf(out);
  const began = events.findIndex(({ type }) => type === "apply_start");
  const reported = (severity: string, some: readonly Event[]) =>
    some
      .flatMap(({ diagnostic }) => (diagnostic?.severity === severity ? [diagnostic] : []))
      .map((one) => `${one.code} ${one.address}`)
      .sort();
  expect(reported("warning", events.slice(0, began))).toEqual([
    "insufficient_role steward_job_token_scope.shop",
    "insufficient_role steward_pages_settings.tools",
  ]);
  // Each is reported once, although the result contains it too.
  expect(reported("warning", events)).toHaveLength(2);
  expect(reported("error", events)).toEqual([
    "forbidden steward_job_token_scope.shop",
    "forbidden steward_pages_settings.tools",
  ]);
  const done = events.filter(({ type }) => type === "apply_complete").map(({ hook }) => hook!.resource.addr);
  expect(done).toEqual(["steward_job_token_scope.tools"]);
  expect(writes().toSorted()).toEqual([
    "PATCH /projects/:id/job_token_scope",
    "PATCH /projects/:id/job_token_scope",
    "PATCH /projects/:id/pages",
  ]);
});

test("warning and refusal name the required role", async () => {
  const { code, err } = await apply(TOKENS.developer, "--target", "steward_pages_settings.tools");
  const text = err.replaceAll(/\s*│\s*/g, " ");
  expect(code).toBe(1);
  expect(text).toContain("needs the role administrator of the instance, and the token's user");
  expect(text).toContain(
    "Only an administrator of the instance may change or unpublish Pages by the specification",
  );
  expect(text.indexOf("Warning: The token's role may not allow this change")).toBeLessThan(
    text.indexOf("Error: The token's user may not do this (403)."),
  );
  requests();
});

test("rights are only checked for changes: one request for the token, one per project", async () => {
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
  // The plan sends one of them to check whether the project is archived.
  expect(all.filter((one) => one === "GET /projects/:id")).toHaveLength(2);
});

describe("group roles and inherited roles", () => {
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

  test("the warning says that an invitation needs a group Owner before the service refuses it", async () => {
    requests();
    const { code, err } = await applyThere(TOKENS.developer);
    expect(code).toBe(1);
    const text = err.replaceAll(/\s*│\s*/g, " ");
    expect(text).toContain("in the group acme needs the role Owner");
    expect(text).toContain("403 Forbidden");
  });

  test("an administrator needs no role", async () => {
    expect((await applyThere(place.service.adminToken)).code).toBe(0);
  });
});
