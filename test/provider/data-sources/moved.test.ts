import { readData } from "../support/data-sources";
import { useWorld } from "../support/world";

// A path that moved is followed, and said, by data sources as by resources.

const world = useWorld();

test.each([
  "steward_project",
  "steward_pages",
  "steward_job_token_scope",
  "steward_protected_environments",
  "steward_container_protection_rules",
  "steward_project_invitations",
])("%s by an old path", async (type) => {
  const old = await readData(world(), type, { project: "acme/handbook" });
  expect(old.diagnostics).toMatchObject([
    { severity: "warning", code: "reference_moved", attribute: ["project"] },
  ]);
  expect(old.diagnostics[0]!.detail).toContain('is "acme/docs" now');
  const now = await readData(world(), type, { project: "acme/docs" });
  expect(now.diagnostics).toEqual([]);
  expect({ ...old.attributes, project: "acme/docs" }).toEqual(now.attributes);
});

test("another case of the same path is no move", async () => {
  const { diagnostics } = await readData(world(), "steward_project", { project: "Acme/Docs" });
  expect(diagnostics).toEqual([]);
});
