import { createProvider } from "../../src/provider";
import {
  type Attribute,
  type Attributes,
  computed,
  configOnly,
  managed,
  optional,
  optionalComputed,
  required,
} from "../../src/schema";
import { schemaJson, wireAttribute, wireFlags, wireType } from "../../src/schema/schema";

const description = "What it is.";

describe("Terraform's flags of an attribute", () => {
  test.each<[string, Attribute, string]>([
    ["required", required.string({ description }), "required"],
    ["optionalComputed", optionalComputed.string({ description }), "optional computed"],
    ["optional", optional.string({ description }), "optional"],
    ["optional with a default", optional.string({ description, default: "x" }), "optional computed"],
    ["managed", managed.setOfStrings({ description }), "optional"],
    ["configOnly", configOnly.string({ description }), "optional"],
    ["computed", computed.string({ description }), "computed"],
  ])("the kind of an attribute decides Terraform's flags: %s", (_, attribute, flags) => {
    const names = Object.entries(wireFlags(attribute))
      .filter(([, isSet]) => isSet)
      .map(([name]) => name);
    expect(names.join(" ")).toBe(flags);
  });
});

describe("the schema for Terraform", () => {
  test("the type of a set for Terraform contains the types of the set's nested attributes", () => {
    expect(wireType(required.reference("user", { description }).type)).toBe("string");
    expect(wireType(managed.setOfReferences("project", { description }).type)).toEqual(["set", "string"]);
    const nested = required.setOf(
      { b: optional.number({ description }), a: optional.listOfStrings({ description }) },
      { description },
    );
    expect(wireType(nested.type)).toEqual(["set", ["object", { a: ["list", "string"], b: "number" }]]);
    expect(wireAttribute(nested)).toEqual({
      nested_type: {
        attributes: {
          a: { type: ["list", "string"], description, description_kind: "markdown", optional: true },
          b: { type: "number", description, description_kind: "markdown", optional: true },
        },
        nesting_mode: "set",
      },
      description,
      description_kind: "markdown",
      required: true,
    });
  });

  test("the schema for Terraform contains the flags `deprecated` and `sensitive` of an attribute", () => {
    const old = computed.bool({ description, deprecated: "it goes in release 18.0." });
    expect(wireAttribute(old)).toMatchObject({
      deprecated: true,
      description: "What it is. Deprecated: it goes in release 18.0.",
    });
    expect(wireAttribute(optional.string({ description, sensitive: true }))).toMatchObject({
      sensitive: true,
    });
  });
});

describe("the whole schema", () => {
  const { provider_schemas: schemas } = schemaJson(createProvider().schema);
  const ours = schemas["registry.steward.example/steward/steward"]!;

  test("the schema contains every registered resource and data source, with the resources sorted by name", () => {
    const names = Object.keys(ours.resource_schemas);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(Object.keys(createProvider().schema.resources).sort());
    expect(Object.keys(ours.data_source_schemas).sort()).toEqual(
      Object.keys(createProvider().schema.dataSources).sort(),
    );
  });

  test("the schema describes the identity of every resource in Terraform's form", () => {
    expect(Object.keys(ours.resource_identity_schemas)).toEqual(Object.keys(ours.resource_schemas));
    expect(ours.resource_identity_schemas["steward_container_protection_rule"]).toEqual({
      version: 0,
      attributes: {
        project: {
          type: "string",
          description: "The numeric id of the project. An import also accepts its full path.",
          required_for_import: true,
        },
        rule_id: {
          type: "number",
          description: "The value of the attribute `rule_id`.",
          required_for_import: true,
        },
      },
    });
    expect(ours.resource_identity_schemas["steward_group_invitation"]!.attributes["user"]).toEqual({
      type: "string",
      description:
        "The numeric id of the user. An import also accepts its path. Exactly one of `email` and `user` is set.",
      optional_for_import: true,
    });
  });

  test("the schema marks the provider's token as sensitive", () => {
    expect(ours.provider.block.attributes["token"]).toMatchObject({ sensitive: true, optional: true });
    for (const { block } of Object.values(ours.resource_schemas)) {
      expect(block.attributes["id"]).toMatchObject({ type: "string", computed: true });
    }
  });

  const all = (attributes: Attributes, at: string): [string, Attribute][] =>
    Object.entries(attributes).flatMap(([name, attribute]): [string, Attribute][] => [
      [`${at}.${name}`, attribute],
      ...("nested" in attribute.type ? all(attribute.type.nested, `${at}.${name}`) : []),
    ]);
  const { provider, resources, dataSources } = createProvider().schema;
  const everything = [
    ...all(provider.attributes, "provider"),
    ...Object.entries({ ...resources, ...dataSources }).flatMap(([type, { attributes }]) =>
      all(attributes, type),
    ),
  ];

  test("the name of every attribute is accepted by cdktf", () => {
    const refused = new Set(["to_string", "constructor", "raw_overrides", "cdktf_stack", "fqn"]);
    for (const [path, { text }] of everything) {
      expect([path, text.description]).toEqual([path, expect.stringMatching(/^[A-Z`].*\.$/s)]);
      const name = path.split(".").at(-1)!;
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(refused).not.toContain(name);
    }
  });

  test("no set has elements with a computed attribute, because a plan can't match these elements with earlier elements", () => {
    for (const [path, { type }] of everything) {
      if (type.kind !== "set" || !("nested" in type)) continue;
      const inside = all(type.nested, path).filter(([, { presence }]) => presence === "computed");
      expect(inside).toEqual([]);
    }
  });
});
