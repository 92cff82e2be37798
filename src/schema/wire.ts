import { type Attribute, type AttributeType, isNested } from "./attribute";
import type { FunctionSchema, ProviderSchema, Schema } from "./schema";

/** A type in Terraform's JSON: `"string"`, `["set","string"]`, `["list",["object",{…}]]`. */
export type WireType = string | readonly [string, WireType | Readonly<Record<string, WireType>>];

/** One attribute in the shape of `terraform providers schema -json`. */
export interface WireAttribute {
  readonly type?: WireType;
  readonly nested_type?: {
    readonly attributes: Record<string, WireAttribute>;
    readonly nesting_mode: string;
  };
  readonly description: string;
  readonly description_kind: "markdown";
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  readonly sensitive?: true;
  readonly deprecated?: true;
}

/** Terraform's flags of an attribute; an optional one with a default is computed as well. */
export function wireFlags(attribute: Attribute): { required: boolean; optional: boolean; computed: boolean } {
  const { presence, text } = attribute;
  return {
    required: presence === "required",
    optional: presence !== "required" && presence !== "computed",
    computed: presence === "computed" || presence === "optionalComputed" || text.default !== undefined,
  };
}

/** The wire type of an attribute's value; nested attributes become an object type. */
export function wireType(type: AttributeType): WireType {
  if (isNested(type)) {
    const object: WireType = ["object", mapValues(type.nested, (nested) => wireType(nested.type))];
    return type.kind === "single" ? object : [type.kind, object];
  }
  if ("element" in type) return [type.kind, wireType(type.element)];
  return type.kind === "reference" ? "string" : type.kind;
}

export function wireAttribute(attribute: Attribute): WireAttribute {
  const { type, text } = attribute;
  const { required, optional, computed } = wireFlags(attribute);
  return {
    ...(isNested(type)
      ? { nested_type: { attributes: mapValues(type.nested, wireAttribute), nesting_mode: type.kind } }
      : { type: wireType(type) }),
    description:
      text.deprecated === undefined ? text.description : `${text.description} Deprecated: ${text.deprecated}`,
    description_kind: "markdown",
    ...(required && { required }),
    ...(optional && { optional }),
    ...(computed && { computed }),
    ...(text.sensitive && { sensitive: true as const }),
    ...(text.deprecated !== undefined && { deprecated: true as const }),
  };
}

const wireSchema = ({ version, description, attributes }: Schema) => ({
  version,
  block: {
    attributes: mapValues(attributes, wireAttribute),
    description,
    description_kind: "markdown",
  },
});

/** One attribute of an identity in the shape of `terraform providers schema -json`. */
export const wireIdentityAttribute = ({ type, presence, text: { description } }: Attribute) => ({
  type: wireType(type),
  description,
  ...(presence === "required" && { required_for_import: true as const }),
  ...(presence !== "required" && { optional_for_import: true as const }),
});

const wireIdentities = (resources: ProviderSchema["resources"]) =>
  mapValues(
    Object.fromEntries(
      Object.entries(resources).flatMap(([type, { identity }]) =>
        identity === undefined ? [] : [[type, identity]],
      ),
    ),
    ({ version, attributes }) => ({
      version,
      attributes: mapValues(attributes, wireIdentityAttribute),
    }),
  );

const wireFunction = ({ summary, description, parameters, returns }: FunctionSchema) => ({
  description,
  summary,
  return_type: wireType(returns.type),
  parameters: Object.entries(parameters).map(([name, { presence, text, type }]) => ({
    name,
    description: text.description,
    ...(presence !== "required" && { is_nullable: true }),
    type: wireType(type),
  })),
});

/** The whole schema in the shape of `terraform providers schema -json`. */
export const schemaJson = (schema: ProviderSchema) => ({
  format_version: "1.0",
  provider_schemas: {
    [schema.source]: {
      provider: wireSchema(schema.provider),
      resource_schemas: mapValues(schema.resources, wireSchema),
      data_source_schemas: mapValues(schema.dataSources, wireSchema),
      ...(schema.listResources && { list_resource_schemas: mapValues(schema.listResources, wireSchema) }),
      ...(schema.functions && { functions: mapValues(schema.functions, wireFunction) }),
      resource_identity_schemas: wireIdentities(schema.resources),
    },
  },
});

const mapValues = <T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(
    Object.entries(record)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, change(value)]),
  );
