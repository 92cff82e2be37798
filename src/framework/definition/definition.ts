import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, Observed, Resolution, Value, ValueObject } from "../../schema";
import type { AnyCollection, Collection } from "../collections/listing";
import type { Live, LiveCollection } from "../collections/live-collection";
import type { Ownership } from "../ownership/owners";
import type { ReferencedObject } from "../references/lookups";

/**
 * A live object as a lifecycle function of a resource, such as `read` or `create`, returns it. It has all
 * attributes except the id and the container (the attribute named `Kind`), which the framework adds.
 */
export type Found<A extends Attributes, Kind extends string = never> = Omit<Observed<A>, Kind>;

/**
 * The context in which a lifecycle function runs: the client, the container's id, and the collections that this
 * run has read.
 */
export interface Scope<Client = unknown> {
  readonly api: Client;
  /** The numeric id of the container. */
  readonly container: number;
  /** The full path of the container; its id if the run does not know the path. */
  readonly name: string;
  /** Returns a collection of this container. The run reads each collection once. */
  collection<K, T, Whole extends T = T>(collection: Collection<K, T, Whole, Client>): Live<K, T, Whole>;
  /** The number of objects of this type and container that the run will read, if the host knows it. */
  readonly expected: number | undefined;
}

/** The client, and the collections of a run. */
export interface Reading<Client = unknown> {
  readonly api: Client;
  /**
   * Returns a collection of one container. Resources and data sources of the run share it, so the run reads it
   * once.
   */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): LiveCollection<K, T, Whole>;
}

/**
 * The context in which a data source is read. It contains the client and the collections of the run, and resolves
 * the arguments that name objects.
 */
export interface DataScope<Client = unknown, Kind extends string = string> extends Reading<Client> {
  /**
   * Returns the id of the object to which an argument refers. `name` is the value of the argument, an id or a
   * path. `kind` is the name of the argument and the kind of the object. A path needs a request.
   * @throws ReferenceNotFound, and the client's errors
   */
  idOf(kind: Kind, name: Value): Promise<number>;
  /**
   * Records the full path of the object to which an argument refers. If the object has moved, `fullPath` differs
   * from `name`, the value of the argument.
   */
  followed(kind: Kind, name: Value, fullPath: string): void;
  /** Records an object from a response, so that the run does not look it up again. */
  noteFound(kind: Kind, object: ReferencedObject): void;
}

// The next interfaces describe the optional abilities of a resource; create, read and list are required. A
// definition has an ability if it has the members of its interface.

/** The ability to change objects in place. Without this ability, every change replaces the object. */
export interface Updatable<A extends Attributes, Client, Kind extends string> {
  /**
   * Changes the observed object to the declared one. Steward calls it only if they differ, and calls it again
   * after a lost response. It throws the same errors as `create`.
   */
  update(scope: Scope<Client>, declared: Declared<A>, observed: Found<A, Kind>): Promise<Found<A, Kind>>;
  /** Whether an update adds records. If such an update is sent twice, the records may be added twice. */
  readonly isUpdateAdditive?: boolean;
}

/**
 * The ability to delete objects by requests. Without this ability, destroying an object does not change the
 * service.
 */
export interface Deletable<Client> {
  /**
   * Deletes the object. It throws the API's `not_found` if the object is already gone; Steward treats this error
   * as success. It may return warnings about parts that are not deleted. It must not delete the entries of a set
   * for which `isKept` is true: another object declares them.
   */
  delete(
    scope: Scope<Client>,
    key: string,
    state: ValueObject,
    isKept: Stays,
  ): Promise<readonly Diagnostic[] | undefined>;
  /**
   * For an object that can still be read after its deletion: returns whether reads show that the deletion is
   * complete. By default, the deletion is complete if `read` finds nothing.
   */
  isDestroyed?(scope: Scope<Client>, state: ValueObject, isKept: Stays): Promise<boolean>;
  /**
   * Only for resources whose destroy may leave the object on the service: returns whether destroying this
   * object does not change the service.
   */
  isLeftOnDestroy?(state: ValueObject): boolean;
}

