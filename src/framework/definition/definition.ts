import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, Observed, Value, ValueObject } from "../../schema";
import type { AnyCollection, Live, LiveCollection } from "../collections/collections";
import type { Collection } from "../collections/listing";
import type { Claim } from "../ownership/claims";

/**
 * What a lifecycle finds on the service: every attribute but the container (whose attribute is called as its `Kind` is) and
 * the id, which are filled in for it.
 */
export type Found<A extends Attributes, Kind extends string = never> = Omit<Observed<A>, Kind>;

/** What a lifecycle works with: the client, the container's id, and the collections that were read in this run. */
export interface Scope<Client = unknown> {
  readonly api: Client;
  /** Numeric id of the container. */
  readonly container: number;
  /** A collection of this container, read once in a run. */
  collection<K, T, Whole extends T = T>(collection: Collection<K, T, Whole, Client>): Live<K, T, Whole>;
  /** How many objects of this type and container the run will read, where the host knows. */
  readonly expected: number | undefined;
}

/** What a data source works with: the client, what its arguments name, and the collections that were read in this run. */
export interface DataScope<Client = unknown, Kind extends string = string> {
  readonly api: Client;
  /**
   * The id of what an argument names, which is called as its kind is; asks where it is a path.
   *
   * @throws ReferenceNotFound, and what the client throws
   */
  idOf(kind: Kind, name: Value): Promise<number>;
  /** Says where an argument led, which is another path after a move. */
  followed(kind: Kind, name: Value, fullPath: string): void;
  /** A collection of one container, which resources share. */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): LiveCollection<K, T, Whole>;
}

/** How an object is told from its siblings within the container. */
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

/** Whether somebody else declares a part of what is to be destroyed. */
export type Stays = (claim: Claim) => boolean;

/**
 * One resource: everything that plan, apply, drift, the wire schema, the constructs and the reference pages are made
 * from. References arrive resolved and leave as ids; spelling, defaults, lost answers and 404s are dealt with once,
 * for all resources, in `operations/`.
 */
export interface ResourceDefinition<
  A extends Attributes = Attributes,
  Client = unknown,
  Kind extends string = string,
> {
  /** Without the provider's prefix. */
  readonly type: string;
  /** Of the stored state's shape: it grows by one with each change that older states have to be taken over for. */
  readonly version: number;
  /**
   * By the version that a state was stored under: its attributes in the shape of the next version. One for each
   * version from 0 to the present one; a state goes through all that it needs, one after the other.
   */
  readonly upgrades?: Readonly<Record<number, (stored: ValueObject) => ValueObject>>;
  /** Markdown. The first sentence stands alone in lists. */
  readonly description: string;
  readonly attributes: A;
  /** What it belongs to. Its attribute of that name says which one, and its id begins with that one's id. */
  readonly container: Kind;
  /** What a container must offer for it, as a sentence names it: said where the service answers 404 for all of it. */
  readonly feature: string;
  /** Absent where the container has exactly one of these. */
  readonly key?: Key<A, Client, Kind>;

  /** Rules over several attributes; values may be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /** Rules that need to know what references name, such as "not the container itself". */
  check?(declared: Declared<A>, container: number): readonly Diagnostic[];
  /** The role that changing it takes, as the provider numbers them; its own default without it. */
  readonly writtenFrom?: number;
  /** Who may change it, in a sentence, where the usual role is not enough: said when the service refuses. */
  readonly changedBy?: string;

  /** Whether its key says all that it says: where one is there already, it is just as declared. */
  readonly isEntry?: boolean;

  /** What this declaration owns; two that own the same are refused at plan. Its key, where this is absent. */
  claims?(declared: Declared<A>): readonly Claim[];

  /** The types that own entries of the sets that this one owns as a whole. */
  readonly entryTypes?: readonly string[];

  /** What is there on account of this declaration, of what others may own too: what it claims, where this is absent. */
  has?(declared: Declared<A>): readonly Claim[];

  /** Of a set that others may own entries of: the state of what goes when it is destroyed, without what stays. */
  leaves?(declared: Declared<A>, state: ValueObject, stays: Stays): ValueObject;

  /** The key under which `list` shows the object of this declaration, where that may be another than its own. @throws the client's errors */
  listedKey?(scope: Scope<Client>, declared: Declared<A>): Promise<string | undefined>;

  /**
   * What to say, at plan, of a new object whose creation will change what is there: it may read. Throws the API's
   * `already_there` for what is in its way.
   */
  beforeCreate?(scope: Scope<Client>, declared: Declared<A>): Promise<readonly Diagnostic[]>;

  /** What to say, at plan, of a change to an object that exists; an error refuses it before anything is sent. */
  beforeUpdate?(declared: Declared<A>, prior: ValueObject): readonly Diagnostic[];

  /**
   * Sends first; it has not looked whether the object exists. Takes its result from the write's own answer where there
   * is one. Throws the API's errors, or `SomeWritesFailed` where it takes several writes.
   */
  create(scope: Scope<Client>, declared: Declared<A>): Promise<Found<A, Kind>>;
  /**
   * Whether what is live may be the work of a create of this declaration that was cut short, `before` being what was
   * there. For what a container always has one of, and takes several writes.
   */
  isBegun?(declared: Declared<A>, found: Found<A, Kind>, before: Found<A, Kind>): boolean;
  /**
   * Nothing where there is none, or the API's own `not_found`, which may be about the container as well. `known` is the
   * state, where there is one: what the service shows no longer may have to be told from it.
   */
  read(scope: Scope<Client>, key: string, known?: ValueObject): Promise<Found<A, Kind> | undefined>;
  /**
   * Brings what was observed just now to what is declared; called only where they differ, and once more after a lost
   * answer. Absent where every change replaces. Throws as `create` does.
   */
  update?(scope: Scope<Client>, declared: Declared<A>, observed: Found<A, Kind>): Promise<Found<A, Kind>>;
  /** Whether an update adds records: sent twice, it may leave them twice. */
  readonly updateAdds?: boolean;
  /**
   * Throws the API's `not_found` where the object is gone already, which counts as done. May warn of what stays.
   * Absent where destroying leaves the service as it is. Of a set, what others declare `stays`.
   */
  delete?(
    scope: Scope<Client>,
    key: string,
    state: ValueObject,
    stays: Stays,
  ): Promise<readonly Diagnostic[] | undefined>;
  /** Whether destroying this one leaves the service as it is, where `delete` does that for some. */
  leftOnDestroy?(state: ValueObject): boolean;
  /** Everything live of this type in the container. */
  list(scope: Scope<Client>): Promise<readonly Found<A, Kind>[]>;
}

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
