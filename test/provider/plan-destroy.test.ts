import type { StoredState } from "../../src/framework/protocol/protocol";
import { PROJECT, startWorld, TOKEN, type World } from "./support/world";

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const archive = () => world.http("PUT", `/projects/${PROJECT.web}`, { archived: true });
const stateOf = (attributes: StoredState["attributes"]): StoredState => ({ attributes });
const planned = (type: string, attributes: StoredState["attributes"]) =>
  world.connect(TOKEN.readOnly).planDestroy({ type, prior: stateOf(attributes) });

const entry = { id: "1:2", project: "1", target_project: "2", target_project_id: 2 };
const ENTRY = "steward_job_token_allowlist_project";

test("an object of an archived project is not destroyed, and the way to let go of it is told", async () => {
  expect(await planned(ENTRY, entry)).toEqual({ diagnostics: [] });
  await archive();
  expect(await planned(ENTRY, entry)).toMatchObject({
    diagnostics: [{ severity: "error", code: "archived_project", action: { kind: "stateRm" } }],
  });
});

test.each([
  ["a setting that destroying leaves as it is", "steward_job_token_scope", { id: "1", project: "1" }],
  ["Pages that stay published", "steward_pages_settings", { id: "1", unpublish_on_destroy: false }],
  [
    "an invitation that was accepted",
    "steward_project_invitation",
    { id: "1:maya@example.com", status: "accepted" },
  ],
])("%s may be let go of in an archived project", async (_what, type, attributes) => {
  await archive();
  expect(await planned(type, attributes)).toEqual({ diagnostics: [] });
});

test.each([
  ["Pages that shall be unpublished", "steward_pages_settings", { id: "1", unpublish_on_destroy: true }],
  ["an open invitation", "steward_project_invitation", { id: "1:maya@example.com", status: "pending" }],
])("%s may not", async (_what, type, attributes) => {
  await archive();
  expect(await planned(type, attributes)).toMatchObject({ diagnostics: [{ code: "archived_project" }] });
});

test("many objects of one project cost one look at it", async () => {
  const client = world.connect();
  world.service.requests.reset();
  for (const id of ["1:2", "1:3", "1:4"]) {
    await client.planDestroy({ type: ENTRY, prior: stateOf({ ...entry, id }) });
  }
  expect(world.service.requests.all.map(({ url }) => url)).toEqual([`/api/v4/projects/${PROJECT.web}`]);
});
