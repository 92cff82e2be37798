import { type Attribute, type Attributes, type AttributeType, isNested, type ValueObject } from "./attribute";

/** The schema of one resource, of one data source, or of the provider's own configuration. */
export interface Schema {
  /**
   * The version of the stored state. The version is incremented when the attributes in the state change. An upgrade
   * then converts older states.
   */
  readonly version: number;
  /** Markdown. */
  readonly description: string;
  readonly attributes: Attributes;
}

/** The attributes that identify an object of a resource. Terraform's import blocks and lists use these attributes. */
export interface IdentitySchema {
  /** The version of the identity. The version is incremented when the attributes of the identity change. */
  readonly version: number;
  /**
   * The attributes of the identity. An import needs all `required` attributes, and can also contain `optional`
   * attributes.
   */
  readonly attributes: Attributes;
}

export interface ResourceSchema extends Schema {
  /** The identity of objects. Optional: without an identity schema, users can import objects only by id. */
  readonly identity?: IdentitySchema;
}

/** The signature of a function, which is called in expressions as `provider::NAME::FUNCTION(…)`. */
export interface FunctionSchema {
  /** A summary of the function: one line of plain text. */
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** The parameters in the order of the arguments. A parameter that is not `required` may be null. */
  readonly parameters: Attributes;
  readonly returns: Attribute;
}

/** The schema of a provider. The engine or Terraform needs it before it starts the provider. */
export interface ProviderSchema {
  /** The registry address of the provider, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly provider: Schema;
  /** The resources, by full type name, such as `acme_thing`. */
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly dataSources: Readonly<Record<string, Schema>>;
  /**
   * The schema of the query configuration for each listed resource type. Optional: without this configuration, no type
   * can be queried.
   */
  readonly listResources?: Readonly<Record<string, Schema>>;
  /** The functions, by name. Optional: without this member, the provider has no functions. */
  readonly functions?: Readonly<Record<string, FunctionSchema>>;
}

/** A stored state with the provider's private bytes (base64), and the identity of its object. */
export interface StoredState {
  readonly attributes: ValueObject;
  readonly private?: string | undefined;
  /**
   * The values of the object's identity, if its resource has identities and the object is known. The identity of an
   * object never changes.
   */
  readonly identity?: ValueObject | undefined;
}

/** The live objects with the identity of a new object that a run found before it created the new object. */
export interface ObservedBeforeCreate {
  /** The ids of the objects; empty if there were none. */
  readonly ids: readonly string[];
  /**
   * The object found before the create, in the provider's own form. `found` is present only for types whose partly
   * created objects can be recovered.
   */
  readonly found?: ValueObject;
}

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

/** Returns the flags of an attribute in Terraform's schema. An optional attribute with a default is also computed. */
export function wireFlags(attribute: Attribute): { required: boolean; optional: boolean; computed: boolean } {
  const { presence, text } = attribute;
  return {
    required: presence === "required",
    optional: presence !== "required" && presence !== "computed",
    computed: presence === "computed" || presence === "optionalComputed" || text.default !== undefined,
  };
}

/** Returns the wire type of an attribute's value. Nested attributes become an object type. */
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

/** Returns one identity attribute in the shape of `terraform providers schema -json`. */
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

/** Returns the whole schema in the shape of `terraform providers schema -json`. */
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
