import type { Diagnostic } from "../../diagnostics";
import type { Attributes, ValueObject } from "../../schema";
import type { Connection } from "../protocol/connection";
import type { Failure } from "../protocol/failures";
import type { Move } from "../protocol/move";
import type { PlannedChange, RunOptions } from "../protocol/protocol";
import type { Kind } from "../references/lookups";
import type { DataSourceDefinition, ResourceDefinition } from "./definition";

/**
 * One provider: its configuration, its client, and everything that can be declared. `Client` is what its lifecycles send
 * requests with, `Name` the kinds of things that its declarations name by id or by path.
 */
export interface ProviderDefinition<Client = unknown, Name extends string = string> {
  /** All types begin with it: `acme` for `acme_thing`. */
  readonly name: string;
  /** Its source address, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  /** Markdown; the first sentence stands alone in lists. */
  readonly description: string;
  /** What can be said of the provider itself. */
  readonly attributes: Attributes;
  /** By kind, such as users or whatever else the service has. */
  readonly kinds: Readonly<Record<Name, Kind<Client>>>;
  readonly resources: readonly ResourceDefinition[];
  readonly dataSources: readonly DataSourceDefinition[];

  /**
   * Makes a client for a configuration that is wholly known, and one run. Nothing is sent before the first real request.
   *
   * @throws what `failureOf` maps, where the configuration can't be used
   */
  connect(config: ValueObject, run: RunOptions): Connection<Client>;
  /** What an error of the client means; nothing for an error that is not the client's. */
  failureOf(problem: unknown): Failure | undefined;
  /** Whether the token sees everything, so that what is not found is gone for sure. Without it, no token does. */
  isAdministrator?(api: Client): Promise<boolean>;
  /** Who may change objects of a resource that does not say it itself (`changedBy`), in a sentence: said after a refusal. */
  writersOf?(definition: ResourceDefinition): string;
  /** For each planned change, what the token lacks for it. Without it, the write itself is refused. */
  checkRights?(
    api: Client,
    changes: readonly (PlannedChange & { readonly definition: ResourceDefinition })[],
  ): Promise<readonly (readonly Diagnostic[])[]>;
  /** What ends the error for elements of a set that the service accepted and does not show: why it drops some. */
  readonly whyDropped?: string;
  /** Redacts user-chosen names in the path of a request. Omitted if paths contain none. */
  redactPath?(path: string): string;
  /** Resources of another provider that become ones of this. */
  readonly moves?: Moves;
}

/** Resources of another provider whose states can be taken over, whatever registry it was installed from. */
export interface Moves {
  /** Namespace and name of that provider. */
  readonly from: string;
  readonly of: readonly Move[];
}
