import { listed, readData } from "../support/data-sources";
import { FIXTURE, PROJECT, TOKEN, USER, useWorld } from "../support/world";

const world = useWorld({
  ...FIXTURE,
  projects: FIXTURE.projects!.map((project) =>
    project.path === "acme/web"
      ? {
          ...project,
          protected_environments: [
            { name: "staging", deploy_access_levels: [{ access_level: 30 }] },
            {
              name: "review/apps *",
              deploy_access_levels: [{ user: "devon" }],
              approval_rules: [{ group: "acme/approvers", required_approvals: 2, group_inheritance_type: 1 }],
              required_approval_count: 3,
            },
          ],
        }
      : project,
  ),
});
const at = `/projects/${PROJECT.web}/protected_environments`;
const one = (project: string, name: string, token?: string) =>
  readData(world(), "steward_protected_environment", { project, name }, token);

test("all: as the API shows them, with the records' ids and descriptions", async () => {
  const environments = await listed(world(), "steward_protected_environments", "environments", {
    project: "acme/web",
  });
  expect(environments).toEqual(await world().http("GET", at));
  expect(environments).toMatchObject([
    { name: "review/apps *", required_approval_count: 3 },
    {
      name: "staging",
      deploy_access_levels: [
        {
          id: expect.any(Number) as number,
          access_level: 30,
          access_level_description: expect.any(String) as string,
        },
      ],
    },
  ]);
});

test("all of a project that has none: an empty list", async () => {
  expect(
    await listed(world(), "steward_protected_environments", "environments", { project: "acme/docs" }),
  ).toEqual([]);
});

test("one, whatever stands in its name", async () => {
  const { attributes } = await one("acme/web", "review/apps *");
  expect(attributes).toEqual({
    project: "acme/web",
    ...((await world().http("GET", `${at}/${encodeURIComponent("review/apps *")}`)) as object),
  });
  expect(attributes).toMatchObject({
    deploy_access_levels: [{ user_id: USER.devon, group_id: null }],
    approval_rules: [{ required_approvals: 2, group_inheritance_type: 1 }],
  });
});

test("one that is not protected is an error with the name; a project that is not there, with the project", async () => {
  const noName = await one("acme/web", "production");
  expect(noName).toMatchObject({ diagnostics: [{ code: "record_not_found", attribute: ["name"] }] });
  expect(noName.diagnostics[0]!.detail).toContain('"production"');
  expect(await one("acme/nowhere", "staging")).toMatchObject({
    diagnostics: [{ code: "reference_not_found", attribute: ["project"] }],
  });
  expect(await one("acme/web", "staging", TOKEN.outsider)).toMatchObject({
    diagnostics: [{ code: "reference_not_found", attribute: ["project"] }],
  });
  expect(
    await readData(world(), "steward_protected_environments", { project: "acme/nowhere" }),
  ).toMatchObject({ diagnostics: [{ code: "reference_not_found", attribute: ["project"] }] });
});

test("an empty name is refused before anything is asked", () => {
  expect(
    world().provider.validateDataSource("steward_protected_environment", {
      project: "acme/web",
      name: "",
    }),
  ).toMatchObject([{ code: "invalid_value", attribute: ["name"] }]);
});
