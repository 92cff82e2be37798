import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { StoredState } from "../../../src/framework/protocol/protocol";
import { UNKNOWN } from "../../../src/schema";
import { loseAnswer } from "../support/faults";
import { Host } from "../support/host";
import { approveFirst, invitationsAt } from "../support/invitations";
import { FIXTURE, PROJECT, startWorld, USER, type World } from "../support/world";

// An invitation expires, or waits for an administrator: what moves by itself is no drift.

const type = "steward_project_invitation";
const at = `/projects/${PROJECT.web}/invitations`;
const config = { project: "acme/web", email: "ada@example.com", access_level: 30 };
const withUser = { project: "acme/web", user: "stranger", access_level: 30 };
const status = (state: StoredState | undefined) => state?.attributes["status"];

describe("expired", () => {
  const invitations = [{ email: "ada@example.com", role: "developer", expires_at: "2020-01-31" }] as const;
  const past: FixtureInput = {
    ...FIXTURE,
    projects: FIXTURE.projects!.map((project) =>
      project.path === "acme/web" ? { ...project, invitations: [...invitations] } : project,
    ),
  };
  let here: World;
  let state: StoredState;
  const hostHere = () => new Host(here, type);
  beforeEach(async () => {
    here = await startWorld(past);
    state = await hostHere().import("1:ada@example.com");
  });
  afterEach(() => here.close());

  test("an expired invitation has a status, and no drift", async () => {
    expect(state.attributes).toMatchObject({ status: "expired", expires_at: "2020-01-31" });
    expect(await hostHere().drift(state, { ...config, expires_at: "2020-01-31" })).toEqual([]);
  });

  test("its end moved, it is sent again, and the plan knows that it will be a new one", async () => {
    const plan = await hostHere().plan(state, { ...config, expires_at: "2099-12-31" });
    expect(plan.planned!.attributes).toMatchObject({ status: UNKNOWN, invited_at: UNKNOWN });
    here.service.requests.reset();
    const { state: again, diagnostics } = await hostHere().apply(plan);
    expect(diagnostics).toEqual([]);
    expect(again!.attributes).toMatchObject({ status: "pending", expires_at: "2099-12-31" });
    expect(again!.attributes["invited_at"]).not.toBe(state.attributes["invited_at"]);
    expect(here.service.requests.count("POST", "/projects/:id/invitations")).toBe(1);
  });

  test("a lost answer to that is looked after: it is not sent twice", async () => {
    const plan = await hostHere().plan(state, { ...config, expires_at: "2099-12-31" });
    loseAnswer(here, { method: "POST", route: "/projects/:id/invitations" });
    const { state: again, diagnostics } = await hostHere().apply(plan);
    expect(diagnostics).toEqual([]);
    expect(status(again)).toBe("pending");
    expect(here.service.requests.count("POST", "/projects/:id/invitations")).toBe(1);
  });

  test("prolonged by hand since the plan, it is no new one", async () => {
    const plan = await hostHere().plan(state, { ...config, expires_at: "2099-12-31" });
    await here.http("PUT", `${at}/ada%40example.com`, { access_level: 30, expires_at: "2098-01-01" });
    here.service.requests.reset();
    expect((await hostHere().apply(plan)).diagnostics).toEqual([]);
    expect(here.service.requests.count("POST")).toBe(0);
    expect(await here.http("GET", at)).toMatchObject([{ expires_at: "2099-12-31T00:00:00.000Z" }]);
  });

  test("by our clock alone, as the service's is behind: it says that it is still open, and it is prolonged", async () => {
    await here.http("PUT", `${at}/ada%40example.com`, { access_level: 30, expires_at: "2098-01-01" });
    const clock = jest.spyOn(Date, "now").mockReturnValue(new Date("2098-01-02").valueOf());
    try {
      const early = (await hostHere().refresh(state))!;
      expect(status(early)).toBe("expired");
      const again = await hostHere().bring(early, { ...config, expires_at: "2099-12-31" });
      expect(again.attributes).toMatchObject({ status: "pending", expires_at: "2099-12-31" });
      expect(here.service.requests.count("PUT")).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  test("one that the service has forgotten stays expired, and is sent again when its end moves", async () => {
    await here.http("DELETE", `${at}/ada%40example.com`);
    const read = await hostHere().refresh(state);
    expect(read).toEqual(state);
    const again = await hostHere().bring(read, { ...config, expires_at: "2099-12-31" });
    expect(status(again)).toBe("pending");
  });
});

describe("queued, where an administrator has to approve promotions", () => {
  const waiting: FixtureInput = {
    ...FIXTURE,
    instance: { enable_member_promotion_management: true },
    users: [
      ...FIXTURE.users!.filter(({ username }) => username !== "stranger"),
      { username: "stranger", id: USER.stranger, name: "Sam Lee" },
      { username: "namesake", id: 40, name: "Sam Lee" },
    ],
  };
  let here: World;
  const hostHere = () => new Host(here, type);
  const list = () => invitationsAt(here, at);
  beforeEach(async () => {
    here = await startWorld(waiting);
  });
  afterEach(() => here.close());

  test.each([
    ["a user", withUser],
    ["an address", { ...config, email: "stranger@example.com" }],
  ])("%s waits, changes in place by the address, and is withdrawn", async (_, declared) => {
    const state = await hostHere().bring(undefined, declared);
    expect(state.attributes).toMatchObject({ status: "queued", created_by_name: "maya" });
    expect(await hostHere().drift(state, declared)).toEqual([]);
    const changed = await hostHere().bring(state, { ...declared, access_level: 20 });
    expect(changed.attributes).toMatchObject({ status: "queued", access_level: 20 });
    expect(await list()).toMatchObject([{ invite_email: "stranger@example.com", access_level: 20 }]);
    expect(await hostHere().destroy(changed)).toEqual({ diagnostics: [] });
    expect(await list()).toEqual([]);
  });

  test("approved, it is no drift", async () => {
    const state = await hostHere().bring(undefined, withUser);
    await approveFirst(here, at);
    expect(await hostHere().drift(state, withUser)).toEqual([]);
    expect(status(await hostHere().refresh(state))).toBe("accepted");
  });

  test("withdrawn by hand, it is planned anew", async () => {
    const state = await hostHere().bring(undefined, withUser);
    await here.http("DELETE", `${at}/stranger%40example.com`);
    expect(await hostHere().refresh(state)).toBeUndefined();
  });

  test("two of one name are told apart", async () => {
    const first = await hostHere().bring(undefined, withUser);
    const other = { ...withUser, user: "namesake", access_level: 20 };
    const second = await hostHere().bring(undefined, other);
    expect(await hostHere().drift(first, withUser)).toEqual([]);
    expect(await hostHere().drift(second, other)).toEqual([]);
  });

  test("it is listed, and imported, by the user's address", async () => {
    await hostHere().bring(undefined, withUser);
    const { objects } = await here.connect().listResource({ type, within: "acme/web" });
    expect(objects.map(({ state }) => state)).toEqual([await hostHere().import("1:stranger@example.com")]);
    expect(objects).toMatchObject([
      { state: { attributes: { status: "queued", email: "stranger@example.com" } } },
    ]);
  });
});
