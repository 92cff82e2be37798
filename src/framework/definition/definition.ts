import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, Observed, Resolution, Value, ValueObject } from "../../schema";
import type { AnyCollection, Collection } from "../collections/listing";
import type { Live, LiveCollection } from "../collections/live-collection";
import type { Ownership } from "../ownership/owners";
import type { ReferencedObject } from "../references/lookups";

/**
 * A live object in the form that lifecycle functions of a resource return. The object has all attributes except the id and the
 * container (the attribute named `Kind`), which the framework adds.
 */
export type Found<A extends Attributes, Kind extends string = never> = Omit<Observed<A>, Kind>;

/** The context of a lifecycle function: the client, the container and the collections of the run. */
export interface Scope<Client = unknown> {
  readonly api: Client;
  /** The numeric id of the container. */
  readonly container: number;
  /** The full path of the container; its id as text if the run does not know the path. */
  readonly name: string;
  /** Returns a collection of this container. The run reads each collection at most once. */
  collection<K, T, Whole extends T = T>(collection: Collection<K, T, Whole, Client>): Live<K, T, Whole>;
  /** The number of objects of this type and container that the run will read, if the host knows it. */
  readonly expected: number | undefined;
}

/** The context of a read: the client and the collections of the run. */
export interface Reading<Client = unknown> {
  readonly api: Client;
  /**
   * Returns a collection of one container. All resources and data sources of the run share this collection, so the run reads the
   * collection once.
   */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): LiveCollection<K, T, Whole>;
}

/**
 * The context in which a data source is read. The scope contains the client and the collections of the run, and resolves
 * arguments that name objects.
 */
export interface DataScope<Client = unknown, Kind extends string = string> extends Reading<Client> {
  /**
   * Returns the id of the object that an argument names. `name` is the value of the argument: an id or a path. `kind` is the name
   * of the argument, and also the kind of the object. A path can need a request.
   * @throws ReferenceNotFound, and the client's errors
   */
  idOf(kind: Kind, name: Value): Promise<number>;
  /**
   * Records the full path of the object that an argument names. `name` is the value of the argument. If the object has moved,
   * `fullPath` differs from `name`.
   */
  followed(kind: Kind, name: Value, fullPath: string): void;
  /** Records an object that a response contained, so that the run does not send a look-up for it. */
  noteFound(kind: Kind, object: ReferencedObject): void;
}

// Each of the next interfaces describes an optional ability of a resource. A definition has an ability if it has the members of
// this interface. Create, read and list are required.

/** The ability to change objects in place. Without this ability, every change replaces the object. */
export interface Updatable<A extends Attributes, Client, Kind extends string> {
  /**
   * Changes the live object to the declared object, and returns the changed object. Steward calls this function only if the
   * objects differ, and again after a lost response. `update` throws the same errors as `create`.
   */
  update(scope: Scope<Client>, declared: Declared<A>, observed: Found<A, Kind>): Promise<Found<A, Kind>>;
  /** Whether an update adds records. If Steward sends an update twice, the service can then add the records twice. */
  readonly isUpdateAdditive?: boolean;
}

/** The ability to delete objects by requests. Without this ability, a destroy removes an object only from the state. */
export interface Deletable<Client> {
  /**
   * Deletes the object. Returns warnings about parts that are not deleted, if any. Throws the API's `not_found` if the object is
   * already gone; for Steward, this is a success. `delete` must not delete a set entry for which `isKept` returns true, because
   * another object declares the entry.
   */
  delete(
    scope: Scope<Client>,
    key: string,
    state: ValueObject,
    isKept: Stays,
  ): Promise<readonly Diagnostic[] | undefined>;
  /**
   * Returns whether reads show that the deletion is complete. Define this function only if objects can still be read after their
   * deletion. By default, the deletion is complete if `read` finds nothing.
   */
  isDestroyed?(scope: Scope<Client>, state: ValueObject, isKept: Stays): Promise<boolean>;
  /**
   * Returns whether a destroy of this object changes nothing on the service. Define this function only if the result depends on
   * the object's state.
   */
  isLeftOnDestroy?(state: ValueObject): boolean;
}

/** The sets and entries that a declaration owns. If two declarations own one set or entry, the plan fails. */
export interface Owned<A extends Attributes> {
  /**
   * Returns the names of the sets that the declaration owns as a whole. Omit this function if the declaration owns
   * only `entries`.
   */
  whole?(declared: Declared<A>): readonly string[];
  /**
   * Returns the set entries that exist because of the declaration. Omit this function if no other declaration can own entries of
   * these sets.
   */
  entries?(declared: Declared<A>): readonly Ownership[];
  /** The types of resources that own single entries of the sets that this resource owns as a whole. */
  readonly entryTypes?: readonly string[];
  /**
   * Returns the part of the state that a destroy deletes: the state without the entries for which `isKept` returns true. Define
   * this function only if other declarations can own entries of the object's whole sets.
   */
  deleted?(declared: Declared<A>, state: ValueObject, isKept: Stays): ValueObject;
}

