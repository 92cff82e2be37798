import { createProvider } from "../../../src/provider";
import { UNKNOWN, type ValueObject } from "../../../src/schema";
import { Host } from "../support/host";
import { FIXTURE, PROJECT, startWorld, TOKEN, useWorld, type World } from "../support/world";

// Settings that exist anyway: a Maintainer reads them, only an administrator changes them, and each one is left alone
// where nothing is said of it.

const type = "steward_pages_settings";
const world = useWorld();
/** Plans as the maintainer and applies as an administrator. */
const host = () => new Host(world(), type);
const at = `/projects/${PROJECT.web}/pages`;
const live = () => world().http("GET", at) as Promise<ValueObject>;
const patch = (change: object) => world().http("PATCH", at, change, TOKEN.administrator);
const sent = () => world().service.requests.all.filter(({ method }) => method !== "GET");

const project = "acme/web";

describe("what is left out", () => {
  test("an attribute that is left out is neither sent nor compared, and its live value is shown", async () => {
    const before = await live();
    const state = await host().bring(undefined, { project, unique_domain_enabled: true });
    expect(await live()).toMatchObject({ force_https: before["force_https"], primary_domain: null });
    expect(state.attributes).toMatchObject({ force_https: true, primary_domain: "" });
    await patch({ pages_https_only: false, pages_primary_domain: "www.example.com" });
    expect((await host().refresh(state))!.attributes).toMatchObject({
      force_https: false,
      primary_domain: "www.example.com",
    });
    expect(await host().drift(state, { project, unique_domain_enabled: true })).toEqual([]);
  });

  test("in all of them, sends nothing, so that no administrator is needed", async () => {
    world().service.requests.reset();
    const maintainer = new Host(world(), type, TOKEN.maintainer);
    const state = await maintainer.bring(undefined, { project });
    expect(sent()).toEqual([]);
    expect(await maintainer.drift(state, { project })).toEqual([]);
  });

  test("taken out of the code stays as it is", async () => {
    const state = await host().bring(undefined, { project, primary_domain: "web.example.com" });
    expect((await host().plan(state, { project })).action).toBe("none");
    expect(await live()).toMatchObject({ primary_domain: "web.example.com" });
  });
});

describe("primary_domain", () => {
  test('"" clears it, and is kept', async () => {
    const state = await host().bring(undefined, { project, primary_domain: "web.example.com" });
    const cleared = await host().bring(state, { project, primary_domain: "" });
    expect(cleared.attributes["primary_domain"]).toBe("");
    expect(await live()).toMatchObject({ primary_domain: null });
    expect(await host().drift(cleared, { project, primary_domain: "" })).toEqual([]);
  });

  test('"" where there is none plans nothing', async () => {
    const state = await host().import("1");
    expect((await host().plan(state, { project, primary_domain: "" })).action).toBe("none");
  });

  test("a domain that is not assigned to the project is refused by the service, and the error names the attribute", async () => {
    const plan = await host().plan(undefined, { project, primary_domain: "docs.example.com" });
    const { state, diagnostics } = await host().apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "bad_request", attribute: ["primary_domain"] },
    ]);
    expect(diagnostics[0]!.detail).toContain("one of the domains assigned");
  });

  test.each([
    "http://docs.example.com",
    "https://",
    "https://docs.example.com/x",
    "https://a@docs.example.com",
    "docs.example.com/x",
    "docs example.com",
    "docs.example.com:8080",
  ])("%j is refused before anything is sent", (primary_domain) => {
    const without = new Host({ provider: createProvider() } as World, type);
    expect(without.validate({ project, primary_domain })).toMatchObject([
      { code: "invalid_value", attribute: ["primary_domain"] },
    ]);
  });
});

describe("url", () => {
  test("the url is another one once the unique domain is toggled, and is unknown in that plan alone", async () => {
    const state = await host().bring(undefined, { project, unique_domain_enabled: false, force_https: true });
    const https = await host().plan(state, { project, unique_domain_enabled: false, force_https: false });
    expect(https.planned!.attributes["url"]).toBe(state.attributes["url"]);
    const config = { project, unique_domain_enabled: true, force_https: true };
    const toggled = await host().plan(state, config);
    expect(toggled.planned!.attributes["url"]).toBe(UNKNOWN);
    const { state: after } = await host().apply(toggled);
    expect(after!.attributes["url"]).not.toBe(state.attributes["url"]);
    expect(after!.attributes["url"]).toBe((await live())["url"]);
    expect(await host().drift(after!, config)).toEqual([]);
  });
});

