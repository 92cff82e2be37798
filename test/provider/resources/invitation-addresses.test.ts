import type { StoredState } from "../../../src/framework/protocol/protocol";
import { Host } from "../support/host";
import { PROJECT, useWorld } from "../support/world";

// The platform compares e-mail addresses exactly: two spellings are two invitations (docs/specification.md, "Exact
// text").

const world = useWorld();
const host = () => new Host(world(), "steward_project_invitation");
const INVITATIONS = `/projects/${PROJECT.web}/invitations`;
const invited = (email: string, access_level = 30) => ({ project: "acme/web", email, access_level });
const invite = (email: string, access_level = 30) =>
  world().http("POST", INVITATIONS, { email, access_level });
const live = async () =>
  ((await world().http("GET", INVITATIONS)) as { invite_email: string; access_level: number }[])
    .map(({ invite_email, access_level }) => `${invite_email} ${access_level}`)
    .sort();

/** Returns a state as an older release wrote it, with the id in lower case. */
const ofOldRelease = ({ attributes, private: bytes }: StoredState, more: object = {}): StoredState => ({
  attributes: { ...attributes, id: String(attributes["id"]).toLowerCase(), ...more },
  private: bytes,
});

test("an invitation to an e-mail address with capitals can be created, repaired and destroyed", async () => {
  const config = invited("Dev@Example.com");
  const state = await host().bring(undefined, config);
  expect(state.attributes).toMatchObject({ id: "1:Dev@Example.com", status: "pending" });
  expect(await host().drift(state, config)).toEqual([]);
  await world().http("PUT", `${INVITATIONS}/Dev%40Example.com`, { access_level: 40 });
  expect(await host().drift(state, config)).toEqual(["access_level"]);
  await host().bring((await host().refresh(state))!, config);
  expect(await live()).toEqual(["Dev@Example.com 30"]);
  expect((await host().destroy(state)).diagnostics).toEqual([]);
  expect(await live()).toEqual([]);
});

test("an import finds a manually created invitation by the exact spelling of the e-mail address", async () => {
  await invite("Ops@Example.com", 50);
  expect((await host().import("1:Ops@Example.com")).attributes).toMatchObject({
    id: "1:Ops@Example.com",
    email: "Ops@Example.com",
    access_level: 50,
  });
  await host().bring(undefined, invited("ops@example.com", 20));
  expect(await live()).toEqual(["Ops@Example.com 50", "ops@example.com 20"]);
  const { objects } = await host()
    .connect()
    .listResource({ type: "steward_project_invitation", within: "acme/web" });
  expect(objects.map(({ id }) => id).sort()).toEqual(["1:Ops@Example.com", "1:ops@example.com"]);
  expect(new Set(objects.flatMap(({ shares }) => shares.map((share) => JSON.stringify(share)))).size).toBe(2);
});

