import type { StoredState } from "../../../src/framework/protocol/protocol";
import type { Value, ValueObject } from "../../../src/schema";
import { pathOf } from "../../support/path-of";
import { Host } from "../support/host";
import { GROUP, USER, useWorld } from "../support/world";

// An environment is changed in place, by the ids of its records: no moment passes in which it is unprotected.

const world = useWorld();
const host = () => new Host(world(), "steward_protected_environment");
const at = "/projects/1/protected_environments";

interface Rule {
  readonly id: number;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly access_level: number | null;
  readonly group_inheritance_type: number;
  readonly required_approvals?: number;
}
interface Live {
  readonly deploy_access_levels: readonly Rule[];
  readonly approval_rules: readonly Rule[];
}
const live = async () => (await world().http("GET", `${at}/production`)) as Live;
const put = (body: unknown) => world().http("PUT", `${at}/production`, body);
const writes = () => world().service.requests.all.filter(({ method }) => method !== "GET");

const config = {
  project: "acme/web",
  name: "production",
  deploy_access_levels: [{ user: "devon" }, { access_level: 40 }],
  approval_rules: [{ group: "acme/approvers", required_approvals: 2 }, { access_level: 40 }],
};
const changed = (change: ValueObject) => ({ ...config, ...change });

let state: StoredState;
let before: Live;
beforeEach(async () => {
  state = await host().bring(undefined, config);
  before = await live();
  world().service.requests.reset();
});

describe("an update touches what differs, and nothing else", () => {
  test("another order changes nothing", async () => {
    const reordered = changed({
      deploy_access_levels: [...config.deploy_access_levels].reverse(),
      approval_rules: [...config.approval_rules].reverse(),
    });
    expect(await host().drift(state, reordered)).toEqual([]);
  });

  test("one changed count touches one record", async () => {
    const approval_rules = [{ group: "acme/approvers", required_approvals: 3 }, { access_level: 40 }];
    await host().bring(state, changed({ approval_rules }));
    const after = await live();
    expect(after.deploy_access_levels).toEqual(before.deploy_access_levels);
    expect(after.approval_rules).toEqual(
      before.approval_rules.map((rule) =>
        rule.group_id === GROUP.approvers ? { ...rule, required_approvals: 3 } : rule,
      ),
    );
    expect(writes()).toHaveLength(1);
  });

  test("one element exchanged keeps the records of the others", async () => {
    await host().bring(
      state,
      changed({ deploy_access_levels: [{ group: "acme/platform" }, { access_level: 40 }] }),
    );
    const after = await live();
    const kept = (environment: Live) =>
      environment.deploy_access_levels.find(({ access_level }) => access_level === 40);
    expect(kept(after)).toEqual(kept(before));
    expect(after.deploy_access_levels).toHaveLength(2);
    expect(after.approval_rules).toEqual(before.approval_rules);
  });

  test("the only level exchanged goes in one request, which the service would refuse if it left none", async () => {
    const one = await host().bring(state, changed({ deploy_access_levels: [{ access_level: 40 }] }));
    world().service.requests.reset();
    await host().bring(one, changed({ deploy_access_levels: [{ access_level: 60 }] }));
    expect(writes()).toMatchObject([{ method: "PUT", status: 200 }]);
    expect((await live()).deploy_access_levels).toMatchObject([{ access_level: 60 }]);
  });

  test("inheritance of a group is changed on its record", async () => {
    const approval_rules = [
      { group: "acme/approvers", required_approvals: 2, group_inheritance_type: 1 },
      { access_level: 40 },
    ];
    await host().bring(state, changed({ approval_rules }));
    const after = await live();
    expect(after.approval_rules.map(({ id }) => id)).toEqual(before.approval_rules.map(({ id }) => id));
    expect(
      after.approval_rules.find(({ group_id }) => group_id === GROUP.approvers)!.group_inheritance_type,
    ).toBe(1);
  });

  test("nothing is sent where somebody made the same change by hand before", async () => {
    const plan = await host().plan(state, changed({ deploy_access_levels: [{ user: "devon" }] }));
    const { id } = before.deploy_access_levels.find(({ access_level }) => access_level === 40)!;
    await put({ deploy_access_levels: [{ id, _destroy: true }] });
    world().service.requests.reset();
    expect((await host().apply(plan)).diagnostics).toEqual([]);
    expect(writes()).toEqual([]);
  });
});

