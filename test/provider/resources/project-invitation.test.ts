import type { StoredState } from "../../../src/framework/protocol/protocol";
import { Host } from "../support/host";
import { acceptFirst, invitationsAt } from "../support/invitations";
import { PROJECT, TOKEN, USER, useWorld } from "../support/world";

// A person who is invited accepts: that is no drift, and what can't be changed any more is refused before anything is sent.

const type = "steward_project_invitation";
const at = `/projects/${PROJECT.web}/invitations`;
const world = useWorld();
const host = (token?: string) => new Host(world(), type, token);
const asAdmin = () => host(world().service.adminToken);

const config = { project: "acme/web", email: "ada@example.com", access_level: 30 };
const withUser = { project: "acme/web", user: "stranger", access_level: 30 };

const live = () => invitationsAt(world(), at);
const sent = () =>
  world()
    .service.requests.all.filter(({ method }) => method !== "GET")
    .map(({ method }) => method);

const accept = () => acceptFirst(world(), at);

const status = (state: StoredState | undefined) => state?.attributes["status"];
const codes = (diagnostics: readonly { readonly code: string }[]) => diagnostics.map(({ code }) => code);

describe("by e-mail", () => {
  test("pending, with who invited and when", async () => {
    const { attributes } = await host().bring(undefined, config);
    const [invitation] = await live();
    expect(attributes).toEqual({
      id: "1:ada@example.com",
      project: "acme/web",
      email: "ada@example.com",
      user: null,
      access_level: 30,
      expires_at: null,
      member_role_id: null,
      invite_source: null,
      status: "pending",
      invited_at: invitation!.created_at,
      created_by_name: "maya",
    });
  });

  describe.each([
    ["a Maintainer, who sees no member's address", () => host()],
    ["an administrator, who sees all of them", asAdmin],
  ])("accepted, read by %s", (_, by) => {
    let state: StoredState;
    beforeEach(async () => {
      state = await host().bring(undefined, { ...config, expires_at: "2099-12-31" });
      await accept();
    });

    test("an accepted invitation is no drift and plans nothing, now and from then on", async () => {
      const read = await by().refresh(state);
      expect(read!.attributes).toEqual({ ...state.attributes, status: "accepted" });
      const declared = { ...config, expires_at: "2099-12-31" };
      expect(await by().drift(state, declared)).toEqual([]);
      expect(await by().drift(read!, declared)).toEqual([]);
    });

    test("import finds an accepted invitation", async () => {
      const imported = await by().import("acme/web:ada@example.com");
      expect(imported.attributes).toMatchObject({
        id: "1:ada@example.com",
        status: "accepted",
        access_level: 30,
        expires_at: "2099-12-31",
        invited_at: null,
      });
    });
  });

  test("a member who left is invited anew, where that can be seen", async () => {
    const state = await host().bring(undefined, config);
    await accept();
    const read = (await host().refresh(state))!;
    const members = (await world().http("GET", "/projects/1/members?query=ada")) as { id: number }[];
    await world().http("DELETE", `/projects/1/members/${members[0]!.id}`);
    expect(await asAdmin().refresh(read)).toBeUndefined();
    // To a Maintainer members show no address: what was accepted stays.
    expect(await host().refresh(read)).toEqual(read);
  });

  test("somebody with an account is a member at once", async () => {
    const state = await host().bring(undefined, { ...config, email: "stranger@example.com" });
    expect(status(state)).toBe("accepted");
    expect(await live()).toEqual([]);
    expect(await asAdmin().drift(state, { ...config, email: "stranger@example.com" })).toEqual([]);
  });

  test("capital and small letters mean the same, and stay as they are declared", async () => {
    const state = await host().bring(undefined, { ...config, email: "Ada@Example.com" });
    expect(state.attributes).toMatchObject({ id: "1:ada@example.com", email: "Ada@Example.com" });
    const plan = await host().plan(await host().refresh(state), { ...config, email: "ada@example.COM" });
    expect(plan).toMatchObject({ action: "none", changed: [] });
    expect((await host().import("1:ADA@example.com")).attributes["id"]).toBe("1:ada@example.com");
  });

  test("one that somebody else invited is not taken over: the error gives the command", async () => {
    await world().http("POST", at, { email: "ada+x@example.com", access_level: 30 });
    const { diagnostics } = await host().plan(undefined, { ...config, email: "ada+x@example.com" });
    expect(codes(diagnostics)).toEqual(["already_exists"]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: "1:ada+x@example.com" });
  });
});

describe("a user", () => {
  test("a user is a member at once, by id as by name", async () => {
    const state = await host().bring(undefined, withUser);
    expect(state.attributes).toMatchObject({
      id: `1:${USER.stranger}`,
      user: "stranger",
      email: null,
      status: "accepted",
      invited_at: null,
    });
    expect(await host().drift(state, { ...withUser, user: String(USER.stranger) })).toEqual([]);
    expect((await host().import(`1:${USER.stranger}`)).attributes["user"]).toBe("stranger");
  });

  test("removed by hand, is invited anew", async () => {
    const state = await host().bring(undefined, withUser);
    await world().http("DELETE", `/projects/1/members/${USER.stranger}`);
    expect(await host().refresh(state)).toBeUndefined();
  });

  test("invited by e-mail from now on, is a replacement: the user is named no more", async () => {
    const state = await host().bring(undefined, withUser);
    const plan = await host().plan(state, config);
    expect(plan).toMatchObject({ action: "replace", diagnostics: [] });
    expect(plan.requiresReplace).toEqual(expect.arrayContaining([["email"], ["user"]]));
  });

  test("a name that is no user's is told at plan", async () => {
    const { diagnostics } = await host().plan(undefined, { ...withUser, user: "nobody" });
    expect(diagnostics).toMatchObject([{ code: "reference_not_found", attribute: ["user"] }]);
  });
});