describe("a service that stores new e-mail addresses in lower case", () => {
  const config = invited("Dev@Example.com");
  const isLowered = (isOn: boolean) => {
    const { habits } = world().service;
    if (isOn) habits.add("lower-case-invitations");
    else habits.delete("lower-case-invitations");
  };
  beforeEach(() => isLowered(true));

  test("the provider finds the created invitation in spite of the other spelling, and the plan is empty", async () => {
    const state = await host().bring(undefined, config);
    expect(state.attributes).toMatchObject({
      id: "1:dev@example.com",
      email: "Dev@Example.com",
      status: "pending",
    });
    const run = host().connect();
    const refreshed = await host().refresh(state, run);
    expect(refreshed).toEqual(state);
    expect(await host().plan(refreshed, config, run)).toMatchObject({ action: "none", diagnostics: [] });
    const changed = await host().bring(refreshed, { ...config, access_level: 40 });
    expect(await live()).toEqual(["dev@example.com 40"]);
    expect((await host().destroy(changed)).diagnostics).toEqual([]);
    expect(await live()).toEqual([]);
  });

  test("a destroy of the new invitation does not withdraw an older invitation in another spelling", async () => {
    isLowered(false);
    await invite("DEV@example.com", 20);
    isLowered(true);
    const state = await host().bring(undefined, config);
    expect(state.attributes).toMatchObject({ id: "1:dev@example.com", access_level: 30 });
    expect(await live()).toEqual(["DEV@example.com 20", "dev@example.com 30"]);
    await world().http("DELETE", `${INVITATIONS}/dev%40example.com`);
    expect(await host().refresh(state)).toBeUndefined();
    expect((await host().destroy(state)).diagnostics).toEqual([]);
    expect(await live()).toEqual(["DEV@example.com 20"]);
  });

  test("if an invitation of the lower-case address exists, the create is refused, and the error contains the lower-case address", async () => {
    await invite("dev@example.com", 20);
    const { state, diagnostics } = await host().apply(await host().plan(undefined, config));
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_there" }]);
    expect(diagnostics[0]!.detail).toContain("An invitation of dev@example.com is pending");
    expect(await live()).toEqual(["dev@example.com 20"]);
  });

  test("if another client invites the e-mail address with another spelling after the plan, the create's error names both spellings", async () => {
    const run = host().connect();
    const plan = await host().plan(undefined, config, run);
    isLowered(false);
    await invite("DEV@example.com", 20);
    isLowered(true);
    const { state, diagnostics } = await host().apply(plan, run);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "ambiguous_address" }]);
    expect(diagnostics[0]!.detail).toMatch(/DEV@example\.com and dev@example\.com/);
    expect(await live()).toEqual(["DEV@example.com 20", "dev@example.com 30"]);
  });
});

test("a service that keeps spellings creates a second invitation for another spelling of an e-mail address", async () => {
  await invite("dev@example.com", 20);
  const state = await host().bring(undefined, invited("Dev@Example.com"));
  expect(state.attributes["id"]).toBe("1:Dev@Example.com");
  expect((await host().destroy(state)).diagnostics).toEqual([]);
  expect(await live()).toEqual(["dev@example.com 20"]);
});

describe("a state of an earlier release with an invitation id in lower case", () => {
  test.each([
    ["the address in the state", {}],
    ["an address in another case", { email: "dev@example.com" }],
    ["an invitation that is falsely accepted", { status: "accepted" }],
  ])("%s: the id gets the live spelling, and the plan is empty", async (_, stored) => {
    const config = { ...invited("Dev@Example.com"), ...("email" in stored && { email: stored.email }) };
    const state = ofOldRelease(await host().bring(undefined, invited("Dev@Example.com")), stored);
    const run = host().connect();
    const corrected = await host().refresh(state, run);
    expect(corrected!.attributes).toMatchObject({
      id: "1:Dev@Example.com",
      status: "pending",
      email: config.email,
    });
    expect(await host().plan(corrected, config, run)).toMatchObject({ action: "none", diagnostics: [] });
    expect((await host().destroy(corrected!)).diagnostics).toEqual([]);
    expect(await live()).toEqual([]);
  });

  test("a read restores the capitals of the e-mail address in the id", async () => {
    const { identity, ...state } = await host().bring(undefined, invited("Dev@Example.com"));
    const stored = { ...identity!, email: "dev@example.com" };
    const corrected = await host().refresh({ ...ofOldRelease(state), identity: stored });
    expect(corrected).toMatchObject({ attributes: { id: "1:Dev@Example.com" }, identity: stored });
  });

  test("a destroy withdraws the invitation, also without a refresh", async () => {
    const state = ofOldRelease(await host().bring(undefined, invited("Dev@Example.com")));
    expect((await host().destroy(state)).diagnostics).toEqual([]);
    expect(await live()).toEqual([]);
  });

  test("if several invitations match the old id, the provider reports an error and keeps the state", async () => {
    await invite("DEV@example.com");
    const made = await host().bring(undefined, invited("Dev@Example.com"));
    const state = ofOldRelease(made, { email: "dev@example.com" });
    const { state: kept, diagnostics } = await host().read(state);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "ambiguous_address" }]);
    expect(kept!.attributes).toEqual(state.attributes);
  });
});
