import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, Observed, Value, ValueObject } from "../../schema";
import type { AnyCollection, Collection } from "../collections/listing";
import type { Live, LiveCollection } from "../collections/live-collection";
import type { Ownership } from "../ownership/ownership";
import type { Resolution } from "../protocol/resolution";
import type { ReferencedObject } from "../references/lookups";

/**
 * A live object as a lifecycle returns it: all attributes except the id and the container (the attribute named `Kind`),
 * which the framework adds.
 */
export type Found<A extends Attributes, Kind extends string = never> = Omit<Observed<A>, Kind>;

/** The context of a lifecycle: the client, the container's id, and the collections that this run has read. */
export interface Scope<Client = unknown> {
  readonly api: Client;
  /** The numeric id of the container. */
  readonly container: number;
  /** The full path of the container; its id if the run does not know the path. */
  readonly name: string;
  /** A collection of this container, read once per run. */
  collection<K, T, Whole extends T = T>(collection: Collection<K, T, Whole, Client>): Live<K, T, Whole>;
  /** The number of objects of this type and container that the run will read, if the host knows it. */
  readonly expected: number | undefined;
}

/** The client, and the collections of a run. */
export interface Reading<Client = unknown> {
  readonly api: Client;
  /** A collection of one container, shared with resources. */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): LiveCollection<K, T, Whole>;
}

/** The context of a data source: the client, its resolved arguments, and the collections that this run has read. */
export interface DataScope<Client = unknown, Kind extends string = string> extends Reading<Client> {
  /**
   * The id of the object that an argument names; the argument has the name of its kind. Sends a request if it is a path.
   *
   * @throws ReferenceNotFound, and the client's errors
   */
  idOf(kind: Kind, name: Value): Promise<number>;
  /** Records the full path that an argument led to, which differs from the argument after a move. */
  followed(kind: Kind, name: Value, fullPath: string): void;
  /** Records an object from a response, so that the run does not look it up again. */
  noteFound(kind: Kind, object: ReferencedObject): void;
}

// The abilities of a resource beyond create, read and list. A definition has an ability if it has the ability's members.

/** Objects can be changed in place. Without this ability, every change replaces the object. */
export interface Updatable<A extends Attributes, Client, Kind extends string> {
  /**
   * Changes the observed object to the declared one. It is called only if they differ, and again after a lost
   * response. It throws the same errors as `create`.
   */
  update(scope: Scope<Client>, declared: Declared<A>, observed: Found<A, Kind>): Promise<Found<A, Kind>>;
  /** Whether an update adds records, so that sending it twice may add them twice. */
  readonly isUpdateAdditive?: boolean;
}

/** Destroying an object sends requests. Without this ability, destroying does not change the service. */
export interface Deletable<Client> {
  /**
   * Throws the API's `not_found` if the object is already gone, which counts as success. It may return warnings
   * about parts that are not deleted. It must not delete the entries of a set for which `isKept` is true: another
   * object declares them.
   */
  delete(
    scope: Scope<Client>,
    key: string,
    state: ValueObject,
    isKept: Stays,
  ): Promise<readonly Diagnostic[] | undefined>;
  /**
   * For an object that can still be read after its deletion: whether the reads of this scope show that the deletion
   * is done. Default: whether `read` finds nothing.
   */
  isDestroyed?(scope: Scope<Client>, state: ValueObject, isKept: Stays): Promise<boolean>;
  /** Whether destroying this object does not change the service, if that is true of some objects only. */
  isLeftOnDestroy?(state: ValueObject): boolean;
}

/** The ownership of a declaration. The plan refuses two owners of one set or one entry. */
export interface Owned<A extends Attributes> {
  /** The sets that it owns as a whole. Absent if it owns only `entries`. */
  whole?(declared: Declared<A>): readonly string[];
  /**
   * The entries of sets that exist because of the declaration. Absent if its whole sets have no entries that others
   * may own.
   */
  entries?(declared: Declared<A>): readonly Ownership[];
  /** The types that own entries of the sets that this one owns as a whole. */
  readonly entryTypes?: readonly string[];
  /**
   * For whole sets whose entries others may own: returns the part of the state that a destroy deletes, without the
   * kept entries.
   */
  deleted?(declared: Declared<A>, state: ValueObject, isKept: Stays): ValueObject;
}

/** Whether another object declares a part of the object to destroy. */
export type Stays = (owned: Ownership) => boolean;

/** Either all members of an ability, or none. */
type Maybe<Ability> = Ability | { readonly [Member in keyof Ability]?: never };

