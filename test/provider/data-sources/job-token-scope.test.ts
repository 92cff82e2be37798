import { readData } from "../support/data-sources";
import { FIXTURE, GROUP, PROJECT, TOKEN, useWorld } from "../support/world";

const world = useWorld({
  ...FIXTURE,
  projects: FIXTURE.projects!.map((project) =>
    project.path === "acme/web"
      ? { ...project, job_token_scope: { projects: ["acme/tools", "acme/docs"], groups: ["acme/platform"] } }
      : project,
  ),
});
const at = `/projects/${PROJECT.web}/job_token_scope`;
const read = (project: string, token?: string) =>
  readData(world(), "steward_job_token_scope", { project }, token);

test("the data source shows the settings, and every field of both allowlists under the API's own names", async () => {
  const { attributes, diagnostics } = await read("acme/web");
  expect(diagnostics).toEqual([]);
  const allowed = (await world().http("GET", `${at}/allowlist`)) as readonly { id: number }[];
  expect(attributes).toEqual({
    project: "acme/web",
    inbound_enabled: true,
    outbound_enabled: false,
    projects: allowed.filter(({ id }) => id !== PROJECT.web),
    groups: await world().http("GET", `${at}/groups_allowlist`),
  });
  expect(attributes!["projects"]).toMatchObject([
    { id: PROJECT.tools, path_with_namespace: "acme/tools", namespace: { full_path: "acme" } },
    { id: PROJECT.docs },
  ]);
  expect(attributes!["groups"]).toMatchObject([{ id: GROUP.platform, name: "platform" }]);
});

test("the project itself is always on its allowlist, and never shown, by id or path", async () => {
  for (const project of ["acme/tools", String(PROJECT.tools)]) {
    expect((await read(project)).attributes).toMatchObject({ project, projects: [], groups: [] });
  }
});

test("a project that can't be seen is an error with the attribute", async () => {
  for (const answer of [await read("acme/nowhere"), await read("acme/web", TOKEN.outsider)]) {
    expect(answer).toMatchObject({
      diagnostics: [{ severity: "error", code: "reference_not_found", attribute: ["project"] }],
    });
  }
});
