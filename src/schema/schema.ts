import type { Attribute, Attributes } from "./attribute";
import type { ValueObject } from "./value";

/** The schema of one resource, data source, or of the provider's own configuration. */
export interface Schema {
  /** Incremented when the stored state changes its shape; `upgrade` then converts older states. */
  readonly version: number;
  /** Markdown. */
  readonly description: string;
  readonly attributes: Attributes;
}

/** The attributes that identify an object of a resource, as Terraform's import blocks and lists name it. */
export interface IdentitySchema {
  /** Incremented when the attributes change. */
  readonly version: number;
  /** An import needs the `required` ones, and decides by the `optional` ones that it is given. */
  readonly attributes: Attributes;
}

export interface ResourceSchema extends Schema {
  /** Optional: without it, objects have no identity, and are imported by their id alone. */
  readonly identity?: IdentitySchema;
}

/** The signature of a function, which is called in expressions as `provider::NAME::FUNCTION(…)`. */
export interface FunctionSchema {
  /** One line of plain text. */
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** In the order of the arguments. Those that are not `required` may be null. */
  readonly parameters: Attributes;
  readonly returns: Attribute;
}

/** What a host needs to know about a provider before it starts it. */
export interface ProviderSchema {
  /** The registry address, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly provider: Schema;
  /** By full type name, such as `acme_thing`. */
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly dataSources: Readonly<Record<string, Schema>>;
  /** The configuration of queries, by the type of the listed resources. Optional: without it, no type can be queried. */
  readonly listResources?: Readonly<Record<string, Schema>>;
  /** By name. Optional: without it, the provider has none. */
  readonly functions?: Readonly<Record<string, FunctionSchema>>;
}

/** A stored state with the provider's private bytes (base64), and the identity of its object. */
export interface StoredState {
  readonly attributes: ValueObject;
  readonly private?: string | undefined;
  /** The values of the resource's identity, if it has one and the object is known. It never changes. */
  readonly identity?: ValueObject | undefined;
}

/** What a run observed in place of a new object before its creation. */
export interface ObservedBeforeCreate {
  /** The ids of the objects there; empty if there were none. */
  readonly ids: readonly string[];
  /** The object there, in the provider's own form, if a partly created object may be recovered. */
  readonly found?: ValueObject;
}
