import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, ValueObject } from "../../schema";
import type { AnyCollection } from "../collections/live-collection";
import type { Resolution } from "../protocol/resolution";
import type { Abilities } from "./abilities";
import type { DataScope, Found, Scope } from "./scope";

export type { DataScope, Found, Scope };

/** Identifies an object within its container. */
interface Key<A extends Attributes, Client, Kind extends string> {
  /** The name of the key in messages and pages, such as `target id`. */
  readonly name: string;
  readonly example: string;
  /** The attributes that contain the key; if there are several, each object has one of them. */
  readonly attributes: readonly (keyof A & string)[];
  /** If there are several: the name of the one that contains this key. */
  attributeOf?(key: string): string;
  /** Returns "" for a declaration if the service assigns the key on creation. */
  of(object: Declared<A> | Found<A, Kind>): string;
  /** The name of a live object for people. Default: `unique`, or the key. */
  label?(found: Found<A, Kind>): string;
  /** If the service assigns the key: the text that must be unique within a container. */
  unique?(object: Declared<A> | Found<A, Kind>): string;
  /** With `unique`: the live objects that have this text. Default: found in `list`, one by one. */
  alike?(scope: Scope<Client>, unique: string): Promise<readonly Found<A, Kind>[]>;
  /** Names that something in the container has without being listed: a declaration may mean it. @throws the client's errors */
  otherNames?(scope: Scope<Client>): Promise<readonly string[]>;
  /**
   * The canonical key of all keys that one object can be declared by, as far as the run already knows that they are
   * equivalent; sends no request. Default: the key itself.
   */
  sameAs?(scope: Scope<Client>, key: string): Promise<string>;
}

/**
 * One resource: the single source of plan, apply, drift, the wire schema, the constructs and the reference pages.
 * References are resolved before lifecycles run and are returned as ids. `operations/` handles spelling, defaults, lost
 * responses and 404s for all resources.
 *
 * These members are sufficient: the resource can be created, read, listed and imported by the id that contains its key.
 * Optional abilities are in `abilities.ts`.
 */
export interface ResourceCore<A extends Attributes, Client, Kind extends string> {
  /** The type name without the provider's prefix. */
  readonly type: string;
  /** The schema version of stored states; incremented with each change that needs an upgrade of older states. */
  readonly version: number;
  /** Markdown. Lists show the first sentence only. */
  readonly description: string;
  readonly attributes: A;
  /** The kind of container. The attribute of that name identifies the container, and the object's id begins with its id. */
  readonly container: Kind;
  /** The feature that a container must have, as a noun phrase for the error if all its endpoints respond 404. */
  readonly feature: string;
  /** Absent if a container has exactly one of these objects. */
  readonly key?: Key<A, Client, Kind>;

  /**
   * Creates the object without reading first whether it exists. Returns the write's own response if it contains the
   * object. Throws the API's errors, or `SomeWritesFailed` if it sends several writes.
   */
  create(scope: Scope<Client>, declared: Declared<A>): Promise<Found<A, Kind>>;
  /**
   * Returns undefined if there is no such object; may throw the API's `not_found` instead, which may also concern the
   * container. `known` is the state, if any: it supplies attributes that the service no longer returns.
   */
  read(scope: Scope<Client>, key: string, known?: ValueObject): Resolution<Found<A, Kind> | undefined>;
  /** All live objects of this type in the container. */
  list(scope: Scope<Client>): Promise<readonly Found<A, Kind>[]>;
}

/** A resource: the required core and its abilities. */
export type ResourceDefinition<
  A extends Attributes = Attributes,
  Client = unknown,
  Kind extends string = string,
> = ResourceCore<A, Client, Kind> & Abilities<A, Client, Kind>;

/** One data source. Its arguments are the attributes that are not computed. */
export interface DataSourceDefinition<
  A extends Attributes = Attributes,
  Client = unknown,
  Kind extends string = string,
> {
  readonly type: string;
  readonly description: string;
  readonly attributes: A;
  /** Rules over several arguments; values may be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /** The collections whose records it returns beyond their projection. */
  readonly shows?: readonly AnyCollection[];
  /** `config` holds the declared arguments. Returns all attributes. */
  read(scope: DataScope<Client, Kind>, config: ValueObject): Promise<ValueObject>;
}
