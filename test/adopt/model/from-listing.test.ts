import { fromListing } from "../../../src/adopt";
import { importIdOf } from "../../../src/adopt/model/live-settings";
import { listLive } from "../../../src/engine";
import { FIXTURE, useWorld } from "../../provider/support/world";

const world = useWorld({
  ...FIXTURE,
  projects: [
    ...FIXTURE.projects!,
    {
      path: "acme/platform/tool",
      id: 50,
      protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
      container_rules: [{ repository_path_pattern: "acme/tool*", minimum_access_level_for_push: "owner" }],
    },
  ],
});

const adopted = async (...names: string[]) => {
  const { provider } = world();
  return fromListing(
    await listLive(provider, world().connect(), { names, contents: "none" }),
    provider.schema,
  );
};

test("if the schema refuses a live value, adopt lists the object as not declarable, with the reason", async () => {
  const run = world().connect();
  const odd = {
    ...run,
    listResource: async (request: Parameters<typeof run.listResource>[0]) => {
      const answer = await run.listResource(request);
      const objects = answer.objects.map((one) => ({ ...one, undeclarable: "name: It is odd. Rename it." }));
      return request.type === "steward_protected_environment" ? { ...answer, objects } : answer;
    },
  };
  const listing = await listLive(world().provider, odd, { names: ["acme/platform/tool"], contents: "none" });
  const [container] = fromListing(listing, world().provider.schema).containers;
  expect(container!.undeclarable).toEqual([
    { what: 'protected environment "production"', why: "name: It is odd. Rename it" },
  ]);
  expect(container!.objects.map(({ id }) => id)).not.toContain("50:production");
});

test("if the token may not list an object type, adopt reports the type as not declarable, with the reason", async () => {
  const { containers } = await adopted("acme");
  expect(containers).toMatchObject([
    {
      kind: "group",
      objects: [],
      undeclarable: [
        { what: "all objects of type steward_group_invitation", why: "this token may not list them" },
      ],
    },
  ]);
});

it.each([
  ["acme/web", "7:production", undefined, "acme/web:production"],
  ["acme/web", "7", undefined, "acme/web"],
  ["2024", "7:production", undefined, "7:production"],
  ["acme/web", "7:${x}", undefined, "acme/web:$${x}"],
  ["acme/web", "7:ada@example.com", "${var.emails}", "acme/web:${var.emails}"],
])(
  "the import ID for the path %s and id %s begins with the path unless the path is a number",
  (path, id, key, expected) => {
    const object = {
      type: "steward_protected_environment",
      id,
      attributes: {},
      defaults: [],
      isDefault: false,
    };
    const container = { kind: "group", id: 7, path, objects: [object], undeclarable: [] };
    expect(importIdOf(container, object, key)).toBe(expected);
  },
);
