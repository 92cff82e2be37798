import { listed, readData } from "../support/data-sources";
import { FIXTURE, PROJECT, useWorld } from "../support/world";

const MANY = 130;
const world = useWorld({
  ...FIXTURE,
  projects: FIXTURE.projects!.map((project) =>
    project.path === "acme/web"
      ? {
          ...project,
          container_rules: Array.from({ length: MANY }, (_, index) => ({
            repository_path_pattern: `acme/web/${index}`,
            ...(index % 2 === 0
              ? { minimum_access_level_for_push: "admin" as const }
              : { minimum_access_level_for_delete: "owner" as const }),
          })),
        }
      : project,
  ),
});

test("the data source shows every field of every rule, over all pages, and a level that is not set as null", async () => {
  const rules = await listed(world(), "steward_container_protection_rules", "rules", { project: "acme/web" });
  expect(rules).toHaveLength(MANY);
  expect(rules.slice(0, 2)).toEqual([
    {
      id: 1,
      project_id: PROJECT.web,
      repository_path_pattern: "acme/web/0",
      minimum_access_level_for_push: "admin",
      minimum_access_level_for_delete: null,
    },
    {
      id: 2,
      project_id: PROJECT.web,
      repository_path_pattern: "acme/web/1",
      minimum_access_level_for_push: null,
      minimum_access_level_for_delete: "owner",
    },
  ]);
});

test("a project that is not there is an error with the attribute", async () => {
  expect(
    await readData(world(), "steward_container_protection_rules", { project: "acme/nowhere" }),
  ).toMatchObject({ diagnostics: [{ code: "reference_not_found", attribute: ["project"] }] });
});
