import type { ValueObject } from "../../../src/schema";
import { listed, readData } from "../support/data-sources";
import { FIXTURE, PROJECT, useWorld } from "../support/world";

const type = "steward_projects";
const world = useWorld({
  ...FIXTURE,
  projects: [
    ...FIXTURE.projects!,
    { path: "acme/platform/billing", id: 30, topics: ["service"] },
    { path: "acme/orders", id: 31, topics: ["service"] },
  ],
});
const paths = async (given: ValueObject) =>
  (await listed(world(), type, "projects", given)).map((project) => project["full_path"]).sort();

test("each is what the data source project gives, with a number for an id", async () => {
  const projects = await listed(world(), type, "projects", { search: "docs" });
  const { attributes } = await readData(world(), "steward_project", { project: "acme/docs" });
  const { project: _, ...one } = attributes!;
  expect(projects).toEqual([{ ...one, id: PROJECT.docs }]);
});

test("the projects of a group are listed, with its subgroups on request", async () => {
  expect(await paths({ group: "acme", search: "billing" })).toEqual([]);
  expect(await paths({ group: "acme", include_subgroups: true, search: "billing" })).toEqual([
    "acme/platform/billing",
  ]);
  expect(await paths({ group: "12" })).toEqual(["acme/platform/billing"]);
});

test("projects are found by topic, in all that the token sees", async () => {
  expect(await paths({ topic: "service" })).toEqual(["acme/orders", "acme/platform/billing"]);
});

test("archived ones alone, or without them, or both", async () => {
  expect(await paths({ group: "acme", archived: true })).toEqual(["acme/archived"]);
  const others = await paths({ group: "acme", archived: false });
  expect(others).not.toContain("acme/archived");
  expect(others).toContain("acme/web");
  expect(await paths({ group: "acme" })).toHaveLength(others.length + 1);
});

test("a group that is not there is an error with the attribute", async () => {
  expect(await readData(world(), type, { group: "acme/nowhere" })).toMatchObject({
    diagnostics: [{ severity: "error", code: "reference_not_found", attribute: ["group"] }],
  });
});

test("include_subgroups without a group is told before anything is sent", async () => {
  expect(await readData(world(), type, { include_subgroups: true })).toMatchObject({
    diagnostics: [{ severity: "error", code: "invalid_value", attribute: ["include_subgroups"] }],
  });
  expect(world().service.requests.count()).toBe(0);
});