describe("a person who is already a member", () => {
  test.each([
    ["by name", withUser],
    ["by address", { ...config, email: "stranger@example.com" }],
  ])("%s, with the declared level: accepted", async (_, declared) => {
    await world().http("POST", "/projects/1/members", { user_id: USER.stranger, access_level: 30 });
    const state = await host().bring(undefined, declared);
    expect(status(state)).toBe("accepted");
    expect(await host().drift(state, declared)).toEqual([]);
  });

  test("by address, which the token doesn't see, with another level: an error that names the member page", async () => {
    const declared = { ...config, email: "stranger@example.com" };
    await world().http("POST", "/projects/1/members", { user_id: USER.stranger, access_level: 40 });
    const { state, diagnostics } = await host().apply(await host().plan(undefined, declared));
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "membership_differs", attribute: ["access_level"] },
    ]);
    expect(diagnostics[0]!.detail).toContain("member page");
  });
});

describe("of an accepted one, level and expiry are fixed", () => {
  let state: StoredState;
  beforeEach(async () => {
    state = (await host().refresh(await host().bring(undefined, withUser)))!;
    world().service.requests.reset();
  });

  test("a change is refused at plan, before anything is sent", async () => {
    const plan = await host().plan(state, { ...withUser, access_level: 40, expires_at: "2099-01-01" });
    expect(plan.planned).toBeUndefined();
    expect(plan.diagnostics).toMatchObject([
      { severity: "error", code: "membership_differs", attribute: ["access_level"] },
      { severity: "error", code: "membership_differs", attribute: ["expires_at"] },
    ]);
    for (const { detail } of plan.diagnostics)
      expect(detail).toContain("member page of the project acme/web");
    expect(sent()).toEqual([]);
  });

  test("accepted between plan and apply, it is refused then", async () => {
    const pending = await host().bring(undefined, config);
    const plan = await host().plan(pending, { ...config, access_level: 20 });
    await accept();
    world().service.requests.reset();
    const answer = await host().apply(plan);
    expect(codes(answer.diagnostics)).toEqual(["membership_differs"]);
    expect(answer.state!.attributes).toMatchObject({ access_level: 30, status: "accepted" });
    expect(sent()).toEqual([]);
  });

  test("a level changed on the member page is shown, and the code may follow it", async () => {
    await world().http("DELETE", `/projects/1/members/${USER.stranger}`);
    await world().http("POST", "/projects/1/members", { user_id: USER.stranger, access_level: 40 });
    const read = (await host().refresh(state))!;
    expect(read.attributes).toMatchObject({ access_level: 40, status: "accepted" });
    expect(codes((await host().plan(read, withUser)).diagnostics)).toEqual(["membership_differs"]);
    expect((await host().plan(read, { ...withUser, access_level: 40 })).action).toBe("none");
  });

  test("what only the code knows can change", async () => {
    const changed = await host().bring(state, { ...withUser, invite_source: "steward" });
    expect(changed.attributes["invite_source"]).toBe("steward");
    expect(sent()).toEqual([]);
  });

  test("destroying it leaves the member, and says so", async () => {
    const answer = await host().destroy(state);
    expect(answer.state).toBeUndefined();
    expect(answer.diagnostics).toMatchObject([{ severity: "warning", code: "membership_stays" }]);
    expect(sent()).toEqual([]);
    expect(await host().import(`1:${USER.stranger}`)).toMatchObject({ attributes: { access_level: 30 } });
  });

  test("destroying one that was accepted since says so as well", async () => {
    const pending = await host().bring(undefined, config);
    await accept();
    expect((await host().destroy(pending)).diagnostics).toMatchObject([
      { severity: "warning", code: "membership_stays" },
    ]);
  });
});

describe("a pending one changes in place", () => {
  test("the level alone: the expiry stays", async () => {
    const state = await host().bring(undefined, { ...config, expires_at: "2099-12-31" });
    await host().bring(state, { ...config, access_level: 20, expires_at: "2099-12-31" });
    expect(await live()).toMatchObject([{ access_level: 20, expires_at: "2099-12-31T00:00:00.000Z" }]);
  });

  test("the expiry alone: the level, which would become 30 otherwise, is sent along", async () => {
    const state = await host().bring(undefined, { ...config, access_level: 20 });
    await host().bring(state, { ...config, access_level: 20, expires_at: "2099-12-31" });
    expect(await live()).toMatchObject([{ access_level: 20, expires_at: "2099-12-31T00:00:00.000Z" }]);
  });

  test("an expiry taken out of the code is cleared", async () => {
    const state = await host().bring(undefined, { ...config, expires_at: "2099-12-31" });
    expect((await host().bring(state, config)).attributes["expires_at"]).toBeNull();
    expect(await live()).toMatchObject([{ expires_at: null }]);
  });

  test("another hour of the same day is no difference", async () => {
    const state = await host().bring(undefined, { ...config, expires_at: "2099-12-31" });
    await world().http("PUT", `${at}/ada%40example.com`, {
      access_level: 30,
      expires_at: "2099-12-31T17:30:00Z",
    });
    expect(await host().drift(state, { ...config, expires_at: "2099-12-31" })).toEqual([]);
  });
});

test("nothing that a token may not see is taken for gone", async () => {
  const state = await host().bring(undefined, withUser);
  expect(codes((await host(TOKEN.outsider).read(state)).diagnostics)).toEqual(["rights_lost"]);
});
