import { byCause } from "../../src/cli/views/diagnostics";
import type { Passage } from "../support/http-proxy";
import { SAMPLES } from "./samples";
import { recordAnswer, useRunsBehind } from "./support/behind";
import { Host } from "./support/host";
import { useWorld } from "./support/world";

// Tests responses that mislead: a refusal because a feature is off, and a response about another object than the
// requested one.

const world = useWorld();
const behind = useRunsBehind();
const ENVIRONMENT = "steward_protected_environment";
const host = () => new Host(world(), ENVIRONMENT);
const { config } = SAMPLES[ENVIRONMENT]!;

/** Starts a run behind a proxy that refuses requests for protected environments with 403 and this body. */
const refusedWith = async (body: object) =>
  (
    await behind(
      world(),
      ({ url }) => (url.includes("/protected_environments") ? recordAnswer(403, body) : undefined),
      { max_attempts: 1 },
    )
  )();

// If a feature is disabled or not licensed, no role of the user helps.
test.each([
  { message: "403 Forbidden - feature not available" },
  { message: "403 Forbidden - Protected environments are not available in your plan" },
  { message: "403 Forbidden - This feature requires a Premium license" },
  { message: "Job token scope is not enabled" },
  { message: "403 Forbidden - Pages disabled" },
  { message: "403 Forbidden - The container registry is disabled for this project" },
  { message: { base: ["Your subscription tier does not include this"] } },
  { error: "forbidden", error_description: "This feature has been turned off by an administrator" },
])("if a 403 has the body %j, a write and a read report that the feature is off", async (body) => {
  const plan = await host().plan(undefined, config);
  const run = await refusedWith(body);
  const { state, diagnostics } = await host().apply(plan, run);
  expect(state).toBeUndefined();
  expect(diagnostics).toMatchObject([{ severity: "error", code: "feature_off" }]);
  expect(diagnostics[0]!.detail).toContain("Enable the feature");
  expect(diagnostics[0]!.detail).not.toContain("role Maintainer");

  const applied = await host().bring(undefined, config);
  const read = await host().read(applied, run);
  expect(read).toMatchObject({
    state: applied,
    diagnostics: [{ severity: "error", code: "feature_off", action: { kind: "forget" } }],
  });
});

test.each([
  "403 Forbidden",
  "403 Forbidden - You are not allowed to protect environments",
  "403 Forbidden - Your account has been blocked",
  "403 Forbidden - Your account is disabled, and so is every feature",
  "The current user is not authorized to update the page settings",
  "403 Forbidden - Personal access tokens are disabled",
])(
  "if a 403 has the message %j, the error names the required role instead of a feature that is off",
  async (message) => {
    const plan = await host().plan(undefined, config);
    const { diagnostics } = await host().apply(plan, await refusedWith({ message }));
    expect(diagnostics).toMatchObject([{ severity: "error", code: "forbidden" }]);
    expect(diagnostics[0]!.detail).toContain("Maintainer");
  },
);

/**
 * Starts a run in which the first `times` responses to certain requests describe another object. `sent` has the methods
 * of all requests.
 */
async function forged(method: string, path: RegExp, change: object, times = 1) {
  const sent: string[] = [];
  let left = times;
  const connect = await behind(world(), async (passage: Passage) => {
    sent.push(passage.method);
    if (passage.method !== method || !path.test(passage.url) || left-- <= 0) return undefined;
    const { status, body } = await passage.forward();
    return recordAnswer(status, { ...JSON.parse(body.toString()), ...change });
  });
  return { run: connect(), sent: () => sent.filter((one) => one === method).length };
}

test.each([
  [
    ENVIRONMENT,
    /protected_environments/,
    "PUT",
    { name: "" },
    { deploy_access_levels: [{ access_level: 30 }] },
  ],
  [
    "steward_container_protection_rule",
    /rules/,
    "PATCH",
    { id: 4711 },
    { minimum_access_level_for_push: "owner" },
  ],
] as const)(
  "if the response to an update of %s names another object, a read verifies the update without a retry",
  async (type, path, method, other, changes) => {
    const one = new Host(world(), type);
    const declared = SAMPLES[type]!.config;
    const before = await one.bring(undefined, declared);
    const plan = await one.plan(before, { ...declared, ...changes });
    const { run, sent } = await forged(method, path, other);
    const { state, diagnostics } = await one.apply(plan, run);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "proven_by_reading" }]);
    expect(state!.attributes["id"]).toBe(before.attributes["id"]);
    expect(sent()).toBe(1);
    expect(await one.drift(state!, { ...declared, ...changes })).toEqual([]);
  },
);

test("if the response to a create is about another environment, the state gets the id of the declared environment", async () => {
  const { run, sent } = await forged("POST", /protected_environments/, { name: "" });
  const { state, diagnostics } = await host().apply(await host().plan(undefined, config), run);
  expect(diagnostics).toMatchObject([{ severity: "warning", code: "proven_by_reading" }]);
  expect(state!.attributes["id"]).toBe(`1:${String(config["name"])}`);
  expect(sent()).toBe(1);
});

test("if the response to a read is about another environment, the provider reports an error and keeps the state", async () => {
  const state = await host().bring(undefined, config);
  const { run } = await forged("GET", /protected_environments\/./, { name: "another" }, 9);
  const read = await run.readResource({ type: ENVIRONMENT, state });
  expect(read.diagnostics.map(({ code }) => code)).toEqual(["unexpected_answer"]);
  expect(read.diagnostics[0]!.detail).toContain('"another"');
  expect(read.state).toEqual(state);
});

test("an apply that removes an allowlist entry succeeds, even if another client has already removed the entry", async () => {
  const list = new Host(world(), "steward_job_token_allowlist");
  const state = await list.bring(undefined, { project: "acme/web", target_projects: ["acme/tools"] });
  const plan = await list.plan(state, { project: "acme/web", target_projects: [] });
  // The proxy forwards the DELETE twice. The first DELETE imitates another client that removes the entry before the
  // provider does.
  const connect = await behind(world(), async (passage) => {
    if (passage.method === "DELETE") await passage.forward();
    return undefined;
  });
  const { state: emptied, diagnostics } = await list.apply(plan, connect());
  expect(diagnostics).toEqual([]);
  expect(emptied!.attributes["target_projects"]).toEqual([]);
});

test("if a list changes during each read, the reads of all objects in the list fail with the same cause", async () => {
  const names = ["production", "staging", "review"];
  const states = await Promise.all(
    names.map((name) => host().bring(undefined, { ...config, name: `${name} of a changing list` })),
  );
  let total = 200;
  const run = (
    await behind(world(), async (passage) => {
      if (!passage.url.includes("/protected_environments?")) return undefined;
      const answer = await passage.forward();
      total += 1;
      return { ...answer, headers: { ...answer.headers, "x-total": `${total}`, "x-total-pages": "2" } };
    })
  )();
  host().expectReads(states, run);
  const read = await Promise.all(states.map((state) => host().read(state, run)));
  const errors = read.flatMap(({ diagnostics }) => diagnostics);
  expect(errors.map(({ code }) => code)).toEqual(names.map(() => "list_changing"));
  expect(byCause(errors)).toHaveLength(1);
});
