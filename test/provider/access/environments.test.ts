import { UNKNOWN } from "../../../src/schema";
import { useWorld } from "../support/world";
import { company, TOKEN } from "./company";
import { byPlace, type Change, describeChanges, requestsOf } from "./support";

const world = useWorld(company());

const environment = (name: string, given: object | null, id?: string): Change => ({
  type: "protected_environment",
  given: given && { project: "acme/shop", name, ...given },
  ...(id !== undefined && { id }),
});
const PRODUCTION = "1:production";
const described = async (changes: readonly Change[], token: string = TOKEN.root) =>
  byPlace(await describeChanges(world(), changes, token));

describe("who gains and who loses an environment", () => {
  test("a new protection shows who loses: an unprotected environment can be deployed to from Developer up", async () => {
    const given = { deploy_access_levels: [{ access_level: 40 }, { user: "rita" }] };
    expect(await described([environment("staging", given)])).toEqual({
      "acme/shop staging": ["deploy +rita -devon -dora", "protection off -> on"],
    });
  });

  test("the end of a protection shows who gains, and that no approval is needed any more", async () => {
    expect(await described([environment("production", null, PRODUCTION)])).toEqual({
      "acme/shop production": [
        "deploy +devon +dora -lena (through group secret/release)",
        "approve -maya -oskar",
        "protection on -> off",
        "approvals 2 -> 0",
      ],
    });
  });

  test("administrators of the instance are not counted by person, and level 60 admits nobody else", async () => {
    const given = { deploy_access_levels: [{ access_level: 60 }], approval_rules: [] };
    expect(await described([environment("production", given, PRODUCTION)])).toEqual({
      "acme/shop production": [
        "deploy -lena (through group secret/release) -maya -oskar",
        "approve -maya -oskar",
        "approvals 2 -> 0",
        "administrators named to deploy no -> level 60, not counted by person",
      ],
    });
  });

  test("inherited members of a group count only with group_inheritance_type 1, and only members of the project", async () => {
    const with1 = {
      deploy_access_levels: [{ access_level: 40 }, { group: "secret/release", group_inheritance_type: 1 }],
    };
    // hugo, the Owner of the group above, is a member by the share; the number of approvals alone changes nobody.
    const given = { ...with1, approval_rules: [{ access_level: 40, required_approvals: 1 }] };
    expect(await described([environment("production", given, PRODUCTION)])).toEqual({
      "acme/shop production": ["deploy +hugo (through group secret/release)", "approvals 2 -> 1"],
    });
  });

  test("a change that concerns nobody is not reported", async () => {
    const given = {
      deploy_access_levels: [{ group: "111" }, { access_level: 40 }],
      approval_rules: [{ access_level: 40, required_approvals: 2 }],
    };
    expect(await described([environment("production", given, PRODUCTION)])).toEqual({});
  });

  test("approval rules that are not declared stay as they are", async () => {
    const given = { deploy_access_levels: [{ access_level: 40 }] };
    expect(await described([environment("production", given, PRODUCTION)])).toEqual({
      "acme/shop production": ["deploy -lena (through group secret/release)"],
    });
  });
});

describe("what can't be counted is said", () => {
  test("a group that the token can't see", async () => {
    const given = { deploy_access_levels: [{ access_level: 30 }, { group: "111" }] };
    const found = await described([environment("production", given, PRODUCTION)], TOKEN.maya);
    expect(found).toEqual({
      "acme/shop production": [
        "deploy +devon +dora",
        "not counted: group 111: its members can't be read: the object does not exist, or the token can't see it (404)",
      ],
    });
  });

  test("a member with a custom role", async () => {
    const json = { user_id: 8, access_level: 30, member_role_id: 7 };
    await world().http("POST", "/projects/1/invitations", json, TOKEN.root);
    const given = { deploy_access_levels: [{ access_level: 30 }], approval_rules: [] };
    expect(
      await described([environment("staging", { ...given, deploy_access_levels: [{ access_level: 40 }] })]),
    ).toEqual({
      "acme/shop staging": [
        "deploy -devon -dora",
        "protection off -> on",
        "not counted: nina: has the custom role Releaser",
      ],
    });
  });

  test("a project whose members can't be read has no people, and the reason", async () => {
    world().service.faults.add({ route: "/projects/:id/members/all", status: 403, always: true });
    const given = { deploy_access_levels: [{ access_level: 40 }] };
    expect(await described([environment("staging", given)])).toEqual({
      "acme/shop staging": [
        "protection off -> on",
        expect.stringMatching(/^not counted: the project's members: /),
      ],
    });
  });

  test("entries that are known only after apply", async () => {
    const run = world().connect(TOKEN.root);
    const config = {
      project: "acme/shop",
      name: "staging",
      deploy_access_levels: [{ access_level: 40, user: null, group: null, group_inheritance_type: null }],
    };
    const planned = { ...config, id: null };
    const report = await run.describeAccess!([
      {
        type: "steward_protected_environment",
        address: "steward_protected_environment.one",
        prior: undefined,
        planned: { attributes: { ...planned, deploy_access_levels: UNKNOWN }, private: undefined },
        config: { ...config, deploy_access_levels: UNKNOWN },
      },
      {
        type: "steward_protected_environment",
        address: "steward_protected_environment.two",
        prior: undefined,
        planned: { attributes: { ...planned, project: UNKNOWN }, private: undefined },
        config: { ...config, project: UNKNOWN },
      },
    ]);
    expect(byPlace(report)).toEqual({
      "acme/shop staging": [
        "not counted: steward_protected_environment.one: deploy_access_levels is known only after apply",
      ],
    });
    expect(report.notCounted).toEqual([
      { what: "steward_protected_environment.two", why: "its project is known only after apply" },
    ]);
  });
});

test("in reverse a report says what was done that the changes would undo: who would lose has gained", async () => {
  const scope = (project: string, id: string, inbound_enabled: boolean): Change => ({
    type: "job_token_scope",
    given: { project, inbound_enabled },
    id,
  });
  const requests = await requestsOf(
    world(),
    [
      environment("production", null, PRODUCTION),
      scope("acme/shop", "1", false),
      scope("acme/docs", "3", true),
    ],
    TOKEN.root,
  );
  expect(byPlace(await world().connect(TOKEN.root).describeAccess!(requests, { isReversed: true }))).toEqual({
    "acme/shop production": [
      "deploy +lena (through group secret/release) -devon -dora",
      "approve +maya +oskar",
      "protection off -> on",
      "approvals 0 -> 2",
    ],
    "acme/shop": ["use_job_tokens -every project (except project acme/tools)", "job token limit off -> on"],
    "acme/docs": ["use_job_tokens +every project", "job token limit on -> off"],
  });
});
