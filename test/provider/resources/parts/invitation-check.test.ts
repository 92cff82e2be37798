import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { causeOf } from "../../../../src/diagnostics";
import type { ValueObject } from "../../../../src/schema";
import { Host } from "../../support/host";
import { PROJECT, providerConfig, TOKEN, USER, useWorld } from "../../support/world";

// Some services take an invitation of somebody who is invited or a member already for a change of the level: whoever is
// there is looked for first, in the plan and again in the apply, and nothing is sent that would change somebody's rights.

const type = "steward_project_invitation";
const at = `/projects/${PROJECT.web}/invitations`;
const world = useWorld();
const host = (token?: string) => new Host(world(), type, token);
const ada = { project: "acme/web", email: "ada@example.com", access_level: 30 };
const stranger = { project: "acme/web", user: "stranger", access_level: 30 };

const posts = () => world().service.requests.count("POST", "/projects/:id/invitations");
const invite = (email: string, access_level: number) => world().http("POST", at, { email, access_level });
const join = (access_level: number) =>
  world().http("POST", `/projects/${PROJECT.web}/members`, { user_id: USER.stranger, access_level });
/** Plans in one run and applies in another one, as with a saved plan; what is sent is counted from the apply on. */
async function applyAfter(declared: ValueObject, meanwhile: () => Promise<unknown>, token?: string) {
  const plan = await host(token).plan(undefined, declared);
  await meanwhile();
  world().service.requests.reset();
  return host(token).apply(plan);
}

describe("an open invitation that is not in the state is in the way, whatever its level", () => {
  const inTheWay = [{ code: "already_exists", action: { kind: "import", id: "1:ada@example.com" } }];

  test.each([20, 30])("at plan, of level %d", async (level) => {
    await invite("ada@example.com", level);
    expect((await host().plan(undefined, ada)).diagnostics).toMatchObject(inTheWay);
  });

  test("at apply, where it was made since the plan: nothing is sent", async () => {
    const { state, diagnostics } = await applyAfter(ada, () => invite("Ada@example.com", 20));
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject(inTheWay);
    expect(posts()).toBe(0);
  });

  test("an invitation that is in the state is not in the way of its own replacement", async () => {
    const state = await host().bring(undefined, ada);
    const run = host().connect();
    host().expectReads([state], run);
    const { diagnostics } = await host().plan(undefined, ada, run);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("a member", () => {
  const differs = [
    {
      severity: "error",
      code: "membership_differs",
      detail: expect.stringMatching(/stranger.* access_level is 40/),
    },
  ];

  test.each([
    ["by name", stranger, undefined],
    ["by an address that the token sees", { ...ada, email: "stranger@example.com" }, "administrator"],
  ] as const)(
    "%s, of another level is an error of the plan, and of the apply before anything is sent",
    async (_, declared, by) => {
      const token = by && TOKEN[by];
      const { diagnostics } = await applyAfter(declared, () => join(40), token);
      expect(diagnostics).toMatchObject(differs);
      expect(posts()).toBe(0);
      expect((await host(token).plan(undefined, declared)).diagnostics).toMatchObject(differs);
    },
  );

  test("a member of the same level is accepted, and nothing is sent", async () => {
    await join(30);
    const { state, diagnostics } = await applyAfter(stranger, () => Promise.resolve());
    expect(diagnostics).toEqual([]);
    expect(state!.attributes["status"]).toBe("accepted");
    expect(posts()).toBe(0);
  });

  test("a member whose address is hidden from the token can't be told, and the plan warns of that", async () => {
    expect((await host().plan(undefined, ada)).diagnostics).toMatchObject([
      { severity: "warning", code: "membership_hidden", attribute: ["email"] },
    ]);
    expect((await host(TOKEN.administrator).plan(undefined, ada)).diagnostics).toEqual([]);
  });

  test("hidden addresses are one cause for all invitations: 30 of them filled 300 lines with one warning", async () => {
    const causes = [ada, { ...ada, email: "eve@example.com" }].map(async (declared) => {
      const [warning] = (await host().plan(undefined, declared)).diagnostics;
      return causeOf(warning!);
    });
    const [one, other] = await Promise.all(causes);
    expect(one).toBeDefined();
    expect(other).toBe(one);
  });
});

test("a plan by somebody who may not list the people of a group warns that it can't tell", async () => {
  const group = new Host(world(), "steward_group_invitation");
  world().service.faults.add({ method: "GET", route: "/groups/:id/invitations", status: 403, always: true });
  const { diagnostics } = await group.plan(undefined, {
    group: "acme/platform",
    email: "ada@example.com",
    access_level: 30,
  });
  expect(diagnostics).toMatchObject([{ severity: "warning", code: "membership_hidden" }]);
});

test("where the service took the invitation of a member for a change of the level, that is an error", async () => {
  await join(20);
  // Such a service: it answers success, and has changed the member.
  const live = createServer(async (request, response) => {
    const path = request.url!.replace("/api/v4", "");
    if (request.method === "POST") {
      await request.toArray();
      await world().http("DELETE", `/projects/${PROJECT.web}/members/${USER.stranger}`);
      await join(30);
      response.writeHead(201, { "content-type": "application/json" }).end('{"status":"success"}');
      return;
    }
    const headers = { "private-token": TOKEN.maintainer };
    const answer = await fetch(`${world().service.url}/api/v4${path}`, { headers });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => live.listen(0, "127.0.0.1", resolve));
  try {
    const base_url = `http://127.0.0.1:${(live.address() as AddressInfo).port}`;
    const given = providerConfig(world().provider, { base_url, token: TOKEN.maintainer });
    const run = world().provider.configure(given, {}).provider!;
    const declared = { ...ada, email: "stranger@example.com" };
    const { diagnostics } = await host().apply(await host().plan(undefined, declared, run), run);
    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        code: "membership_changed",
        detail: expect.stringMatching(
          /the level of the member stranger of the project 1 is 30; it was 20 before/,
        ),
      },
    ]);
    await run.close();
  } finally {
    live.close();
  }
});

test.each([1, 2, 30])(
  "a check of %d people takes at most one request a page, and two more a container",
  async (count) => {
    const run = host().connect();
    world().service.requests.reset();
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        host().plan(undefined, { ...ada, email: `person-${index}@example.com` }, run),
      ),
    );
    const looks = world().service.requests.all.filter(({ route }) => /invitations|members/.test(route ?? ""));
    expect(looks.length).toBeLessThanOrEqual(Math.min(count, 1) + 2);
  },
);
