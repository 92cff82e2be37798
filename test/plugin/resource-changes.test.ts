import { ExtData } from "@msgpack/msgpack";
import { TOKEN } from "../provider/support/world";
import { dynamic, make, NONE, plain, plan } from "./support/plugin-client";
import { useServed } from "./support/served";

// The tests plan and apply over the plugin protocol.

const SCOPE = "steward_job_token_scope";
const RULE = "steward_container_protection_rule";
const unknown = new ExtData(0, new Uint8Array([0]));

const served = useServed();
const { serve, config: providerConfig, configured } = served;

const scope = (given: Record<string, unknown> = {}) =>
  dynamic({ id: null, project: "acme/web", inbound_enabled: null, outbound_enabled: null, ...given });

test("without an earlier call of GetProviderSchema, PlanResourceChange returns a planned state", async () => {
  const planned = await plan(await configured(), SCOPE, scope());
  expect(planned.diagnostics).toEqual([]);
  expect(plain(planned.plannedState)).toEqual({
    id: unknown,
    project: "acme/web",
    inbound_enabled: unknown,
    outbound_enabled: unknown,
  });
});

test("ReadResource returns the same state and private bytes as the create", async () => {
  const client = await configured();
  const made = await make(client, SCOPE, scope({ inbound_enabled: false }));
  const { newState, private: bytes } = made;
  expect(plain(newState)).toMatchObject({ id: "1", inbound_enabled: false });
  const read = await client.call("ReadResource", {
    typeName: SCOPE,
    currentState: newState!,
    private: bytes,
  });
  expect(read).toMatchObject({ newState, private: bytes, diagnostics: [] });
  const end = await plan(client, SCOPE, NONE, { priorState: newState!, priorPrivate: bytes });
  expect(plain(end.plannedState)).toBeNull();
  expect(end.plannedPrivate).toEqual(bytes);
});

test("if several objects fail for the same reason, only the first error has the details", async () => {
  const client = await configured();
  const told = async (project: string) =>
    (await plan(client, SCOPE, scope({ project }))).diagnostics.map(({ summary, detail }) => [
      summary,
      detail,
    ]);
  const full = expect.stringContaining("can't be found with this token");
  const short = "The first object of this run with this cause has the details.";
  expect(await told("acme/nowhere")).toEqual([["No such project", full]]);
  expect(await told("acme/nowhere")).toEqual([["No such project", short]]);
  expect(await told("acme/elsewhere")).toEqual([["No such project", full]]);
  await client.call("ConfigureProvider", { config: providerConfig() });
  expect(await told("acme/nowhere")).toEqual([["No such project", full]]);
});

test("if the declared project changes, the plan's requiresReplace contains the attribute `project`", async () => {
  const priorState = scope({ id: "1", inbound_enabled: true, outbound_enabled: true });
  const { requiresReplace } = await plan(await configured(), SCOPE, scope({ project: "acme/tools" }), {
    priorState,
  });
  expect(requiresReplace).toMatchObject([{ steps: [{ attributeName: "project" }] }]);
});

test("if ApplyResourceChange has an internal error, its response contains the prior state", async () => {
  const bytes = Buffer.from("kept");
  const applied = await (await serve())().call("ApplyResourceChange", {
    typeName: SCOPE,
    priorState: scope({ id: "1", inbound_enabled: true }),
    plannedState: scope({ id: "1", inbound_enabled: false }),
    config: scope({ inbound_enabled: false }),
    plannedPrivate: bytes,
  });
  expect(applied.diagnostics).toMatchObject([
    { detail: expect.stringContaining("before it configured the provider") },
  ]);
  expect(plain(applied.newState)).toMatchObject({ id: "1", inbound_enabled: true });
  expect(Buffer.from(applied.private)).toEqual(bytes);
});

const OWNER = { minimum_access_level_for_push: "owner" };

test("if a declared object already exists on the service, the plan's error contains the import ID", async () => {
  const patterns = ["acme/web/a", "acme/web/b", "acme/web/c"];
  for (const repository_path_pattern of patterns.slice(0, 2)) {
    await fetch(`${served.service.url}/api/v4/projects/1/registry/protection/repository/rules`, {
      method: "POST",
      headers: { "private-token": TOKEN.maintainer, "content-type": "application/json" },
      body: JSON.stringify({ repository_path_pattern, ...OWNER }),
    });
  }
  const client = await configured();
  served.service.requests.reset();
  const answers = await Promise.all(
    patterns.map((repository_path_pattern) => {
      const rule = { repository_path_pattern, ...OWNER, minimum_access_level_for_delete: null };
      return plan(client, RULE, dynamic({ id: null, rule_id: null, project: "acme/web", ...rule }));
    }),
  );
  expect(
    answers.map(({ diagnostics }) => diagnostics.map(({ summary, detail }) => [summary, detail])),
  ).toEqual([
    ...[1, 2].map((id) => [
      [
        "Already exists",
        `The container protection rule "acme/web:${id}" exists on the service, but not in this state. Delete it on the service, or import it (ID "acme/web:${id}") as shown below. If this apply replaces it, first remove its address from the state.`,
      ],
    ]),
    [],
  ]);
  expect(served.service.requests.all.filter(({ url }) => url.includes("/rules"))).toHaveLength(1);
});

const REMOVE_FIRST = "If this apply replaces it, first remove its address from the state.";
const REFUSED = [expect.stringContaining("Remove create_before_destroy, or plan without a replacement.")];

test.each([
  ["steward_job_token_allowlist_project", { target_project: "acme/tools", target_project_id: null }, []],
  [
    "steward_protected_environment",
    {
      name: "own",
      deploy_access_levels: [{ access_level: 40, group: null, user: null, group_inheritance_type: 0 }],
      approval_rules: null,
      required_approval_count: null,
    },
    REFUSED,
  ],
  [
    RULE,
    {
      repository_path_pattern: "acme/web/own",
      ...OWNER,
      minimum_access_level_for_delete: null,
      rule_id: null,
    },
    REFUSED,
  ],
])(
  "with create_before_destroy, replacing an unchanged object of the type %s keeps the object or fails with a suggestion",
  async (typeName, declared, refusals) => {
    const config = dynamic({ id: null, project: "acme/web", ...declared });
    const created = await make(await configured(), typeName, config);
    expect(created.diagnostics).toEqual([]);
    const plans = await configured();
    const first = await plan(plans, typeName, config, {
      priorState: created.newState!,
      proposedNewState: created.newState!,
      priorPrivate: created.private,
    });
    const second = await plan(plans, typeName, config, { priorPrivate: first.plannedPrivate });
    expect([...first.diagnostics, ...second.diagnostics]).toEqual([]);

    // During apply, a new process plans the change again.
    const [untold, applies] = [await configured(), await configured()];
    expect((await plan(untold, typeName, config)).diagnostics).toMatchObject([
      { detail: expect.stringContaining(REMOVE_FIRST) },
    ]);
    const { plannedState, plannedPrivate, diagnostics } = await plan(applies, typeName, config, {
      plannedPrivate: second.plannedPrivate,
      clientCapabilities: { storePlannedPrivate: true },
    });
    expect(diagnostics).toEqual([]);
    const again = await applies.call("ApplyResourceChange", {
      ...{ typeName, priorState: NONE, config, plannedPrivate, plannedState: plannedState! },
    });
    expect(again.diagnostics.map(({ detail }) => detail)).toEqual(refusals);
    if (refusals.length === 0)
      expect(again).toMatchObject({ newState: created.newState, private: created.private });
  },
);