/** The abilities of one member each. */
export interface Abilities<A extends Attributes, Client, Kind extends string> {
  /** Rules over several attributes; values may be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /** Rules that need resolved references, such as "not the container itself". */
  check?(declared: Declared<A>, container: number): readonly Diagnostic[];
  /** Writes need another role than usual in the container. */
  readonly writers?: {
    /** The required role, as the provider numbers roles. */
    readonly role: number;
    /** A sentence about the people who can change it, for the error after a refused request. */
    readonly description: string;
  };
  /**
   * Upgrades by stored schema version: each converts the attributes to the next version. Every version from 0 up to
   * the current one (exclusive) has one. They are applied one after the other.
   */
  readonly upgrades?: Readonly<Record<number, (stored: ValueObject) => ValueObject>>;
  /** The key contains all attributes: an existing object with the key always equals the declaration. */
  readonly isEntry?: boolean;
  /** The ownership that another declaration could claim too: entries of sets, or whole sets. Default: its key. */
  readonly owns?: Owned<A>;
  /** Adds diagnostics to a plan. */
  readonly onPlan?: {
    /**
     * Diagnostics for a new object, for example because its creation changes existing objects. May send reads.
     * Throws the API's `already_there` if an existing object prevents the creation.
     */
    create?(scope: Scope<Client>, declared: Declared<A>): Promise<readonly Diagnostic[]>;
    /** Diagnostics for a change of an existing object; an error refuses it before anything is sent. May send reads. */
    update?(
      declared: Declared<A>,
      prior: ValueObject,
      scope: Scope<Client>,
    ): readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
  };
  /**
   * The key under which the container's list shows the object of this declaration, if that differs from its own.
   *
   * @throws the client's errors
   */
  listedKey?(scope: Scope<Client>, declared: Declared<A>): Promise<string | undefined>;
  /**
   * Whether the live object may result from an interrupted create of this declaration; `before` is the object
   * before that create. It is for objects that exist once in every container, and whose create sends several
   * writes.
   */
  isBegun?(declared: Declared<A>, found: Found<A, Kind>, before: Found<A, Kind>): boolean;
  /** The service's own values of settings, in a container that was never configured. Adoption omits settings that have them. */
  readonly defaults?: { readonly [Name in keyof A]?: Value };
  /**
   * Whether access depends on these settings. Adoption then declares them even with their defaults, because a
   * change of an undeclared setting stays unnoticed.
   */
  readonly isAccessRelevant?: boolean;
  /** The access that its objects grant. Without it, access reports list each change of an object as not counted. */
  readonly access?: AccessDeclaration;
}

/** The access that objects of a resource grant. A provider adds the members that its `describeAccess` needs. */
export interface AccessDeclaration {
  /** The kind of access, such as `entrance`; `nothing` for objects that grant no access. */
  readonly grants: string;
}

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
  /** The id follows the spelling of a live object, and identities compare in any case. Default: false. */
  readonly isAsShown?: true;
  /** The name of a live object for people. Default: `unique`, or the key. */
  label?(found: Found<A, Kind>): string;
  /** If the service assigns the key: the text that must be unique within a container. */
  unique?(object: Declared<A> | Found<A, Kind>): string;
  /** With `unique`: the live objects that have this text. Default: found in `list`, one by one. */
  alike?(scope: Scope<Client>, unique: string): Promise<readonly Found<A, Kind>[]>;
  /** Returns unlisted names in the container that a declaration may mean. @throws the client's errors */
  otherNames?(scope: Scope<Client>): Promise<readonly string[]>;
  /**
   * Returns the canonical key of all equivalent keys of one object, as far as the run already knows them. It sends
   * no request. Default: the key itself.
   */
  sameAs?(scope: Scope<Client>, key: string): Promise<string>;
}

/**
 * One resource: the single source of plan, apply, drift, the wire schema, the constructs and the reference pages.
 * References are resolved before lifecycles run and are returned as ids. `operations/` handles spelling, defaults, lost
 * responses and 404s for all resources.
 *
 * These members are sufficient: the resource can be created, read, listed and imported by the id that contains its key.
 * Optional abilities are in `Abilities`, `Updatable` and `Deletable`.
 */
export interface ResourceCore<A extends Attributes, Client, Kind extends string> {
  /** The type name without the provider's prefix. */
  readonly type: string;
  /** The schema version of stored states; incremented with each change that needs an upgrade of older states. Default: 0. */
  readonly version?: number;
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
> = ResourceCore<A, Client, Kind> &
  Abilities<A, Client, Kind> &
  Maybe<Updatable<A, Client, Kind>> &
  Maybe<Deletable<Client>>;

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

/** Whether destroying an object does not change the service. */
export const isLeftOnDestroy = (
  { delete: destroy, isLeftOnDestroy: isLeft }: Pick<ResourceDefinition, "delete" | "isLeftOnDestroy">,
  state: ValueObject,
): boolean => destroy === undefined || isLeft?.(state) === true;