/** The sets and entries that a declaration owns. The plan refuses two owners of one set or one entry. */
export interface Owned<A extends Attributes> {
  /**
   * Returns the names of the sets that the declaration owns as a whole. Omit this function if the declaration owns
   * only `entries`.
   */
  whole?(declared: Declared<A>): readonly string[];
  /**
   * Returns the entries that exist in sets because of the declaration. Omit this function if no other declaration
   * can own entries of its whole sets.
   */
  entries?(declared: Declared<A>): readonly Ownership[];
  /** The types of resources that own entries of the whole sets of this resource. */
  readonly entryTypes?: readonly string[];
  /**
   * Returns the part of the state that a destroy deletes: the state without the entries for which `isKept` is
   * true. Only for whole sets whose entries other declarations may own.
   */
  deleted?(declared: Declared<A>, state: ValueObject, isKept: Stays): ValueObject;
}

/** Returns whether another object declares a part of the object to destroy. */
export type Stays = (owned: Ownership) => boolean;

/** A type that has either all members of an ability, or none. */
type Maybe<Ability> = Ability | { readonly [Member in keyof Ability]?: never };

/** The optional abilities that consist of one member each. */
export interface Abilities<A extends Attributes, Client, Kind extends string> {
  /** Returns problems that concern several attributes together. Values may be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /** Returns problems that need resolved references, such as a reference of a container to itself. */
  check?(declared: Declared<A>, container: number): readonly Diagnostic[];
  /** The role that the token's user needs for writes, if it differs from the usual role for the container. */
  readonly writers?: {
    /** The provider's number for the role. */
    readonly role: number;
    /** A sentence that says who can change the object. The error after a refused request contains it. */
    readonly description: string;
  };
  /**
   * The upgrades, by stored schema version. Each upgrade converts the attributes to the next version. Every
   * version from 0 up to the current version (exclusive) has an upgrade. Steward applies them one after the
   * other.
   */
  readonly upgrades?: Readonly<Record<number, (stored: ValueObject) => ValueObject>>;
  /**
   * Whether the key contains all attributes. An existing object with the key is then always equal to the
   * declaration.
   */
  readonly isEntry?: boolean;
  /**
   * The sets and entries that an object owns, and that another declaration could claim too. By default, an object
   * owns only its key.
   */
  readonly owns?: Owned<A>;
  /** Functions that add diagnostics to the plan of an object. */
  readonly onPlan?: {
    /**
     * Returns diagnostics for a new object, for example because its creation changes existing objects. It may
     * send reads. It throws the API's `already_there` if an existing object prevents the creation.
     */
    create?(scope: Scope<Client>, declared: Declared<A>): Promise<readonly Diagnostic[]>;
    /**
     * Returns diagnostics for a change of an existing object. An error refuses the change before anything is
     * sent. It may send reads.
     */
    update?(
      declared: Declared<A>,
      prior: ValueObject,
      scope: Scope<Client>,
    ): readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
  };
  /**
   * Returns the key with which `list` shows this declaration's object, if it differs from the declared key.
   * @throws the client's errors
   */
  listedKey?(scope: Scope<Client>, declared: Declared<A>): Promise<string | undefined>;
  /**
   * Returns whether the live object may be the result of an interrupted create of this declaration. `before` is
   * the object before that create. Only for objects that exist once in every container, and whose create sends
   * several writes.
   */
  isBegun?(declared: Declared<A>, found: Found<A, Kind>, before: Found<A, Kind>): boolean;
  /** The values of settings in a container without any configuration. Adoption omits settings with these values. */
  readonly defaults?: { readonly [Name in keyof A]?: Value };
  /**
   * Whether access depends on the settings of this resource. Adoption then declares them even with their defaults,
   * because a change of an undeclared setting stays unnoticed.
   */
  readonly isAccessRelevant?: boolean;
  /**
   * The access that objects of this resource grant. Without this member, access reports list each change of
   * an object as not counted.
   */
  readonly access?: AccessDeclaration;
}

/** The access that objects of a resource grant. A provider adds the members that its `describeAccess` needs. */
export interface AccessDeclaration {
  /** The kind of access, such as `entrance`; `nothing` for objects that grant no access. */
  readonly grants: string;
}