describe("who may do what", () => {
  const maintainer = () => new Host(world(), type, TOKEN.maintainer);

  test("the error of an apply as Maintainer says that an administrator is needed", async () => {
    const plan = await maintainer().plan(undefined, { project, force_https: false });
    expect(plan.diagnostics).toEqual([]);
    const { state, diagnostics } = await maintainer().apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "forbidden" }]);
    expect(diagnostics[0]!.detail).toContain("Only an administrator of the instance may change");
    expect(await live()).toMatchObject({ force_https: true });
  });

  test("a refused update and a refused unpublish say the same and keep the state", async () => {
    const state = await host().bring(undefined, {
      project,
      force_https: false,
      unpublish_on_destroy: true,
    });
    const changed = await maintainer().apply(await maintainer().plan(state, { project, force_https: true }));
    const destroyed = await maintainer().destroy(state);
    for (const answer of [changed, destroyed]) {
      expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "forbidden" }]);
      expect(answer.diagnostics[0]!.detail).toContain("Only an administrator of the instance may change");
      expect(answer.state!.attributes["force_https"]).toBe(false);
    }
  });

  test("below Maintainer not even reading is allowed, and that is no matter of administrators", async () => {
    const state = await host().bring(undefined, { project, force_https: true });
    await world().http("DELETE", "/groups/11/members/21");
    await world().http("POST", "/groups/11/members", { user_id: 21, access_level: 30 });
    const { diagnostics } = await maintainer().read(state);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "forbidden" }]);
    expect(diagnostics[0]!.detail).not.toContain("administrator");
  });
});

describe("destroy", () => {
  const deployments = async () => (await live())["deployments"];

  test("leaves Pages alone, and sends nothing", async () => {
    const state = await host().bring(undefined, { project, force_https: false });
    world().service.requests.reset();
    expect(await host().destroy(state)).toEqual({ diagnostics: [] });
    expect(sent()).toEqual([]);
    expect(await live()).toMatchObject({ force_https: false });
    expect(await deployments()).toHaveLength(2);
  });

  test("unpublishes where that is declared: the deployments go, the settings stay", async () => {
    const state = await host().bring(undefined, { project, force_https: false, unpublish_on_destroy: true });
    expect(await host().destroy(state)).toEqual({ diagnostics: [] });
    expect(await live()).toMatchObject({ force_https: false, deployments: [] });
  });

  test("goes by what was applied last, which is stored without a request", async () => {
    const declared = { project, force_https: false };
    const state = await host().bring(undefined, { ...declared, unpublish_on_destroy: true });
    world().service.requests.reset();
    const kept = await host().bring(state, declared);
    expect(kept.attributes["unpublish_on_destroy"]).toBe(false);
    expect(sent()).toEqual([]);
    await host().destroy(kept);
    expect(await deployments()).toHaveLength(2);
  });

  test("after an import nothing is planned, and destroying leaves Pages alone", async () => {
    const imported = await host().import("acme/web");
    expect(imported.attributes["unpublish_on_destroy"]).toBe(false);
    expect((await host().plan(imported, { project })).action).toBe("none");
    await host().destroy(imported);
    expect(await deployments()).toHaveLength(2);
  });
});

test("where Pages is off on the instance a project has none to list, and one that can't be seen is an error", async () => {
  const off = await startWorld({ ...FIXTURE, instance: { pages_enabled: false } });
  const list = (within: string) => off.connect().listResource({ type, within });
  expect(await list("1")).toEqual({ objects: [], isUnavailable: true, diagnostics: [] });
  expect((await list("999")).diagnostics).toMatchObject([{ severity: "error", code: "reference_not_found" }]);
  await off.close();
});

test("requests: a refresh and a plan are one a project, a create one, an update looks first, unpublishing is one", async () => {
  const count = async (work: () => Promise<unknown>) => {
    world().service.requests.reset();
    await work();
    return world().service.requests.count();
  };
  const config = { project, force_https: false, unpublish_on_destroy: true };
  const create = await host().plan(undefined, config);
  expect(await count(() => host().apply(create))).toBe(1);
  const state = await host().import("1");
  expect(await count(() => host().drift(state, { project, force_https: false }))).toBe(1);
  const update = await host().plan(state, { ...config, force_https: true });
  expect(await count(() => host().apply(update))).toBe(2);
  expect(
    await count(() => host().destroy({ ...state, attributes: { ...state.attributes, ...config } })),
  ).toBe(1);
});
