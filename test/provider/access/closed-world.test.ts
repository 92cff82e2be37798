import type { AccessDeclaration, AccessRequest, ProviderDefinition } from "../../../src/framework";
import { providerOf } from "../../../src/framework";
import { DATA_SOURCES } from "../../../src/provider/data-sources";
import { steward } from "../../../src/provider/provider";
import { noticeOn } from "../support/notice";

// Access is a closed world: a change counts only if its resource declares a grant that the provider evaluates.

/** Describes a created notice of a provider whose only resource declares this access. */
async function described(access: AccessDeclaration | undefined, more: Partial<ProviderDefinition> = {}) {
  const { access: _, ...notice } = noticeOn(new Map(), []);
  const resource = { ...notice, ...(access && { access }) };
  const definition = { ...steward, resources: [resource], dataSources: DATA_SOURCES, ...more };
  const { provider } = providerOf(definition as ProviderDefinition).configure(
    { base_url: "https://git.example.com", token: "t" },
    {},
  );
  const type = "steward_notice";
  const request: AccessRequest = {
    ...{ type, address: `${type}.one`, prior: undefined },
    planned: { attributes: { project: "1", title: "x" } },
    config: { project: "1", title: "x" },
  };
  return provider!.describeAccess!([request], {});
}

test("changes of a resource without a declaration about access are listed as not counted", async () => {
  expect(await described(undefined)).toMatchObject({
    places: [],
    notCounted: [{ what: "steward_notice.one", why: "its type does not declare which access it grants" }],
  });
});

test("changes of a resource with an unknown kind of access are listed as not counted", async () => {
  expect(await described({ grants: "entrance" })).toMatchObject({
    places: [],
    notCounted: [
      { what: "steward_notice.one", why: "entrance of a project is not evaluated by this release" },
    ],
  });
});

test("a provider that evaluates no access lists changes of a resource with access as not counted", async () => {
  expect(await described({ grants: "entrance" }, { describeAccess: undefined as never })).toEqual({
    places: [],
    notCounted: [{ what: "steward_notice.one", why: "its provider does not evaluate access" }],
  });
});

test("changes of a resource that grants no access are left out", async () => {
  for (const more of [{}, { describeAccess: undefined as never }])
    expect(await described({ grants: "nothing" }, more)).toMatchObject({ places: [], notCounted: [] });
});
