import { createProvider } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { Host } from "./support/host";
import { PROJECT, useWorld } from "./support/world";

// A change removes only entries whose removal its plan showed. Other live entries stay until the next plan shows their
// removal.

const world = useWorld();
const AT = `/projects/${PROJECT.web}`;

/** A set that an update changes, and an entry that another client adds between plan and apply. */
interface Case {
  readonly type: string;
  readonly set: string;
  /** The declared values before and after the update. */
  readonly before: ValueObject;
  readonly after: ValueObject;
  /** The request that adds an entry by hand. `entry` is this entry as a state contains it. */
  readonly byHand: readonly [method: string, path: string, body: object];
  readonly entry: unknown;
}

const ENTRIES = { project: "acme/web" };
const ENVIRONMENT = { project: "acme/web", name: "production" };
const CASES: readonly Case[] = [
  {
    type: "steward_job_token_allowlist",
    set: "target_projects",
    before: { ...ENTRIES, target_projects: ["acme/tools"] },
    after: { ...ENTRIES, target_projects: ["acme/runner"] },
    byHand: ["POST", "/job_token_scope/allowlist", { target_project_id: PROJECT.docs }],
    entry: "acme/docs",
  },
  {
    type: "steward_job_token_allowlist",
    set: "target_groups",
    before: { ...ENTRIES, target_groups: ["acme/platform"] },
    after: { ...ENTRIES, target_groups: [] },
    byHand: ["POST", "/job_token_scope/groups_allowlist", { target_group_id: 13 }],
    entry: "acme/approvers",
  },
  {
    type: "steward_protected_environment",
    set: "deploy_access_levels",
    before: { ...ENVIRONMENT, deploy_access_levels: [{ access_level: 40 }, { user: "devon" }] },
    after: { ...ENVIRONMENT, deploy_access_levels: [{ access_level: 40 }] },
    byHand: ["PUT", "/protected_environments/production", { deploy_access_levels: [{ access_level: 30 }] }],
    entry: expect.objectContaining({ access_level: 30 }),
  },
  {
    type: "steward_protected_environment",
    set: "approval_rules",
    before: {
      ...ENVIRONMENT,
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ user: "devon", required_approvals: 1 }],
    },
    after: {
      ...ENVIRONMENT,
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ user: "devon", required_approvals: 2 }],
    },
    byHand: ["PUT", "/protected_environments/production", { approval_rules: [{ access_level: 40 }] }],
    entry: expect.objectContaining({ access_level: 40 }),
  },
];

/** Sends a request by hand as an administrator. */
const send = ([method, path, body]: Case["byHand"]) => world().http(method, `${AT}${path}`, body);

it("CASES of this test contains each set attribute of each resource", () => {
  const { resources } = createProvider().schema;
  const sets = Object.entries(resources).flatMap(([type, { attributes }]) =>
    Object.entries(attributes).flatMap(([name, attribute]) =>
      attribute.type.kind === "set" ? [`${type}.${name}`] : [],
    ),
  );
  expect(CASES.map(({ type, set }) => `${type}.${set}`).sort()).toEqual(sets.sort());
});

describe.each(CASES)("an entry of $set that appears after the plan of a $type", (one) => {
  const { type, set, before, after, byHand, entry } = one;

  it("an update keeps an entry that appeared after the plan, and warns about the entry", async () => {
    const host = new Host(world(), type);
    const prior = await host.bring(undefined, before);
    const plan = await host.plan(prior, after);
    await send(byHand);
    const { state, diagnostics } = await host.apply(plan);
    expect(diagnostics.map(({ code, attribute }) => [code, attribute])).toEqual([
      ["entry_not_planned", [set]],
    ]);
    // Terraform accepts no other state than the planned one, so the state must not show the entry.
    expect(state!.attributes[set]).toEqual(plan.planned!.attributes[set]);
    const live = await host.refresh(state!);
    expect(live!.attributes[set]).toContainEqual(entry);
    await host.bring(live, after);
    expect((await host.refresh(state!))!.attributes[set]).not.toContainEqual(entry);
  });

  it("an update removes an undeclared entry that the plan shows", async () => {
    const host = new Host(world(), type);
    const prior = await host.bring(undefined, before);
    await send(byHand);
    const live = await host.refresh(prior);
    const state = await host.bring(live, after);
    expect((await host.refresh(state))!.attributes[set]).not.toContainEqual(entry);
  });
});

const LISTS = CASES.filter(({ type }) => type === "steward_job_token_allowlist");
const ENTRY_OF: Readonly<Record<string, string>> = {
  target_projects: "acme/docs",
  target_groups: "acme/approvers",
};
const ADDED: Readonly<Record<string, readonly string[]>> = {
  target_projects: ["acme/tools"],
  target_groups: ["acme/platform"],
};
/** Returns all live entries of a list, as an import reads them. */
const liveIn = async (set: string) =>
  (await new Host(world(), "steward_job_token_allowlist").import(String(PROJECT.web))).attributes[set];

