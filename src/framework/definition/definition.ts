import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, ValueObject } from "../../schema";
import type { AnyCollection } from "../collections/live-collection";
import type { Abilities } from "./abilities";
import type { DataScope, Found, Scope } from "./scope";

export type { DataScope, Found, Scope };

/** What identifies an object within its container. */
interface Key<A extends Attributes, Client, Kind extends string> {
  /** What the key is, for messages and pages, such as `target id`. */
  readonly name: string;
  readonly example: string;
  /** "" for a declaration, where the service gives the key on creation. */
  of(object: Declared<A> | Found<A, Kind>): string;
  /** There: what the service refuses to have twice in a container. */
  unique?(object: Declared<A> | Found<A, Kind>): string;
  /**
   * The key that stands for all by which one object can be declared, as far as the run knows that two of them mean the
   * same: it asks for nothing. The key itself, where this is absent.
   */
  sameAs?(scope: Scope<Client>, key: string): Promise<string>;
}

/**
 * One resource: everything that plan, apply, drift, the wire schema, the constructs and the reference pages are made
 * from. References arrive resolved and leave as ids; spelling, defaults, lost answers and 404s are dealt with once,
 * for all resources, in `operations/`.
 *
 * These members are all that a resource needs: it can be created, read, listed and, by the id that its key makes,
 * imported. What else it can do it says by the abilities of `abilities.ts`.
 */
export interface ResourceCore<A extends Attributes, Client, Kind extends string> {
  /** Without the provider's prefix. */
  readonly type: string;
  /** Of the stored state's shape: it grows by one with each change that older states have to be taken over for. */
  readonly version: number;
  /** Markdown. The first sentence stands alone in lists. */
  readonly description: string;
  readonly attributes: A;
  /** What it belongs to. Its attribute of that name says which one, and its id begins with that one's id. */
  readonly container: Kind;
  /** What a container must offer for it, as a sentence names it: said where the service answers 404 for all of it. */
  readonly feature: string;
  /** Absent where the container has exactly one of these. */
  readonly key?: Key<A, Client, Kind>;

  /**
   * Sends first; it has not looked whether the object exists. Takes its result from the write's own answer where there
   * is one. Throws the API's errors, or `SomeWritesFailed` where it takes several writes.
   */
  create(scope: Scope<Client>, declared: Declared<A>): Promise<Found<A, Kind>>;
  /**
   * Nothing where there is none, or the API's own `not_found`, which may be about the container as well. `known` is the
   * state, if there is one: it may hold values that the service no longer returns.
   */
  read(scope: Scope<Client>, key: string, known?: ValueObject): Promise<Found<A, Kind> | undefined>;
  /** Everything live of this type in the container. */
  list(scope: Scope<Client>): Promise<readonly Found<A, Kind>[]>;
}

/** A resource with the abilities that it has. */
export type ResourceDefinition<
  A extends Attributes = Attributes,
  Client = unknown,
  Kind extends string = string,
> = ResourceCore<A, Client, Kind> & Abilities<A, Client, Kind>;

/** One data source: its arguments are the attributes that are not computed. */
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
  /** The collections of which it shows more than lifecycles use. */
  readonly shows?: readonly AnyCollection[];
  /** `config` holds the arguments as declared. Answers with every attribute. */
  read(scope: DataScope<Client, Kind>, config: ValueObject): Promise<ValueObject>;
}
