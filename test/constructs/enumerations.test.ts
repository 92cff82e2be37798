import { Fn, TerraformStack, TerraformVariable, Testing } from "cdktf";
import * as constructs from "../../src/constructs";
import {
  AccessLevel,
  AuthScheme,
  ContainerAccessLevel,
  ContainerProtectionRule,
  GroupInheritanceType,
  ProjectInvitation,
  TwoFactor,
} from "../../src/constructs";
import { createProvider } from "../../src/provider";
import { type Attributes, isNested } from "../../src/schema";

/** Yields every attribute with named values, and its path. */
function* named(
  attributes: Attributes,
  path: string,
): Generator<{ path: string; attribute: Attributes[string] }> {
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.text.values !== undefined) yield { path: `${path}.${name}`, attribute };
    if (isNested(attribute.type)) yield* named(attribute.type.nested, `${path}.${name}`);
  }
}

const { schema } = createProvider();
const taking = [
  ...named(schema.provider.attributes, "provider"),
  ...[schema.resources, schema.dataSources].flatMap((schemas) =>
    Object.entries(schemas).flatMap(([type, { attributes }]) => [...named(attributes, type)]),
  ),
];

describe("levels have names", () => {
  it("each enumeration, such as AccessLevel, has the names and values in this test and no others", () => {
    expect(AccessLevel).toEqual({
      NO_ACCESS: 0,
      MINIMAL_ACCESS: 5,
      GUEST: 10,
      PLANNER: 15,
      REPORTER: 20,
      SECURITY_MANAGER: 25,
      DEVELOPER: 30,
      MAINTAINER: 40,
      OWNER: 50,
      ADMIN: 60,
    });
    expect(ContainerAccessLevel).toEqual({ MAINTAINER: "maintainer", OWNER: "owner", ADMIN: "admin" });
    expect(GroupInheritanceType).toEqual({ DIRECT: 0, INHERITED: 1 });
    expect(AuthScheme).toEqual({ PRIVATE_TOKEN: "private-token", BEARER: "bearer" });
    expect(TwoFactor).toEqual({ ENABLED: "enabled", DISABLED: "disabled" });
  });

  it.each(taking)(
    "$path accepts each value of its enumeration, and refuses any other value",
    ({ attribute: { text } }) => {
      const { name, members } = text.values!;
      const exported = (constructs as unknown as Record<string, Record<string, unknown>>)[name]!;
      for (const { name, value } of members) {
        expect(exported[name]).toBe(value);
        expect(text.check!(value)).toBeUndefined();
      }
      expect(text.check!(typeof members[0]!.value === "number" ? 35 : "other")).toBeDefined();
    },
  );
});

describe("tokens instead of a value of an enumeration", () => {
  it("a variable, a function or a reference as an access level becomes an expression in the synthesized stack", () => {
    const stack = new TerraformStack(Testing.app(), "shop");
    const variable = new TerraformVariable(stack, "level", {});
    const project = "acme/web-shop";
    const ada = new ProjectInvitation(stack, "ada", {
      project,
      email: "ada@example.com",
      accessLevel: AccessLevel.fromToken(variable.numberValue),
    });
    new ProjectInvitation(stack, "devon", { project, user: "devon", accessLevel: ada.accessLevel });
    new ProjectInvitation(stack, "oskar", {
      project,
      user: "oskar",
      accessLevel: AccessLevel.fromToken(Fn.max([20, 30]) as number),
    });
    new ContainerProtectionRule(stack, "images", {
      project,
      repositoryPathPattern: "acme/web-shop/*",
      minimumAccessLevelForPush: ContainerAccessLevel.fromToken(variable.stringValue),
      minimumAccessLevelForDelete: ContainerAccessLevel.fromToken("${var.level}"),
    });
    const { resource } = JSON.parse(Testing.synth(stack)) as {
      resource: Readonly<Record<string, Readonly<Record<string, object>>>>;
    };
    expect(resource["steward_project_invitation"]).toMatchObject({
      ada: { access_level: "${var.level}" },
      devon: { access_level: "${steward_project_invitation.ada.access_level}" },
      oskar: { access_level: "${max(20, 30)}" },
    });
    expect(resource["steward_container_protection_rule"]).toMatchObject({
      images: {
        minimum_access_level_for_push: "${var.level}",
        minimum_access_level_for_delete: "${var.level}",
      },
    });
  });

  it("AccessLevel.fromToken accepts the level 30, and refuses the number 35, which is not a level", () => {
    const level: number = JSON.parse("30");
    expect(AccessLevel.fromToken(level)).toBe(30);
    expect(() => AccessLevel.fromToken(35)).toThrow(
      "35 is neither a token nor a value of AccessLevel. " +
        "Use a reference, a variable's value, or one of 0, 5, 10, 15, 20, 25, 30, 40, 50, 60.",
    );
    expect(() => ContainerAccessLevel.fromToken("developer")).toThrow(
      '"developer" is neither a token nor a value of ContainerAccessLevel.',
    );
  });
});
