import type { AccessDeclaration, AccessRequest, ProviderDefinition } from "../../../src/framework";
import { providerOf } from "../../../src/framework";
import { DATA_SOURCES } from "../../../src/provider/data-sources";
import { steward } from "../../../src/provider/provider";
import { noticeOn } from "../support/notice";

// A change is counted only if its resource declares the access that it grants, and if the provider can evaluate this
// declaration. All other changes are reported as not counted.

/** Describes the create of a notice. The provider has one resource, with this declaration of access. */
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

test("if a resource type does not declare which access it grants, the access report lists its changes under `notCounted`", async () => {
  expect(await described(undefined)).toMatchObject({
    places: [],
    notCounted: [{ what: "steward_notice.one", why: "its type does not declare which access it grants" }],
  });
});

test("if Steward can't evaluate the kind of access that a resource grants, the report lists the changes under `notCounted`", async () => {
  expect(await described({ grants: "entrance" })).toMatchObject({
    places: [],
    notCounted: [
      { what: "steward_notice.one", why: "entrance of a project is not evaluated by this release" },
    ],
  });
});

test("if a provider does not evaluate access, the access report lists changes of the provider's resources under `notCounted`", async () => {
  expect(await described({ grants: "entrance" }, { describeAccess: undefined as never })).toEqual({
    places: [],
    notCounted: [{ what: "steward_notice.one", why: "its provider does not evaluate access" }],
  });
});

test("the access report omits changes of a resource that grants no access", async () => {
  for (const more of [{}, { describeAccess: undefined as never }])
    expect(await described({ grants: "nothing" }, more)).toMatchObject({ places: [], notCounted: [] });
});
