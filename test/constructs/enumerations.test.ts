import * as constructs from "../../src/constructs";
import { AccessLevel, ContainerAccessLevel, GroupInheritanceType } from "../../src/constructs";
import { createProvider } from "../../src/provider";
import { type Attributes, isNested } from "../../src/schema";

/** Every attribute that takes named values, with its path. */
function* named(
  attributes: Attributes,
  path: string,
): Generator<{ path: string; attribute: Attributes[string] }> {
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.text.values !== undefined) yield { path: `${path}.${name}`, attribute };
    if (isNested(attribute.type)) yield* named(attribute.type.nested, `${path}.${name}`);
  }
}

const taking = Object.entries(createProvider().schema.resources).flatMap(([type, { attributes }]) => [
  ...named(attributes, type),
]);

describe("levels have names", () => {
  it("those of the specification", () => {
    const names = Object.entries(AccessLevel).filter(([, value]) => typeof value === "number");
    expect(Object.fromEntries(names)).toEqual({
      NO_ACCESS: 0,
      MINIMAL_ACCESS: 5,
      GUEST: 10,
      PLANNER: 15,
      REPORTER: 20,
      DEVELOPER: 30,
      MAINTAINER: 40,
      OWNER: 50,
      ADMIN: 60,
    });
    expect(ContainerAccessLevel).toEqual({ MAINTAINER: "maintainer", OWNER: "owner", ADMIN: "admin" });
    expect(GroupInheritanceType).toMatchObject({ DIRECT: 0, INHERITED: 1 });
  });

  it("of every attribute that has a few values, and of no other", () => {
    expect(taking.map(({ path }) => path).sort()).toEqual([
      "steward_container_protection_rule.minimum_access_level_for_delete",
      "steward_container_protection_rule.minimum_access_level_for_push",
      "steward_group_invitation.access_level",
      "steward_project_invitation.access_level",
      "steward_protected_environment.approval_rules.access_level",
      "steward_protected_environment.approval_rules.group_inheritance_type",
      "steward_protected_environment.deploy_access_levels.access_level",
      "steward_protected_environment.deploy_access_levels.group_inheritance_type",
    ]);
  });

  it.each(taking)("$path takes each of them, and refuses another", ({ attribute: { text } }) => {
    const { name, members } = text.values!;
    const exported = (constructs as unknown as Record<string, Record<string, unknown>>)[name]!;
    for (const { name, value } of members) {
      expect(exported[name]).toBe(value);
      expect(text.check!(value)).toBeUndefined();
    }
    expect(text.check!(35)).toMatch(/^35 is not one of /);
  });
});
