import { readData } from "../support/data-sources";
import { FIXTURE, PROJECT, startWorld, TOKEN, useWorld } from "../support/world";

const world = useWorld();
const read = (project: string, token?: string) => readData(world(), "steward_pages", { project }, token);

test("the data source shows every field, deployments included, to who has the Maintainer role", async () => {
  const { attributes, diagnostics } = await read("acme/web");
  expect(diagnostics).toEqual([]);
  expect(attributes).toEqual({
    project: "acme/web",
    ...((await world().http("GET", `/projects/${PROJECT.web}/pages`)) as object),
  });
  expect(attributes).toMatchObject({
    is_unique_domain_enabled: false,
    force_https: true,
    primary_domain: null,
    deployments: [
      { path_prefix: "", root_directory: null },
      { path_prefix: "next", root_directory: null },
    ],
  });
});

test("a project where nothing was published has no deployments, and settings all the same", async () => {
  expect((await read("acme/tools")).attributes).toMatchObject({ deployments: [], force_https: true });
});

test("a project that can't be seen is told from an instance where Pages is off", async () => {
  for (const answer of [await read("acme/nowhere"), await read("acme/web", TOKEN.outsider)]) {
    expect(answer).toMatchObject({ diagnostics: [{ code: "reference_not_found", attribute: ["project"] }] });
  }
  const off = await startWorld({ ...FIXTURE, instance: { pages_enabled: false } });
  const answer = await readData(off, "steward_pages", { project: "acme/web" });
  expect(answer).toMatchObject({ diagnostics: [{ code: "record_not_found", attribute: ["project"] }] });
  expect(answer.diagnostics[0]!.detail).toContain("Pages is disabled on the instance");
  await off.close();
});
