import type { ConfiguredProvider, ObservedBeforeCreate } from "../../src/framework/protocol/protocol";
import type { ValueObject } from "../../src/schema";
import { deletesByHand, SAMPLES } from "./samples";
import { Host } from "./support/host";
import { PROJECT, useWorld } from "./support/world";

// A run that has listed a collection knows which objects exist there. So the plan of a new object in this run sends no
// request to find out. These tests check what the plan records, and how a later run uses it after a kill.

const world = useWorld();
const web = String(PROJECT.web);

const ENVIRONMENT = "steward_protected_environment";
const ALLOWLIST = "steward_job_token_allowlist";

/** A new object, and what a plan records about its absence if the run has listed the collection. */
interface New {
  readonly declared: ValueObject;
  readonly absence: ObservedBeforeCreate | undefined;
}
/**
 * The lists of these resources do not show everything that a create must check: a user without an invitation can be a
 * member. So the plan records nothing about the absence.
 */
const NOT_KNOWN = undefined;

/** The new object of each resource whose objects can be missing. Settings are left out, because they always exist. */
const NEW: Readonly<Record<string, New>> = Object.fromEntries(
  Object.entries(SAMPLES)
    .filter(([type]) => deletesByHand(type) !== undefined)
    .map(([type, { config, looksBeforeCreate }]) => [
      type,
      { declared: config, absence: looksBeforeCreate === 0 ? { ids: [] } : NOT_KNOWN },
    ]),
);
const declaredOf = (type: string): ValueObject => NEW[type]!.declared;

const host = (type: string) => new Host(world(), type);

/** Plans a new object in a run that has or has not listed the existing objects. Also returns the number of requests. */
async function planned(type: string, hasListed: boolean, given = declaredOf(type)) {
  const run = host(type).connect();
  expectOwn(type, run);
  if (hasListed) await run.listResource({ type, within: String(given["project"] ?? given["group"]) });
  world().service.requests.reset();
  const plan = await host(type).plan(undefined, given, run);
  return { plan, requests: world().service.requests.count() };
}

/**
 * Announces to the run that the state already has the existing object. Otherwise, the plan would refuse the object. The
 * announcement is needed only if the run cannot know that the object is absent.
 */
function expectOwn(type: string, run: ConfiguredProvider): void {
  if (NEW[type] === undefined || NEW[type].absence !== NOT_KNOWN) return;
  host(type).expectReads([{ attributes: { id: SAMPLES[type]!.id } }], run);
}

/** Recovers a pending create in another run, and returns the result. */
async function recovered(type: string, observed: ObservedBeforeCreate | undefined, given = declaredOf(type)) {
  const run = host(type).connect();
  expectOwn(type, run);
  const plan = await host(type).plan(undefined, given, run);
  const attributes = Object.fromEntries(
    Object.entries(plan.planned!.attributes).filter(([, value]) => typeof value !== "symbol"),
  );
  const answer = await host(type)
    .connect()
    .recoverResource({
      type,
      prior: undefined,
      planned: { attributes, private: plan.planned!.private },
      observed,
    });
  expect(answer.diagnostics).toEqual([]);
  return answer;
}

describe.each(Object.entries(NEW))("%s", (type, { declared, absence }) => {
  test("if the list was not read before a create's plan, the plan does not record whether the object exists", async () => {
    const { plan } = await planned(type, false);
    expect(plan.action).toBe("create");
    expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(plan.observed).toBeUndefined();
  });

  test("if the list was already read, the plan records without another request that the object does not exist yet", async () => {
    const { plan, requests } = await planned(type, true);
    expect(plan.observed).toEqual(absence);
    expect(requests).toBeLessThanOrEqual((await planned(type, false)).requests);
  });

  test("if an object with the declared key exists, the plan records the object's id", async () => {
    const { attributes } = await host(type).bring(undefined, declared);
    expect((await planned(type, true)).plan.observed).toEqual({ ids: [attributes["id"]] });
  });

  test("if an object existed before the interrupted create, the recovery does not report the object as created", async () => {
    const { attributes } = await host(type).bring(undefined, declared);
    expect(await recovered(type, { ids: [String(attributes["id"])] })).toMatchObject({ outcome: "foreign" });
  });

  test.each([
    ["its absence", { ids: [] }],
    ["nothing", undefined],
  ])(
    "if the plan observed %s, an object with exactly the declared values counts as created by the interrupted run",
    async (_, observed) => {
      const { attributes } = await host(type).bring(undefined, declared);
      const { outcome, state } = await recovered(type, observed);
      expect({ outcome, id: state?.attributes["id"] }).toEqual({ outcome: "done", id: attributes["id"] });
    },
  );
});

test("if a live object differs from its declaration, the recovery does not report the object as created", async () => {
  await host(ENVIRONMENT).bring(undefined, {
    ...declaredOf(ENVIRONMENT),
    deploy_access_levels: [{ access_level: 30 }],
  });
  expect(await recovered(ENVIRONMENT, { ids: [] })).toMatchObject({ outcome: "foreign" });
});

describe("an allowlist whose create was interrupted", () => {
  const declared = { project: web, target_projects: ["acme/tools", "acme/runner"], target_groups: [] };
  const allow = (id: number) =>
    world().http("POST", `/projects/${web}/job_token_scope/allowlist`, { target_project_id: id });
  const seenBefore = async () => (await host(ALLOWLIST).plan(undefined, declared)).observed;

  test("if only one of two declared entries is live, the recovery reports the create as done in part", async () => {
    const observed = await seenBefore();
    await allow(PROJECT.tools);
    const { outcome, state } = await recovered(ALLOWLIST, observed, declared);
    expect(outcome).toBe("in-part");
    expect(state!.attributes).toMatchObject({ id: web, target_projects: ["acme/tools"], target_groups: [] });
    expect(await host(ALLOWLIST).drift(state!, declared)).toEqual(["target_projects"]);
  });

  test("if an undeclared entry was deleted after the plan, the recovery reports the create as done in part", async () => {
    await allow(PROJECT.docs);
    const observed = await seenBefore();
    await world().http("DELETE", `/projects/${web}/job_token_scope/allowlist/${PROJECT.docs}`);
    expect(await recovered(ALLOWLIST, observed, declared)).toMatchObject({ outcome: "in-part" });
  });

  test("if only an undeclared entry was added after the plan, the recovery reports the create as not done", async () => {
    await allow(PROJECT.tools);
    const observed = await seenBefore();
    await allow(PROJECT.docs);
    expect(await recovered(ALLOWLIST, observed, declared)).toEqual({ outcome: "not-done", diagnostics: [] });
  });

  test("if the plan recorded no earlier entries, the recovery reports the create of the allowlist as not done", async () => {
    await allow(PROJECT.tools);
    expect(await recovered(ALLOWLIST, undefined, declared)).toMatchObject({ outcome: "not-done" });
  });
});