/** Returns whether another object declares this set or entry, so that a destroy must keep it. */
export type Stays = (owned: Ownership) => boolean;

/** A type that has either all members of an ability, or none. */
type Maybe<Ability> = Ability | { readonly [Member in keyof Ability]?: never };

/** The optional abilities that a definition adds with one member each. */
export interface Abilities<A extends Attributes, Client, Kind extends string> {
  /** Returns problems with combinations of attributes. Values can be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /** Returns problems that can be found only after references are resolved, such as a container that refers to itself. */
  check?(declared: Declared<A>, container: number): readonly Diagnostic[];
  /** The role that the token's user needs for writes. Omit this property if the role is the usual role for the container. */
  readonly writers?: {
    /** The number by which the provider identifies the role. */
    readonly role: number;
    /** A sentence that says who can change the object. If the service refuses a request, the error contains this sentence. */
    readonly description: string;
  };
  /**
   * The upgrades, by stored schema version. Each upgrade converts the attributes to the next version, and Steward runs the
   * upgrades one after the other. All versions from 0 to the one before the current version must have an upgrade.
   */
  readonly upgrades?: Readonly<Record<number, (stored: ValueObject) => ValueObject>>;
  /** Whether the key contains all attributes. A live object with this key then always equals the declaration. */
  readonly isEntry?: boolean;
  /**
   * The sets and entries that an object owns, and that other declarations could also claim. By default, an object owns only
   * itself.
   */
  readonly owns?: Owned<A>;
  /** Functions that return additional diagnostics for the plan of an object. */
  readonly onPlan?: {
    /**
     * Returns diagnostics for a new object, for example because its creation changes existing objects. This function can send
     * reads, but no writes. Throws the API's `already_there` if an existing object prevents the creation.
     */
    create?(scope: Scope<Client>, declared: Declared<A>): Promise<readonly Diagnostic[]>;
    /**
     * Returns diagnostics for a change of an existing object. This function can send reads, but no writes. If one of the
     * diagnostics is an error, the plan fails.
     */
    update?(
      declared: Declared<A>,
      prior: ValueObject,
      scope: Scope<Client>,
    ): readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
  };
  /**
   * Returns the key that `list` has for this declaration's object; undefined if it is the declared key.
   * @throws the client's errors
   */
  listedKey?(scope: Scope<Client>, declared: Declared<A>): Promise<string | undefined>;
  /**
   * Returns whether an interrupted create of this declaration may have produced the live object. `before` is the object before
   * this create. Define this function only if every container has one such object and the create sends several writes.
   */
  isBegun?(declared: Declared<A>, found: Found<A, Kind>, before: Found<A, Kind>): boolean;
  /** The values that settings have in a container that was never configured. Adoption leaves out settings with these values. */
  readonly defaults?: { readonly [Name in keyof A]?: Value };
  /**
   * Whether access depends on the settings of this resource. If true, adoption declares all these settings, even at their
   * defaults, because Steward does not notice changes of undeclared settings.
   */
  readonly isAccessRelevant?: boolean;
  /** Returns the settings that no declaration can express although access depends on them, each with the reason as a clause. */
  undeclarable?(found: Found<A, Kind>): { readonly [Name in keyof A]?: string };
  /**
   * The access that objects of this resource grant. Without this property, access reports list all changes of these objects as
   * not counted.
   */
  readonly access?: AccessDeclaration;
}

/** The access that objects of a resource grant. A provider can add the properties that its `describeAccess` needs. */
export interface AccessDeclaration {
  /** The kind of access, such as `entrance`; `nothing` for objects that grant no access. */
  readonly grants: string;
}

