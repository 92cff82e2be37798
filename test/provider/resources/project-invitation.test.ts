import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { StoredState } from "../../../src/provider/protocol";
import { UNKNOWN, type ValueObject } from "../../../src/provider/schema";
import { loseAnswer } from "../support/faults";
import { Host } from "../support/host";
import { FIXTURE, PROJECT, startWorld, TOKEN, USER, useWorld, type World } from "../support/world";

// A person who is invited accepts, is queued, or lets it expire: what moves by itself is no drift, and what can't be
// changed any more is refused before anything is sent.

const type = "steward_project_invitation";
const at = `/projects/${PROJECT.web}/invitations`;
const world = useWorld();
const host = (token?: string) => new Host(world(), type, token);
const asAdmin = () => host(world().service.adminToken);

const config = { project: "acme/web", email: "ada@example.com", access_level: 30 };
const withUser = { project: "acme/web", user: "stranger", access_level: 30 };

interface Live {
  readonly id: number;
  readonly invite_email: string;
  readonly access_level: number;
  readonly expires_at: string | null;
  readonly created_at: string;
}
const live = async () => (await world().http("GET", at)) as readonly Live[];
const sent = () =>
  world()
    .service.requests.all.filter(({ method }) => method !== "GET")
    .map(({ method }) => method);

/** Does what only an administrator can: accepts in a person's place, or approves. */
async function asRoot(here: World, path: string): Promise<void> {
  const response = await fetch(`${here.service.url}${path}`, {
    method: "POST",
    headers: { "private-token": here.service.adminToken },
  });
  expect(response.status).toBe(201);
}
const accept = async () => asRoot(world(), `/_steward/invitations/${(await live())[0]!.id}/accept`);

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

    test("is no drift and plans nothing, now and from then on", async () => {
      const read = await by().refresh(state);
      expect(read!.attributes).toEqual({ ...state.attributes, status: "accepted" });
      const declared = { ...config, expires_at: "2099-12-31" };
      expect(await by().drift(state, declared)).toEqual([]);
      expect(await by().drift(read!, declared)).toEqual([]);
    });

    test("is what import finds", async () => {
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
    const plan = await host().plan(undefined, { ...config, email: "ada+x@example.com" });
    const { state, diagnostics } = await host().apply(plan);
    expect(state).toBeUndefined();
    expect(codes(diagnostics)).toEqual(["already_exists"]);
    expect(diagnostics[0]!.detail).toContain("`steward import ADDRESS 1:ada+x@example.com`");
  });
});

describe("a user", () => {
  test("is a member at once, by id as by name", async () => {
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

  test("whose name is no user's is told at plan", async () => {
    const { diagnostics } = await host().plan(undefined, { ...withUser, user: "nobody" });
    expect(diagnostics).toMatchObject([{ code: "reference_not_found", attribute: ["user"] }]);
  });
});

describe("somebody who is a member already", () => {
  test.each([
    ["by name", withUser],
    ["by address", { ...config, email: "stranger@example.com" }],
  ])("%s, with the declared level: accepted", async (_, declared) => {
    await world().http("POST", "/projects/1/members", { user_id: USER.stranger, access_level: 30 });
    const state = await host().bring(undefined, declared);
    expect(status(state)).toBe("accepted");
    expect(await host().drift(state, declared)).toEqual([]);
  });

  test.each([
    ["by name", withUser],
    ["by address", { ...config, email: "stranger@example.com" }],
  ])("%s, with another level: an error that names the member page", async (_, declared) => {
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

  test("is a status, and no drift", async () => {
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
  const list = async () => (await here.http("GET", at)) as readonly Live[];
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
    await asRoot(here, `/_steward/invitations/${(await list())[0]!.id}/approve`);
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
    expect(objects).toEqual([await hostHere().import("1:stranger@example.com")]);
    expect(objects).toMatchObject([{ attributes: { status: "queued", email: "stranger@example.com" } }]);
  });
});

describe("what fails says why, with the service's reason", () => {
  const failing = async (declared: ValueObject) => {
    const { state, diagnostics } = await host().apply(await host().plan(undefined, declared));
    expect(state).toBeUndefined();
    return diagnostics;
  };

  test("a level below the one that the person has by the group", async () => {
    await world().http("POST", "/groups/11/members", { user_id: USER.stranger, access_level: 40 });
    const diagnostics = await failing(withUser);
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "invitation_failed", attribute: ["access_level"] },
    ]);
    expect(diagnostics[0]!.detail).toContain("inherited membership of level 40");
  });

  test("an address that the service takes for none", async () => {
    const diagnostics = await failing({ ...config, email: "ada@example" });
    expect(diagnostics).toMatchObject([{ code: "invitation_failed", attribute: ["email"] }]);
    expect(diagnostics[0]!.detail).toContain("Invite email is invalid");
  });

  test("a level above the inviter's own", async () => {
    expect(codes(await failing({ ...config, access_level: 50 }))).toEqual(["forbidden"]);
  });

  test("a day that is over", async () => {
    const diagnostics = await failing({ ...config, expires_at: "2020-01-31" });
    expect(diagnostics).toMatchObject([{ code: "bad_request", attribute: ["expires_at"] }]);
  });

  test("a custom role that stands on another level", async () => {
    const diagnostics = await failing({ ...config, access_level: 20, member_role_id: 31 });
    expect(diagnostics).toMatchObject([{ code: "bad_request", attribute: ["member_role_id"] }]);
  });
});

describe("bad values are told before anything is sent", () => {
  test.each<[string, ValueObject, string]>([
    ["neither e-mail nor user", { email: null }, "email"],
    ["both", { user: "devon" }, "email"],
    ["an address without @", { email: "ada.example.com" }, "email"],
    ["two addresses in one", { email: "ada@example.com,bob@example.com" }, "email"],
    ["an address as a user", { email: null, user: "ada@example.com" }, "user"],
    ["a level between two", { access_level: 25 }, "access_level"],
    ["an administrator's level", { access_level: 60 }, "access_level"],
    ["a day that doesn't exist", { expires_at: "2026-02-31" }, "expires_at"],
    ["a leap day of a common year", { expires_at: "2027-02-29" }, "expires_at"],
    ["a timestamp", { expires_at: "2026-12-31T00:00:00Z" }, "expires_at"],
    ["a day in another order", { expires_at: "31-12-2026" }, "expires_at"],
    ["no role's id", { member_role_id: 1.5 }, "member_role_id"],
  ])("%s", (_, change, attribute) => {
    expect(host().validate({ ...config, ...change })).toMatchObject([
      { severity: "error", code: "invalid_value", attribute: [attribute] },
    ]);
  });

  test.each<[string, ValueObject]>([
    ...[0, 5, 10, 15, 20, 30, 40, 50].map((access_level): [string, ValueObject] => [
      `level ${access_level}`,
      { access_level },
    ]),
    ["a + in an address", { email: "ada+steward@example.com" }],
    ["a leap day", { expires_at: "2028-02-29" }],
    ["an address that is not known yet", { email: UNKNOWN }],
    ["a user that may turn out to be null", { user: UNKNOWN }],
  ])("%s is right", (_, change) => {
    expect(host().validate({ ...config, ...change })).toEqual([]);
  });
});

test("nothing that a token may not see is taken for gone", async () => {
  const state = await host().bring(undefined, withUser);
  expect(codes((await host(TOKEN.outsider).read(state)).diagnostics)).toEqual(["rights_lost"]);
});
