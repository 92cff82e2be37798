import { readData } from "../support/data-sources";
import { GROUP, useWorld } from "../support/world";

const world = useWorld();
const read = (group: string) => readData(world(), "steward_group", { group });

test("a group is found by path or id, with an id and a parent that can be passed on", async () => {
  const byPath = await read("acme/platform");
  expect(byPath).toEqual({
    diagnostics: [],
    attributes: {
      group: "acme/platform",
      id: "12",
      name: "platform",
      path: "platform",
      full_path: "acme/platform",
      web_url: `${world().service.url}/groups/acme/platform`,
      parent: "acme",
    },
  });
  const byId = await read(String(GROUP.platform));
  expect(byId.attributes).toEqual({ ...byPath.attributes, group: "12" });
});

test("a top-level group has no parent", async () => {
  expect((await read("acme")).attributes!["parent"]).toBeNull();
});

test("one that is not there is an error with the attribute", async () => {
  expect(await read("acme/nowhere")).toMatchObject({
    diagnostics: [{ severity: "error", code: "reference_not_found", attribute: ["group"] }],
  });
});
