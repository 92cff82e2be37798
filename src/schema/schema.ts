import type { Attributes } from "./attribute";

/** The schema of one resource, data source, or of the provider's own configuration. */
export interface Schema {
  /** Grows when the shape of the stored state changes; `upgrade` then takes older states over. */
  readonly version: number;
  /** Markdown. */
  readonly description: string;
  readonly attributes: Attributes;
}

/** Everything a host needs to know of a provider before it talks to it. */
export interface ProviderSchema {
  /** The registry address, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly provider: Schema;
  /** By full type name, such as `steward_job_token_scope`. */
  readonly resources: Readonly<Record<string, Schema>>;
  readonly dataSources: Readonly<Record<string, Schema>>;
}
