import type { Client } from "../api";
import type * as framework from "../framework";
import type { Collection as AnyCollection } from "../framework";
import type { Attributes } from "../schema";

// The framework's types, bound to this API's client and containers.

/** The kinds of containers that a resource can belong to. */
export type ContainerKind = "project" | "group";

export type Found<A extends Attributes> = framework.Found<A, ContainerKind>;
export type Scope = framework.Scope<Client>;
export type DataScope = framework.DataScope<Client, ContainerKind>;
export type Collection<K, T, Whole extends T = T> = AnyCollection<K, T, Whole, Client>;
export type ResourceDefinition<A extends Attributes = Attributes> = framework.ResourceDefinition<
  A,
  Client,
  ContainerKind
>;
export type DataSourceDefinition<A extends Attributes = Attributes> = framework.DataSourceDefinition<
  A,
  Client,
  ContainerKind
>;

/** Infers the attribute types of a definition. */
export const defineResource = <A extends Attributes>(
  definition: ResourceDefinition<A>,
): ResourceDefinition<A> => definition;

export const defineDataSource = <A extends Attributes>(
  definition: DataSourceDefinition<A>,
): DataSourceDefinition<A> => definition;
