import type { MoveRequest, StoredState } from "../../src/framework/protocol/protocol";
import { PROVIDER_NAME } from "../../src/provider";
import { MOVES } from "../../src/provider/moves";
import type { ValueObject } from "../../src/schema";
import { appliedBy } from "./samples";
import { GO_PROVIDER, GO_STATES, type GoState } from "./support/go-states";
import { PROJECT, startWorld, TOKEN, type World } from "./support/world";

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const requestOf = ({ from, schemaVersion, to }: GoState, sourceState: ValueObject): MoveRequest => ({
  sourceType: from,
  sourceProvider: GO_PROVIDER,
  sourceVersion: schemaVersion,
  sourceState,
  type: to,
});
const whole = ({ to, config }: GoState): ValueObject => ({
  ...Object.fromEntries(
    Object.keys(world.provider.schema.resources[to]!.attributes).map((name) => [name, null]),
  ),
  ...config,
});
async function moved(sample: GoState): Promise<StoredState> {
  const { state, diagnostics } = world.provider.moveResource(
    requestOf(sample, await sample.make(world.http)),
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return state!;
}
const errorsOf = (request: MoveRequest) => {
  const { state, diagnostics } = world.provider.moveResource(request);
  expect(state).toBeUndefined();
  return diagnostics;
};

const wayOf = (from: string, to: string) => `${from} to ${to}`;
test("go-states.yaml contains a sample state for each resource type that can move from the Go provider to Steward", () => {
  const ways = MOVES.flatMap(({ from, to }) =>
    Object.keys(to).map((type) => wayOf(from, `${PROVIDER_NAME}_${type}`)),
  );
  const tried = new Set(Object.values(GO_STATES).map(({ from, to }) => wayOf(from, to)));
  expect([...tried].sort()).toEqual(ways.sort());
});

describe.each(Object.entries(GO_STATES))("%s of the Go provider", (_what, sample) => {
  test("after a move and one read, the plan of the moved object has no change", async () => {
    const state = await moved(sample);
    const client = world.connect();
    const read = await client.readResource({ type: sample.to, state });
    const { state: imported } = await client.importResource({ type: sample.to, id: sample.id });
    expect(read).toMatchObject({ diagnostics: [], state: { attributes: { id: sample.id } } });
    const { planned, diagnostics } = await client.planResource({
      type: sample.to,
      prior: read.state,
      config: whole(sample),
    });
    expect({ planned: planned?.attributes, diagnostics }).toEqual({
      planned: read.state!.attributes,
      diagnostics: [],
    });
    const plannedOfImported = await client.planResource({
      type: sample.to,
      prior: imported,
      config: whole(sample),
    });
    expect(plannedOfImported.requiresReplace).toEqual([]);
  });

  test("before the first read, the plan of a moved state contains no replacement", async () => {
    const state = await moved(sample);
    const client = world.connect(appliedBy(sample.to));
    const { planned, requiresReplace, diagnostics } = await client.planResource({
      type: sample.to,
      prior: state,
      config: whole(sample),
    });
    expect({ requiresReplace, diagnostics }).toEqual({ requiresReplace: [], diagnostics: [] });
    expect(planned!.attributes["id"]).toBe(sample.id);
    const destroyed = await client.applyResource({
      type: sample.to,
      prior: state,
      planned: undefined,
      config: undefined,
    });
    expect(destroyed).toEqual({ diagnostics: [] });
  });
});

describe("moves that the provider accepts or refuses", () => {
  const entry = GO_STATES["an entry of a group"]!;
  const entryState = { id: "1:group:12", project: "1", target_project_id: null, target_group_id: 12 };

  test("the state of an allowlist entry for a group can't move to the resource for projects", () => {
    const request = { ...requestOf(entry, entryState), type: "steward_job_token_allowlist_project" };
    expect(errorsOf(request)).toMatchObject([
      {
        code: "move_source_unreadable",
        detail: expect.stringContaining("steward_job_token_allowlist_group"),
      },
    ]);
  });

  test("a move from gitlab_project or to steward_project_invitation is refused, because these types have no counterpart", () => {
    const request = requestOf(entry, entryState);
    expect(errorsOf({ ...request, sourceType: "gitlab_project" })).toMatchObject([
      { code: "move_not_supported", detail: expect.stringContaining("gitlab_project_job_token_scope") },
    ]);
    expect(errorsOf({ ...request, type: "steward_project_invitation" })).toMatchObject([
      { code: "move_not_supported", detail: expect.stringContaining("accepts no other types") },
    ]);
  });

  test("the provider refuses a move from acme/gitlab, even if the resource type has the same name", () => {
    const request = { ...requestOf(entry, entryState), sourceProvider: "registry.terraform.io/acme/gitlab" };
    expect(errorsOf(request)).toMatchObject([{ code: "move_not_supported" }]);
  });

  test("the provider accepts a move from gitlabhq/gitlab on any registry host", () => {
    const request = { ...requestOf(entry, entryState), sourceProvider: "mirror.example/gitlabhq/gitlab" };
    expect(world.provider.moveResource(request).state).toMatchObject({ attributes: { id: "1:12" } });
  });

  test("the provider refuses a move from a state with a newer schema version", () => {
    expect(errorsOf({ ...requestOf(entry, entryState), sourceVersion: 2 })).toMatchObject([
      { code: "move_source_newer", detail: expect.stringContaining("up to 1") },
    ]);
  });

  test.each([
    ["an entry of a group", { ...entryState, project: null }, "project"],
    ["an entry of a group", { ...entryState, target_group_id: "12" }, "target_group_id"],
    ["a whole allowlist", { project: "1", target_project_ids: "2" }, "target_project_ids"],
    ["a whole allowlist", { project: "1", target_project_ids: [null] }, "target_project_ids"],
    [
      "an environment, with levels in blocks",
      { project: "1", environment: "x", deploy_access_levels: [1] },
      "deploy_access_levels",
    ],
    [
      "an environment, with levels in blocks",
      { project: "1", environment: "x", deploy_access_levels: [{ access_level: "no one" }] },
      "access_level",
    ],
    [
      "a rule for container repositories",
      { project: "1", repository_path_pattern: "x" },
      "protection_rule_id",
    ],
  ])("a move from an invalid state is refused: %s %j", (what, state, attribute) => {
    expect(errorsOf(requestOf(GO_STATES[what]!, state as ValueObject))).toMatchObject([
      { code: "move_source_unreadable", detail: expect.stringContaining(attribute) },
    ]);
  });

  test("if the token can't see a moved object's project, a read and a destroy fail and keep the state", async () => {
    const type = "steward_job_token_allowlist_project";
    const state = {
      attributes: { id: "acme/gone:2", project: "acme/gone", target_project: "2", target_project_id: 2 },
    };
    const client = world.connect();
    expect(await client.readResource({ type, state })).toMatchObject({
      state,
      diagnostics: [{ code: "reference_not_found", detail: expect.stringContaining("acme/gone") }],
    });
    const destroyed = { type, prior: state, planned: undefined, config: undefined };
    expect(await client.applyResource(destroyed)).toMatchObject({
      state,
      diagnostics: [{ code: "reference_not_found" }],
    });
  });
});

describe("unsupported features of the new resource", () => {
  test("the move of an allowlist warns that the new resource does not manage whether the allowlist is on", async () => {
    const sample = GO_STATES["a whole allowlist"]!;
    const { diagnostics } = world.provider.moveResource(requestOf(sample, await sample.make(world.http)));
    expect(diagnostics).toMatchObject([
      {
        severity: "warning",
        code: "move_leaves_behind",
        detail: expect.stringMatching(/enabled = false.*steward_job_token_scope/s),
      },
    ]);
  });

  test("the move of Pages settings warns that a destroy does not restore the earlier settings", async () => {
    const sample = GO_STATES["Pages settings"]!;
    const state = { ...(await sample.make(world.http)), keep_settings_on_destroy: false };
    const { diagnostics } = world.provider.moveResource(requestOf(sample, state));
    expect(diagnostics).toMatchObject([
      {
        severity: "warning",
        code: "move_leaves_behind",
        detail: expect.stringContaining("keep_settings_on_destroy"),
      },
    ]);
  });

  test("if the Go provider's state of an allowlist lacks `project`, the moved state has the numeric id of the project", () => {
    const { state } = world.provider.moveResource(
      requestOf(GO_STATES["a whole allowlist"]!, {
        id: "1",
        project_id: PROJECT.web,
        target_project_ids: [],
      }),
    );
    expect(state!.attributes).toEqual({ id: "1", project: "1", target_projects: [], target_groups: [] });
  });

  test("a move accepts an environment's state that has lists instead of blocks", () => {
    const { state } = world.provider.moveResource(
      requestOf(GO_STATES["an environment, with levels in blocks"]!, {
        id: "1:live",
        project: "1",
        environment: "live",
        required_approval_count: 0,
        deploy_access_levels: [
          { access_level: "developer", access_level_description: "", user_id: 21, group_id: 0 },
        ],
      }),
    );
    expect(state!.attributes).toMatchObject({
      deploy_access_levels: [{ user: "21", group: null, access_level: null, group_inheritance_type: 0 }],
      approval_rules: [],
    });
  });
});

test("no message about a move contains a token", () => {
  const sourceState = { project: TOKEN.maintainer, target_project_id: "x" };
  const said = errorsOf(requestOf(GO_STATES["an entry, by ids"]!, sourceState));
  expect(JSON.stringify(said)).not.toContain(TOKEN.maintainer);
});
