import { Host, type Planned } from "../support/host";
import { GROUP, PROJECT, useWorld } from "../support/world";

// One group on a project's allowlist, beside whatever else is on it.

const world = useWorld();
const type = "steward_job_token_allowlist_group";
const entry = () => new Host(world(), type);
const whole = () => new Host(world(), "steward_job_token_allowlist");
const project = () => new Host(world(), "steward_job_token_allowlist_project");
const at = "/projects/1/job_token_scope/groups_allowlist";
const codes = ({ diagnostics }: Planned) => diagnostics.map(({ code }) => code);

const config = { project: "acme/web", target_group: "acme/platform" };

test("it leaves all others alone, and a project of the same number is another thing", async () => {
  await world().http("POST", at, { target_group_id: GROUP.approvers });
  const state = await entry().bring(undefined, config);
  expect(state.attributes).toEqual({ ...config, id: "1:12", target_group_id: GROUP.platform });
  await entry().destroy(state);
  expect(await world().http("GET", at)).toMatchObject([{ id: GROUP.approvers }]);
});

test("an imported entry has the full path of its group, also of one far down", async () => {
  const deep = (await world().http("POST", "/groups", {
    name: "deep",
    path: "deep-er.1",
    parent_id: GROUP.platform,
  })) as { id: number };
  await world().http("POST", at, { target_group_id: deep.id });
  world().service.requests.reset();
  const { attributes } = await entry().import(`1:${deep.id}`);
  expect(attributes["target_group"]).toBe("acme/platform/deep-er.1");
  // The project's path is asked for, the group's is in its entry's address.
  expect(world().service.requests.count("GET", "/groups/:id")).toBe(0);
});

test("an entry that is there already is an error with the import command", async () => {
  await world().http("POST", at, { target_group_id: GROUP.platform });
  const { state, diagnostics } = await entry().apply(await entry().plan(undefined, config));
  expect(state).toBeUndefined();
  expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
  expect(diagnostics[0]!.action).toEqual({ kind: "import", id: "1:12" });
});

test("a group that can't be found is told at plan; one that went since, with the attribute at apply", async () => {
  expect(
    (await entry().plan(undefined, { ...config, target_group: "acme/nowhere" })).diagnostics,
  ).toMatchObject([{ code: "reference_not_found", attribute: ["target_group"] }]);
  const plan = await entry().plan(undefined, config);
  await world().http("DELETE", `/groups/${GROUP.platform}`);
  expect((await entry().apply(plan)).diagnostics).toMatchObject([
    { severity: "error", code: "not_found", attribute: ["target_group"] },
  ]);
});

describe("together with other declarations of one project", () => {
  const wholeGroups = { project: "1", target_groups: ["acme/approvers"] };

  test.each(["whole first", "entry first"])("a whole set of groups, %s, is refused", async (order) => {
    const run = entry().connect();
    const plans = [
      () => whole().plan(undefined, wholeGroups, run),
      () => entry().plan(undefined, config, run),
    ];
    if (order === "entry first") plans.reverse();
    expect(codes(await plans[0]!())).toEqual([]);
    const conflict = await plans[1]!();
    expect(codes(conflict)).toEqual(["declared_twice"]);
    expect(conflict.diagnostics[0]!.detail).toContain("steward_job_token_allowlist owns all of it");
    expect(conflict.diagnostics[0]!.detail).toContain("steward_job_token_allowlist_group owns the entry 12");
  });

  test("a whole set of projects, another group, and a project of the same number live with it", async () => {
    const run = entry().connect();
    expect(codes(await entry().plan(undefined, config, run))).toEqual([]);
    expect(codes(await whole().plan(undefined, { project: "1", target_projects: [] }, run))).toEqual([]);
    expect(codes(await entry().plan(undefined, { ...config, target_group: "13" }, run))).toEqual([]);
    const elsewhere = { project: String(PROJECT.docs), target_project: "acme/tools" };
    expect(codes(await project().plan(undefined, elsewhere, run))).toEqual([]);
  });

  test("the same group twice, by path and by id, is refused", async () => {
    const run = entry().connect();
    expect(codes(await entry().plan(undefined, config, run))).toEqual([]);
    expect(codes(await entry().plan(undefined, { project: "1", target_group: "12" }, run))).toEqual([
      "declared_twice",
    ]);
  });
});