describe("approval rules", () => {
  test("left out stay as they are, [] removes all of them", async () => {
    const { approval_rules: _, ...without } = config;
    expect((await host().plan(state, without)).action).toBe("none");
    await host().bring(state, { ...without, deploy_access_levels: [{ access_level: 40 }] });
    expect((await live()).approval_rules).toEqual(before.approval_rules);
    const none = await host().bring(await host().refresh(state), changed({ approval_rules: [] }));
    expect((await live()).approval_rules).toEqual([]);
    expect(await host().drift(none, changed({ approval_rules: [] }))).toEqual([]);
  });

  test("an element that says nothing of counts means one approval, direct members", async () => {
    const rule = before.approval_rules.find(({ access_level }) => access_level === 40)!;
    expect(rule).toMatchObject({ required_approvals: 1, group_inheritance_type: 0 });
    const [planned] = (
      await host().plan(undefined, { ...config, name: "x", approval_rules: [{ user: "devon" }] })
    ).planned!.attributes["approval_rules"] as readonly Value[];
    expect(planned).toEqual({
      user: "devon",
      group: null,
      access_level: null,
      required_approvals: 1,
      group_inheritance_type: 0,
    });
  });
});

describe("what the service has and nobody can declare", () => {
  test("inheritance beside a user or a level says nothing, and is no drift", async () => {
    const { id } = before.deploy_access_levels.find(({ access_level }) => access_level === 40)!;
    await put({ deploy_access_levels: [{ id, group_inheritance_type: 1 }] });
    expect(await host().drift(state, config)).toEqual([]);
  });

  test("a second record for the same user is drift, and goes", async () => {
    await put({ deploy_access_levels: [{ user_id: USER.devon }] });
    expect(await host().drift(state, config)).toEqual(["deploy_access_levels"]);
    const mended = await host().bring(await host().refresh(state), config);
    expect((await live()).deploy_access_levels).toHaveLength(2);
    expect(await host().drift(mended, config)).toEqual([]);
  });
});

describe("entries for who has no access to the project", () => {
  test("a user, on create: one error that names the attribute and the user, and nothing is there", async () => {
    const fresh = {
      ...config,
      name: "fresh",
      deploy_access_levels: [{ access_level: 40 }, { user: "outsider" }],
    };
    const { state: made, diagnostics } = await host().apply(await host().plan(undefined, fresh));
    expect(made).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        code: "unprocessable",
        attribute: pathOf('deploy_access_levels[user "outsider"]'),
      },
    ]);
    expect(diagnostics[0]!.detail).toContain(`user ${USER.outsider} has no access to the project`);
    expect(await world().http("GET", at)).toHaveLength(1);
  });

  test("a group, on update: the same, and the state is as before", async () => {
    const approval_rules = [{ group: "acme" }];
    const answer = await host().apply(await host().plan(state, changed({ approval_rules })));
    expect(answer.state!.attributes).toEqual(state.attributes);
    expect(answer.diagnostics).toMatchObject([
      { code: "unprocessable", attribute: pathOf('approval_rules[group "acme"]') },
    ]);
    expect(await live()).toEqual(before);
  });

  test("who loses access later is no endless difference: the service's refusal tells", async () => {
    await world().http("DELETE", `/projects/1/members/${USER.devon}`);
    const deploy_access_levels = [{ user: "devon" }, { access_level: 60 }];
    const answer = await host().apply(await host().plan(state, changed({ deploy_access_levels })));
    // The record of that user is untouched, so there is nothing to refuse.
    expect(answer.diagnostics).toEqual([]);
    expect(await host().drift(answer.state!, changed({ deploy_access_levels }))).toEqual([]);
  });
});

describe("two elements for the same", () => {
  test.each([
    [
      "a user by name and id",
      { deploy_access_levels: [{ user: "devon" }, { user: String(USER.devon) }] },
      `deploy_access_levels[user "${USER.devon}"]`,
    ],
    [
      "a group with two ways of inheritance",
      {
        deploy_access_levels: [{ group: "acme/platform" }, { group: "12", group_inheritance_type: 1 }],
      },
      'deploy_access_levels[group "12"]',
    ],
    [
      "a level",
      { approval_rules: [{ access_level: 40 }, { access_level: 40, required_approvals: 2 }] },
      "approval_rules[access_level 40]",
    ],
  ])("%s is an error that names the second", async (_, change, second) => {
    const plan = await host().plan(state, changed(change));
    expect(plan.diagnostics).toMatchObject([
      { severity: "error", code: "duplicate_reference", attribute: pathOf(second) },
    ]);
    // Only what somebody wrote, and not all that an element could have said.
    expect(plan.diagnostics[0]!.detail).not.toContain("null");
    expect(writes()).toEqual([]);
  });
});

test.each(["production", "review/feature-1", "review apps/*", "ümlaut:eins:zwei", "100%"])(
  "an environment may be called %s",
  async (name) => {
    const named = { project: "acme/web-two", name, deploy_access_levels: [{ access_level: 40 }] };
    const made = await host().bring(undefined, named);
    expect(made.attributes["id"]).toBe(`7:${name}`);
    expect(await host().drift(await host().import(`acme/web-two:${name}`), named)).toEqual([]);
    await host().destroy(made);
    expect(await world().http("GET", "/projects/7/protected_environments")).toEqual([]);
  },
);
