import type { Expression, Traversal, TypeConstraint } from "../expressions";
import type { ConfigurationFile } from "./files";

/** One configuration: everything that stands in a stack's files, parsed, nothing evaluated. */
export interface Configuration {
  /** The folder that relative paths of the configuration start from. */
  readonly folder: string;
  /** The files that it was read from, as they stand. */
  readonly files: readonly ConfigurationFile[];
  /** Source addresses by the local names that the configuration uses, such as `steward`. */
  readonly requiredProviders: ReadonlyMap<string, string>;
  readonly backend: Backend | undefined;
  /** By `name` or `name.alias`. */
  readonly providers: ReadonlyMap<string, ProviderDeclaration>;
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly locals: ReadonlyMap<string, Expression>;
  readonly outputs: ReadonlyMap<string, OutputDeclaration>;
  /** Resources and data sources by address, such as `steward_project.a` or `data.steward_project.b`. */
  readonly resources: ReadonlyMap<string, ResourceDeclaration>;
}

export interface Backend {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The attributes of a block, each with its expression. */
export type Body = ReadonlyMap<string, Expression>;

export interface ProviderDeclaration {
  readonly name: string;
  readonly alias: string | undefined;
  readonly body: Body;
  readonly construct: string | undefined;
}

export interface VariableDeclaration {
  readonly name: string;
  readonly constraint: TypeConstraint;
  /** The type as written, for messages. */
  readonly type: string;
  readonly default: Expression | undefined;
  readonly sensitive: boolean;
  readonly nullable: boolean;
}

export interface OutputDeclaration {
  readonly name: string;
  readonly value: Expression;
  readonly sensitive: boolean;
  readonly dependsOn: readonly Traversal[];
  readonly construct: string | undefined;
}

export interface ResourceDeclaration {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly address: string;
  /** Key into `providers`. */
  readonly provider: string;
  readonly body: Body;
  readonly dependsOn: readonly Traversal[];
  readonly count: Expression | undefined;
  readonly forEach: Expression | undefined;
  /** Path of the construct, where cdktf wrote one. */
  readonly construct: string | undefined;
}
