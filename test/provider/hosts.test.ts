import type { HostName } from "../../src/framework/protocol/hosts";
import { PROVIDER_NAME } from "../../src/provider";
import { RESOURCES } from "../../src/provider/registry";
import type { ValueObject } from "../../src/schema";
import { describeEvery, type Walk } from "../support/every-resource";
import { Host } from "./support/host";
import { PROJECT, TOKEN, useWorld } from "./support/world";

// What differs by who asks: the embedded engine looks into what a killed run left open, Terraform can't.

const world = useWorld();
const scope = `/projects/${PROJECT.web}/job_token_scope`;

/** Plans and applies a new object under one host. */
async function create(by: HostName, type: string, config: ValueObject) {
  const host = new Host(world(), type);
  const run = world().connect(TOKEN.maintainer, { host: by });
  return host.apply(await host.plan(undefined, config, run), run);
}

/** What says nothing but its key, and how the same comes to be there by hand. */
const ENTRIES: Walk<{ readonly config: ValueObject; readonly id: string; readonly made: [string, object] }> =
  {
    over: {
      kind: "resource that says nothing but its key",
      registered: RESOURCES.filter(({ isEntry }) => isEntry === true).map(
        ({ type }) => `${PROVIDER_NAME}_${type}`,
      ),
    },
    about: "being there already",
    file: "test/provider/hosts.test.ts",
    samples: {
      steward_job_token_allowlist_project: {
        config: { project: "acme/web", target_project: "acme/docs" },
        id: "1:4",
        made: [`${scope}/allowlist`, { target_project_id: 4 }],
      },
      steward_job_token_allowlist_group: {
        config: { project: "acme/web", target_group: "acme/platform" },
        id: "1:12",
        made: [`${scope}/groups_allowlist`, { target_group_id: 12 }],
      },
    },
  };

describeEvery(ENTRIES, (type, { config, id, made: [list, body] }) => {
  beforeEach(() => world().http("POST", list, body));

  test("that is there already, under the embedded engine is an error with the import command, as no run of it made that", async () => {
    const { state, diagnostics } = await create("steward", type, config);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: id });
  });

  test("that is there already, under Terraform is taken over, with a warning, and belongs to the state from then on", async () => {
    const { state, diagnostics } = await create("terraform", type, config);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "taken_over" }]);
    expect(diagnostics[0]!.detail).toContain(`"${id}"`);
    expect(state!.attributes["id"]).toBe(id);
    const host = new Host(world(), type);
    expect(await host.drift(state!, config)).toEqual([]);
    await host.destroy(state!);
    expect(await host.refresh(state!)).toBeUndefined();
  });
});

test("what says more than its key is never taken over, and the error names the import", async () => {
  const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
  await new Host(world(), "steward_protected_environment").bring(undefined, config);
  const { state, diagnostics } = await create("terraform", "steward_protected_environment", config);
  expect(state).toBeUndefined();
  expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
  expect(diagnostics[0]!.action).toEqual({ kind: "import", id: "1:production" });
});
