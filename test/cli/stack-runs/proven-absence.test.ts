import type { FixtureInput } from "../../../src/service";
import { HttpProxy, type Passage } from "../../support/http-proxy";
import { type Place, TOKENS, usePlace } from "../support/place";

// In these tests, a run can't prove that a change succeeded or that an object is missing. One reason for this is an
// administrator's token without the rights of an administrator. Two other reasons are a sign-in page instead of a response,
// and a token that the service refuses everywhere.

const ADMIN = "administrator-token-1";
const FULL = "administrator-token-2";
const PROJECTS = Array.from({ length: 40 }, (_, index) => `acme/p${index + 1}`);

const FIXTURE: FixtureInput = {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    {
      username: "ida",
      admin: true,
      tokens: [
        { token: ADMIN, scopes: ["api"] },
        { token: FULL, scopes: ["api", "admin_mode"] },
      ],
    },
  ],
  groups: [{ path: "acme", visibility: "private", members: [{ user: "maya", role: "maintainer" }] }],
  projects: [{ path: "acme/shop", id: 1 }, ...PROJECTS.map((path) => ({ path }))],
};

const place = usePlace("each", FIXTURE);

const environment = (name: string) => ({
  project: "acme/shop",
  name,
  deploy_access_levels: [{ access_level: 40 }],
});
const configuration = (resource: object, more = {}) => ({
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  provider: { steward: [{}] },
  ...more,
  ...(Object.keys(resource).length > 0 && { resource }),
});
const TWO = { steward_protected_environment: { one: environment("one"), two: environment("two") } };

/** Runs a command with the configuration of the folder. */
const run = (args: readonly string[], env = {}) => place.run([...args, "--config", "."], env);

/** Returns the addresses in the state. */
const held = async (): Promise<string[]> =>
  (await run(["state", "list"])).out.split("\n").filter((line) => line.startsWith("steward_"));

const ADDRESSES = ["steward_protected_environment.one", "steward_protected_environment.two"];

async function applied(resource: object = TWO): Promise<void> {
  place.write("main.tf.json", configuration(resource));
  expect(await run(["apply", "--auto-approve"])).toMatchObject({ code: 0 });
}

describe("an administrator whose token has a limited scope", () => {
  beforeEach(async () => {
    await applied();
    expect(await place.byHand("PUT", "/application/settings", { admin_mode: true }, FULL)).toBe(200);
  });
  const env = { STEWARD_TOKEN: ADMIN };

  test.each([
    ["destroy", ["destroy", "--auto-approve"]],
    ["apply", ["apply", "--auto-approve"]],
    ["plan", ["plan"]],
    ["drift", ["drift"]],
  ])(
    "if an administrator's token lacks admin_mode, %s fails, the error names this scope, and the state keeps all objects",
    async (_, args) => {
      const { code, err } = await run(args, env);
      expect(code).toBe(1);
      expect(err.replace(/\s+/g, " ").replaceAll(" │", "")).toContain("give the token the scope admin_mode");
      expect(err.match(/steward state rm .*/g)).toEqual([
        `steward state rm --config . ${ADDRESSES.join(" ")}`,
      ]);
      expect(await held()).toEqual(ADDRESSES);
      expect(await place.byHand("GET", "/projects/1/protected_environments/one")).toBe(200);
    },
  );

  test("with removed blocks, apply removes objects that the token can't see from the state, without a delete", async () => {
    const removed = [
      { from: "steward_protected_environment.one", lifecycle: { destroy: false } },
      { from: "steward_protected_environment.two", lifecycle: { destroy: false } },
    ];
    place.write("main.tf.json", configuration({}, { removed }));
    const { code, err } = await run(["apply", "--auto-approve"], env);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(await held()).toEqual([]);
    expect(await place.byHand("GET", "/projects/1/protected_environments/one")).toBe(200);
  });
});

describe("a proxy that responds to writes with a sign-in page", () => {
  async function behind(
    pass: (passage: Passage) => Promise<void> | void,
    work: (env: { STEWARD_BASE_URL: string }) => Promise<void>,
  ) {
    const proxy = new HttpProxy(place.service.url, async (passage) => {
      if (passage.isWrite) await pass(passage);
      else passage.answer(await passage.forward());
    });
    try {
      await work({ STEWARD_BASE_URL: await proxy.start() });
    } finally {
      proxy.close();
    }
  }
  const page = (passage: Passage) =>
    passage.answer({
      status: 200,
      headers: { "content-type": "text/html" },
      body: Buffer.from("<title>Sign in</title>"),
    });

  test("if a proxy sends a sign-in page instead of forwarding writes, destroy fails, and the state keeps the objects", async () => {
    await applied();
    await behind(page, async (env) => {
      const { code, err, out } = await run(["destroy", "--auto-approve", "--refresh=false"], env);
      expect(code).toBe(1);
      expect(err).toContain("Unexpected response [unexpected_answer]");
      expect(out).not.toContain("2 destroyed");
    });
    expect(await held()).toEqual(ADDRESSES);
  });

  test("if a proxy forwards writes but replaces the responses with a sign-in page, destroy succeeds with one warning", async () => {
    await applied();
    const bodied = async (passage: Passage) => {
      await passage.forward();
      page(passage);
    };
    await behind(bodied, async (env) => {
      const { code, err, out } = await run(["destroy", "--auto-approve"], env);
      expect({ code, err }).toMatchObject({ code: 0 });
      expect(`${out}${err}`.match(/Unexpected response, but the change is done/g)).toHaveLength(1);
    });
    expect(await held()).toEqual([]);
  });
});

test("if the service refuses the token, each command sends fewer than 15 requests in total", async () => {
  const many = Object.fromEntries(
    PROJECTS.map((project, index) => [`p${index}`, { project, inbound_enabled: true }]),
  );
  await applied({ steward_job_token_scope: many });
  for (const args of [
    ["plan"],
    ["apply", "--auto-approve"],
    ["drift"],
    ["drift", "--coverage"],
    ["destroy", "--auto-approve"],
  ]) {
    place.service.requests.reset();
    const { code, err } = await run(args, { STEWARD_TOKEN: "expired-token-1" });
    expect(code).toBe(1);
    expect(err).toContain("Token not accepted");
    expect([args, requests(place)]).toEqual([args, expect.any(Number)]);
    expect(requests(place)).toBeLessThan(15);
  }
});

const requests = ({ service }: Place): number =>
  service.requests.count("GET") + service.requests.count("POST");