describe.each(LISTS)("the create of a whole list of $set", ({ type, set, byHand }) => {
  const declared = { ...ENTRIES, [set]: [] };

  it("a create removes a live entry that the plan shows", async () => {
    const host = new Host(world(), type);
    await send(byHand);
    const plan = await host.plan(undefined, declared);
    expect(plan.diagnostics).toMatchObject([
      { code: "replaced_entries", item: `from the job token allowlist of acme/web: ${ENTRY_OF[set]}` },
    ]);
    expect((await host.apply(plan)).diagnostics).toEqual([]);
    expect(await liveIn(set)).toEqual([]);
  });

  it("a create keeps an entry that appears after the plan, with a warning", async () => {
    const host = new Host(world(), type);
    const plan = await host.plan(undefined, declared);
    expect(plan.diagnostics).toEqual([]);
    await send(byHand);
    const { state, diagnostics } = await host.apply(plan);
    expect(diagnostics).toMatchObject([{ code: "entry_not_planned", attribute: [set] }]);
    expect(state!.attributes[set]).toEqual([]);
    const live = await host.refresh(state!);
    expect(live!.attributes[set]).toEqual([ENTRY_OF[set]]);
    await host.bring(live, declared);
    expect(await liveIn(set)).toEqual([]);
  });

  it("an apply keeps an entry that appeared after the plan, even if one POST returns 503", async () => {
    const host = new Host(world(), type);
    const more = { ...ENTRIES, [set]: ADDED[set]! };
    const plan = await host.plan(undefined, more);
    await send(byHand);
    world().service.faults.add({ method: "POST", status: 503, times: 1 });
    const { state, diagnostics } = await host.apply(plan);
    expect(diagnostics).toMatchObject([{ code: "entry_not_planned" }]);
    expect(state!.attributes).toMatchObject(more);
    expect(await liveIn(set)).toContain(ENTRY_OF[set]);
  });

  it("a recovery keeps an entry that appeared after the plan, and counts the create as done", async () => {
    const host = new Host(world(), type);
    const plan = await host.plan(undefined, declared);
    await send(byHand);
    const attributes = { ...declared, [set === "target_groups" ? "target_projects" : "target_groups"]: null };
    const planned = { attributes, private: plan.planned!.private };
    const answer = await host.connect().recoverResource({ type, prior: undefined, planned });
    expect(answer).toMatchObject({ outcome: "done", state: { attributes: { [set]: [] } } });
    expect(await liveIn(set)).toEqual([ENTRY_OF[set]]);
  });

  it("under Terraform, a create keeps live entries that the code omits, and the next plan shows their removal", async () => {
    const host = new Host(world(), type, undefined, "terraform");
    await send(byHand);
    const plan = await host.plan(undefined, declared);
    expect(plan.diagnostics).toMatchObject([
      { code: "replaced_entries", summary: "Undeclared entries are kept" },
    ]);
    const { state, diagnostics } = await host.apply(plan);
    expect(diagnostics).toMatchObject([{ code: "entry_not_planned", attribute: [set] }]);
    const live = await host.refresh(state!);
    expect(live!.attributes[set]).toEqual([ENTRY_OF[set]]);
    expect((await host.plan(live, declared)).changed).toEqual([set]);
    await host.bring(live, declared);
    expect(await liveIn(set)).toEqual([]);
  });
});

it("an update that declares a set for the first time keeps live entries that the plan does not show", async () => {
  const entry = new Host(world(), "steward_job_token_allowlist_project");
  const single = await entry.bring(undefined, { project: "acme/web", target_project: "acme/tools" });
  const host = new Host(world(), "steward_job_token_allowlist");
  const prior = await host.bring(undefined, { ...ENTRIES, target_groups: [] });
  await send(CASES[0]!.byHand);
  const plan = await host.plan(prior, { ...ENTRIES, target_groups: [], target_projects: [] });
  const run = host.connect();
  expect((await host.apply(plan, run)).diagnostics).toMatchObject([{ code: "entry_not_planned" }]);
  expect(await entry.destroy(single, run)).toEqual({ diagnostics: [] });
  expect(await liveIn("target_projects")).toEqual(["acme/docs"]);
});

it("a destroy of an allowlist does not remove an entry that was added after the last apply", async () => {
  const host = new Host(world(), "steward_job_token_allowlist");
  const prior = await host.bring(undefined, {
    ...ENTRIES,
    target_projects: ["acme/tools"],
    target_groups: [],
  });
  await send(CASES[0]!.byHand);
  expect(await host.destroy(prior)).toMatchObject({ diagnostics: [] });
  const left = await host.import(String(PROJECT.web));
  expect(left.attributes["target_projects"]).toEqual(["acme/docs"]);
});