/** Describes the key that identifies an object within its container. */
interface Key<A extends Attributes, Client, Kind extends string> {
  /** The name of the key in messages and pages, such as `target id`. */
  readonly name: string;
  readonly example: string;
  /** The attributes that contain the key; if there are several, each object has one of them. */
  readonly attributes: readonly (keyof A & string)[];
  /** If `attributes` has several names: returns the name of the attribute that contains this key. */
  attributeOf?(key: string): string;
  /** Returns the key of an object; "" for a declaration if the service assigns the key on creation. */
  of(object: Declared<A> | Found<A, Kind>): string;
  /**
   * Whether ids contain the key in the spelling of the live object, and identities ignore upper and lower case.
   * Default: false.
   */
  readonly isAsShown?: true;
  /** Returns the name of a live object for people. The default is `unique`, or the key. */
  label?(found: Found<A, Kind>): string;
  /**
   * If the service assigns the key: returns another text of the object, such as its pattern, that is unique within
   * a container.
   */
  unique?(object: Declared<A> | Found<A, Kind>): string;
  /**
   * Returns the live objects whose `unique` text is equal to this text. By default, Steward searches the result of
   * `list`.
   */
  alike?(scope: Scope<Client>, unique: string): Promise<readonly Found<A, Kind>[]>;
  /**
   * Returns the names in the container that `list` does not show, but that a declared key may mean. @throws the
   * client's errors
   */
  otherNames?(scope: Scope<Client>): Promise<readonly string[]>;
  /**
   * Returns the canonical key if several equivalent keys mean one object. It uses only facts that the run already
   * knows, and sends no request. Default: the key itself.
   */
  sameAs?(scope: Scope<Client>, key: string): Promise<string>;
}

/**
 * A resource. Plan, apply, drift, the wire schema, the constructs and the reference pages all use this
 * definition. Steward resolves references to ids before it calls a lifecycle function. `operations/` handles
 * spelling, defaults, lost responses and 404s for all resources.
 *
 * With only these members, the resource can be created, read, listed, and imported by an id that contains its
 * key. Optional abilities are in `Abilities`, `Updatable` and `Deletable`.
 */
export interface ResourceCore<A extends Attributes, Client, Kind extends string> {
  /** The type name without the provider's prefix. */
  readonly type: string;
  /**
   * The schema version of stored states. It is incremented with each change that needs an upgrade of older states.
   * Default: 0.
   */
  readonly version?: number;
  /** The description as Markdown. Lists show only the first sentence. */
  readonly description: string;
  readonly attributes: A;
  /**
   * The kind of the container, such as `space`. The attribute with this name contains the id or path of the
   * container. The id of an object begins with the id of its container.
   */
  readonly container: Kind;
  /**
   * The feature of the container that this resource configures, as a noun phrase. The error contains it if all
   * endpoints of the feature respond 404.
   */
  readonly feature: string;
  /** The key of an object. Omit it if each container has exactly one object. */
  readonly key?: Key<A, Client, Kind>;

  /**
   * Creates the object without reading first whether the object exists. Returns the response of the write if
   * it contains the object. Throws the API's errors, or `SomeWritesFailed` if the create sends several
   * writes.
   */
  create(scope: Scope<Client>, declared: Declared<A>): Promise<Found<A, Kind>>;
  /**
   * Reads the object; returns undefined if there is no such object. It may also throw the API's `not_found`, which
   * can mean that the object or its container is missing. `known` is the state, if any: it supplies attributes
   * that the service no longer returns.
   */
  read(scope: Scope<Client>, key: string, known?: ValueObject): Resolution<Found<A, Kind> | undefined>;
  /** Returns all live objects of this type in the container. */
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
  /** Returns problems that concern several arguments together. Values may be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /**
   * The collections whose records the data source returns whole. The run then keeps their records without the
   * projection.
   */
  readonly shows?: readonly AnyCollection[];
  /** Reads the data source. `config` contains the declared arguments. It returns all attributes. */
  read(scope: DataScope<Client, Kind>, config: ValueObject): Promise<ValueObject>;
}

/** Returns whether destroying an object does not change the service. */
export const isLeftOnDestroy = (
  { delete: destroy, isLeftOnDestroy: isLeft }: Pick<ResourceDefinition, "delete" | "isLeftOnDestroy">,
  state: ValueObject,
): boolean => destroy === undefined || isLeft?.(state) === true;