/** The description of the key that identifies an object within its container. */
interface Key<A extends Attributes, Client, Kind extends string> {
  /** The name of the key in messages and documentation, such as `target id`. */
  readonly name: string;
  readonly example: string;
  /** The names of the attributes that contain the key. If there are several attributes, each object sets exactly one of them. */
  readonly attributes: readonly (keyof A & string)[];
  /** Returns the name of the attribute that contains a key. Define this function only if `attributes` has several names. */
  attributeOf?(key: string): string;
  /** Returns the key of an object. For a declaration whose key the service will assign, returns an empty text. */
  of(object: Declared<A> | Found<A, Kind>): string;
  /**
   * True if ids contain the key in the live object's spelling; a comparison of identities then ignores upper and lower case.
   * Default: false.
   */
  readonly isAsShown?: true;
  /** Returns the name that people see for a live object. The default is its `unique` text, or else its key. */
  label?(found: Found<A, Kind>): string;
  /**
   * Returns a text of the object, such as its pattern, that is unique within a container. Define this function only if the
   * service assigns the key.
   */
  unique?(object: Declared<A> | Found<A, Kind>): string;
  /** Returns the live objects with the same `unique` text. By default, Steward searches the result of `list`. */
  alike?(scope: Scope<Client>, unique: string): Promise<readonly Found<A, Kind>[]>;
  /**
   * Returns names in the container that a declared key can refer to, although `list` does not return them. @throws the client's
   * errors
   */
  otherNames?(scope: Scope<Client>): Promise<readonly string[]>;
  /**
   * Returns one canonical key for all keys that mean the same object. The function uses only facts that the run already knows,
   * and sends no request. By default, each key is canonical.
   */
  sameAs?(scope: Scope<Client>, key: string): Promise<string>;
}

/**
 * The required part of a resource's definition. Plan, apply, drift, schema, constructs and reference pages all use this
 * definition. Steward resolves references to ids before it calls a lifecycle function. The folder `operations` handles spelling,
 * defaults, lost responses and 404s for all resources.
 *
 * With only these members, Steward can create, read, list and import objects of the resource. The interfaces `Abilities`,
 * `Updatable` and `Deletable` describe optional members.
 */
export interface ResourceCore<A extends Attributes, Client, Kind extends string> {
  /** The type name without the provider's prefix. */
  readonly type: string;
  /**
   * The schema version of stored states. Increment the version with each change of the attributes for which older states need an
   * upgrade. Default: 0.
   */
  readonly version?: number;
  /** The description of the resource, as Markdown. Lists of resources contain only the first sentence of the description. */
  readonly description: string;
  readonly attributes: A;
  /**
   * The kind of the container, such as `space`. The kind is also the name of the attribute with the id or path of the container.
   * Each object's id begins with its container's id.
   */
  readonly container: Kind;
  /**
   * The feature of the container that this resource configures, as a noun phrase. If all endpoints of the feature respond 404,
   * the error contains this phrase.
   */
  readonly feature: string;
  /** The key of an object within its container. Omit this property if each container has exactly one object of this type. */
  readonly key?: Key<A, Client, Kind>;

  /**
   * Creates the object without a read before the write, and returns the object. Throws the API's errors. A create with several
   * writes throws `SomeWritesFailed` if a write fails.
   */
  create(scope: Scope<Client>, declared: Declared<A>): Promise<Found<A, Kind>>;
  /**
   * Returns the live object; undefined if it does not exist. Can also throw the API's `not_found`, which means that the object or
   * its container is missing. `known` is the state, if any, and supplies attributes that the service does not return.
   */
  read(scope: Scope<Client>, key: string, known?: ValueObject): Resolution<Found<A, Kind> | undefined>;
  /** Returns all live objects of this type in the container. */
  list(scope: Scope<Client>): Promise<readonly Found<A, Kind>[]>;
}

/** The definition of a resource: the required core and optional abilities. */
export type ResourceDefinition<
  A extends Attributes = Attributes,
  Client = unknown,
  Kind extends string = string,
> = ResourceCore<A, Client, Kind> &
  Abilities<A, Client, Kind> &
  Maybe<Updatable<A, Client, Kind>> &
  Maybe<Deletable<Client>>;

/** The definition of a data source. The arguments of a data source are the attributes that are not computed. */
export interface DataSourceDefinition<
  A extends Attributes = Attributes,
  Client = unknown,
  Kind extends string = string,
> {
  readonly type: string;
  readonly description: string;
  readonly attributes: A;
  /** Returns problems with combinations of arguments. Values can be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /**
   * The collections from which the data source returns whole records. The run then caches these records without the projection.
   */
  readonly shows?: readonly AnyCollection[];
  /** Returns all attributes of the data source. `config` contains the declared arguments. */
  read(scope: DataScope<Client, Kind>, config: ValueObject): Promise<ValueObject>;
}

/** Returns whether a destroy of an object changes nothing on the service. */
export const isLeftOnDestroy = (
  { delete: destroy, isLeftOnDestroy: isLeft }: Pick<ResourceDefinition, "delete" | "isLeftOnDestroy">,
  state: ValueObject,
): boolean => destroy === undefined || isLeft?.(state) === true;
