import rules from "../../examples/policy/policy";
import { ownAttributes } from "../../src/cli/policy/open-policies";
import { Policies } from "../../src/cli/policy/policies";
import { readRules } from "../../src/cli/policy/rule";
import { ownProvider } from "../../src/cli/stack-runs/providers";
import { apply, type Plan, plan } from "../../src/engine";
import { usePlace } from "../cli/support/place";

const policies = new Policies(readRules(rules, "policy.ts"), ownAttributes());

const project = "acme/shop";
const deploy_access_levels = [{ access_level: 40 }];
const invitation = (access_level: number) => ({
  steward_project_invitation: { ada: { project, email: "ada@example.com", access_level } },
});
const environment = (name: string, approval_rules?: readonly object[]) => ({
  steward_protected_environment: {
    it: { project, name, deploy_access_levels, ...(approval_rules && { approval_rules }) },
  },
});

const place = usePlace("each");

const options = () => ({ env: place.env, folder: place.folder, providers: [ownProvider(place)] });
const configured = (resource: object) => ({
  configuration: {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource,
  },
});
const planned = async (resource: object, more: object = {}): Promise<Plan> =>
  (await plan(configured(resource), { ...options(), ...more }).result).stacks[0]!.plan!;
const applied = async (resource: object) =>
  expect((await apply(configured(resource), options()).result).succeeded).toBe(true);

/** Returns the violations of the example's rules in a plan: severity, address and text. */
const found = (made: Plan) =>
  policies
    .violations(made, undefined)
    .map(({ severity, address, detail }) => `${severity} ${address}: ${detail}`);

test("the example policy reports an error for an invitation with a level above Maintainer", async () => {
  expect(found(await planned(invitation(40)))).toEqual([]);
  expect(found(await planned(invitation(50)))).toEqual([
    'error steward_project_invitation.ada: Policy "no level above Maintainer", project acme/shop: The invitation grants the level 50. ' +
      "Owners are appointed by the platform team, not by a merge request. Set accessLevel to 40 or less.",
  ]);
});

test("if production needs fewer than two approvals, the example policy reports an error", async () => {
  const approvals = (required_approvals: number) => [{ access_level: 40, required_approvals }];
  const said = (what: string) => [expect.stringContaining(what)];
  expect(found(await planned(environment("staging")))).toEqual([]);
  expect(found(await planned(environment("production")))).toEqual(said("production require 0 approvals."));
  expect(found(await planned(environment("production", approvals(1))))).toEqual(
    said("production require 1 approval."),
  );
  expect(found(await planned(environment("production", approvals(2))))).toEqual([]);
  await applied(environment("production", approvals(2)));
  expect(found(await planned(environment("production", [])))).toEqual(
    said("production require 0 approvals."),
  );
  expect(found(await planned({}))).toEqual(said("The protection of production is removed."));
  expect(found(await planned({}, { mode: "destroy" }))).toEqual([]);
});

test("the example policy warns if an allowlist has more than 50 entries, even if the entries do not change", async () => {
  const entry = (target_project: string) => ({ project, target_project });
  const entries = { steward_job_token_allowlist_project: { docs: entry("acme/docs") } };
  await applied(entries);
  const rest = Array.from({ length: 50 }, (_, at) => String(1000 + at));
  const listOf = (count: number): Plan["changes"][number] => ({
    address: "steward_job_token_allowlist.all",
    mode: "managed",
    type: "steward_job_token_allowlist",
    name: "all",
    provider: "registry.steward.example/steward/steward",
    action: "create",
    before: null,
    after: { project, target_projects: rest.slice(0, count), target_groups: null },
    beforeSensitive: [],
    afterSensitive: [],
    replacePaths: [],
    attributes: {},
    container: { kind: "project", name: project },
  });
  const unchanged = await planned(entries);
  expect(unchanged.changes.map(({ action }) => action)).toEqual(["no-op"]);
  const withList = (count: number) => ({ ...unchanged, changes: [listOf(count), ...unchanged.changes] });
  expect(found(withList(49))).toEqual([]);
  expect(found(withList(50))).toEqual([
    'warning steward_job_token_allowlist.all: Policy "at most 50 allowlist entries", project acme/shop: The job token allowlist has 51 ' +
      "entries. Nobody reviews a longer list; allow a group in place of its projects. Declare groups in targetGroups, and remove their projects.",
  ]);
});
