import type { HostName } from "../../src/framework/protocol/connection";
import { PROVIDER_NAME } from "../../src/provider";
import { RESOURCES } from "../../src/provider/registry";
import type { ValueObject } from "../../src/schema";
import { containerOf, ENTRIES, placeOf } from "./samples";
import { crowdOfGroups, crowdOfProjects } from "./support/crowd";
import { Host } from "./support/host";
import { FIXTURE, PROJECT, TOKEN, useWorld } from "./support/world";

// What differs by who asks: the embedded engine looks into what a killed run left open, Terraform can't.

const world = useWorld({
  ...FIXTURE,
  groups: [...FIXTURE.groups!, ...crowdOfGroups(1)],
  projects: [...FIXTURE.projects!, ...crowdOfProjects(1)],
});

/** Plans and applies a new object under one host. */
async function create(by: HostName, type: string, config: ValueObject) {
  const host = new Host(world(), type);
  const run = world().connect(TOKEN.maintainer, { host: by });
  return host.apply(await host.plan(undefined, config, run), run);
}

/** What says nothing but its key. */
const ONLY_A_KEY = ENTRIES.filter(([type]) =>
  RESOURCES.some((one) => one.isEntry === true && `${PROVIDER_NAME}_${one.type}` === type),
);

describe.each(ONLY_A_KEY)("%s", (type, entries) => {
  const config = { [containerOf(type)]: "acme/web", ...entries.config(0) };
  const id = `${PROJECT.web}:${entries.key(0, 1)}`;
  beforeEach(async () => {
    const [path, body] = entries.make(0);
    await world().http("POST", `${placeOf(type)}/${path}`, body);
  });

  test("an entry that is there already is an error under the embedded engine, with the import command, as no run of it made that", async () => {
    const { state, diagnostics } = await create("steward", type, config);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: id });
  });

  test("an entry that is there already is taken over under Terraform, with a warning, and belongs to the state from then on", async () => {
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
