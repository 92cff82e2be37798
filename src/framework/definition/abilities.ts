import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, Value, ValueObject } from "../../schema";
import type { Ownership } from "../ownership/ownership";
import type { Found, Scope } from "./scope";

// The abilities of a resource beyond create, read and list. A definition has an ability if it has the ability's members.

/** Declarations have additional validation rules. */
export interface Validated<A extends Attributes> {
  /** Rules over several attributes; values may be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /** Rules that need resolved references, such as "not the container itself". */
  check?(declared: Declared<A>, container: number): readonly Diagnostic[];
}

/** Writes need another role than usual in the container. */
export interface Restricted {
  readonly writers: {
    /** The required role, as the provider numbers roles. */
    readonly role: number;
    /** A sentence that says who may change it, for the error after a refused request. */
    readonly description: string;
  };
}

/** States of older schema versions can be read. */
export interface Upgradable {
  /**
   * By stored schema version: converts the attributes to the next version. One for each version from 0 up to the current
   * one (exclusive); they are applied one after the other.
   */
  readonly upgrades: Readonly<Record<number, (stored: ValueObject) => ValueObject>>;
}

/** Objects can be changed in place. Without this ability, every change replaces the object. */
export interface Updatable<A extends Attributes, Client, Kind extends string> {
  /**
   * Changes the observed object to the declared one. Called only if they differ, and once more after a lost response.
   * Throws the same errors as `create`.
   */
  update(scope: Scope<Client>, declared: Declared<A>, observed: Found<A, Kind>): Promise<Found<A, Kind>>;
  /** Whether an update adds records, so that sending it twice may add them twice. */
  readonly updateAdds?: boolean;
}

/** Destroying an object sends requests. Without this ability, destroying does not change the service. */
export interface Deletable<Client> {
  /**
   * Throws the API's `not_found` if the object is already gone, which counts as success. May return warnings about what
   * is not deleted. `stays` tells which entries of a set another object declares: they must not be deleted.
   */
  delete(
    scope: Scope<Client>,
    key: string,
    state: ValueObject,
    stays: Stays,
  ): Promise<readonly Diagnostic[] | undefined>;
  /** Whether destroying this object does not change the service, if that is true of some objects only. */
  leftOnDestroy?(state: ValueObject): boolean;
}

/** The key contains all attributes: an existing object with the key always equals the declaration. */
export interface Entry {
  readonly isEntry: boolean;
}

/** Owns something that another declaration could own too: entries of sets, or whole sets. Default: its key. */
export interface Owner<A extends Attributes> {
  readonly owns: Owned<A>;
}

/** What a declaration owns; the plan refuses two owners of the same. */
export interface Owned<A extends Attributes> {
  /** The sets that it owns as a whole. Absent if it owns only `entries`. */
  whole?(declared: Declared<A>): readonly string[];
  /** The entries of sets that exist because of it. Absent if what it owns as a whole has no entries that others may own. */
  entries?(declared: Declared<A>): readonly Ownership[];
  /** The types that own entries of the sets that this one owns as a whole. */
  readonly entryTypes?: readonly string[];
  /** For whole sets whose entries others may own: the part of the state that a destroy deletes, without what stays. */
  deleted?(declared: Declared<A>, state: ValueObject, stays: Stays): ValueObject;
}

/** Whether another object declares a part of the object to destroy. */
export type Stays = (owned: Ownership) => boolean;

/** Adds diagnostics to a plan. */
export interface PlanHooks<A extends Attributes, Client> {
  readonly onPlan: {
    /**
     * Diagnostics for a new object, for example because its creation changes existing objects. May send reads.
     * Throws the API's `already_there` if an existing object prevents the creation.
     */
    create?(scope: Scope<Client>, declared: Declared<A>): Promise<readonly Diagnostic[]>;
    /** Diagnostics for a change of an existing object; an error refuses it before anything is sent. */
    update?(declared: Declared<A>, prior: ValueObject): readonly Diagnostic[];
  };
}

/** The container's list shows an object under a key that differs from its own. */
export interface ListedElsewhere<A extends Attributes, Client> {
  /** The key under which `list` shows the object of this declaration. @throws the client's errors */
  listedKey(scope: Scope<Client>, declared: Declared<A>): Promise<string | undefined>;
}

/** An interrupted create of several writes can be distinguished from an object that somebody else created. */
export interface Recoverable<A extends Attributes, Kind extends string> {
  /**
   * Whether the live object may result from an interrupted create of this declaration; `before` is the object before
   * that create. For objects that every container always has one of.
   */
  isBegun(declared: Declared<A>, found: Found<A, Kind>, before: Found<A, Kind>): boolean;
}

/** Settings have known values in a container that was never configured. */
export interface Defaulted<A extends Attributes> {
  /** The service's own values of settings. Adoption omits settings that have them. */
  readonly defaults: { readonly [Name in keyof A]?: Value };
  /**
   * Who may do what depends on these settings: adoption declares them also if they have their defaults. Left out, nobody would see
   * that somebody changes them.
   */
  readonly decidesAccess?: boolean;
}

/** Either all members of an ability, or none. */
type Maybe<Ability> = Ability | { readonly [Member in keyof Ability]?: never };

/** All abilities that a resource may have. */
export type Abilities<A extends Attributes, Client, Kind extends string> = Validated<A> &
  Partial<
    Restricted &
      PlanHooks<A, Client> &
      Upgradable &
      Owner<A> &
      Entry &
      ListedElsewhere<A, Client> &
      Recoverable<A, Kind> &
      Defaulted<A>
  > &
  Maybe<Updatable<A, Client, Kind>> &
  Maybe<Deletable<Client>>;
