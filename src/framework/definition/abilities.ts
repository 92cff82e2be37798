import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, ValueObject } from "../../schema";
import type { Ownership } from "../ownership/ownership";
import type { Found, Scope } from "./scope";

// What a resource may do beyond being created, read and listed. A definition has an ability by having its members.

/** Its declarations have rules of their own. */
export interface Validated<A extends Attributes> {
  /** Rules over several attributes; values may be unknown. */
  validate?(config: ValueObject): readonly Diagnostic[];
  /** Rules that need to know what references name, such as "not the container itself". */
  check?(declared: Declared<A>, container: number): readonly Diagnostic[];
}

/** Changing it takes another role than its container usually asks for. */
export interface Restricted {
  /** The role that changing it takes, as the provider numbers them; its own default without it. */
  readonly writtenFrom?: number;
  /** Who may change it, in a sentence, where the usual role is not enough: said when the service refuses. */
  readonly changedBy?: string;
}

/** States that were stored in another shape can be read. */
export interface Upgradable {
  /**
   * By the version that a state was stored under: its attributes in the shape of the next version. One for each
   * version from 0 to the present one; a state goes through all that it needs, one after the other.
   */
  readonly upgrades: Readonly<Record<number, (stored: ValueObject) => ValueObject>>;
}

/** An object can be changed in place. Without it, every change replaces. */
export interface Updatable<A extends Attributes, Client, Kind extends string> {
  /**
   * Brings what was observed just now to what is declared; called only where they differ, and once more after a lost
   * answer. Throws as `create` does.
   */
  update(scope: Scope<Client>, declared: Declared<A>, observed: Found<A, Kind>): Promise<Found<A, Kind>>;
  /** Whether an update adds records: sent twice, it may leave them twice. */
  readonly updateAdds?: boolean;
}

/** Destroying it asks something of the service. Without it, destroying leaves the service as it is. */
export interface Deletable<Client> {
  /**
   * Throws the API's `not_found` where the object is gone already, which counts as done. May warn of what stays. Of a
   * set, what others declare `stays`.
   */
  delete(
    scope: Scope<Client>,
    key: string,
    state: ValueObject,
    stays: Stays,
  ): Promise<readonly Diagnostic[] | undefined>;
  /** Whether destroying this one leaves the service as it is, where `delete` does that for some. */
  leftOnDestroy?(state: ValueObject): boolean;
}

/** Its key says all that it says: where one is there already, it is just as declared. */
export interface Entry {
  readonly isEntry: boolean;
}

/** It owns something that another declaration could own as well: an entry of a set, or the whole set. */
export interface Owner<A extends Attributes> {
  /** What this declaration owns; two that own the same are refused at plan. Its key, without this ability. */
  claims(declared: Declared<A>): readonly Ownership[];
  /** The types that own entries of the sets that this one owns as a whole. */
  readonly entryTypes?: readonly string[];
  /** What is there on account of this declaration, of what others may own too: what it claims, where this is absent. */
  has?(declared: Declared<A>): readonly Ownership[];
  /** Of a set that others may own entries of: the state of what goes when it is destroyed, without what stays. */
  leaves?(declared: Declared<A>, state: ValueObject, stays: Stays): ValueObject;
}

/** Whether another declaration owns a part of the object to destroy. */
export type Stays = (claim: Ownership) => boolean;

/** A plan says more than which attributes differ. */
export interface PlanHooks<A extends Attributes, Client> {
  /**
   * What to say, at plan, of a new object whose creation will change what is there: it may read. Throws the API's
   * `already_there` for what is in its way.
   */
  beforeCreate?(scope: Scope<Client>, declared: Declared<A>): Promise<readonly Diagnostic[]>;
  /** What to say, at plan, of a change to an object that exists; an error refuses it before anything is sent. */
  beforeUpdate?(declared: Declared<A>, prior: ValueObject): readonly Diagnostic[];
}

/** The list of the container shows an object under another key than its own. */
export interface ListedElsewhere<A extends Attributes, Client> {
  /** The key under which `list` shows the object of this declaration. @throws the client's errors */
  listedKey(scope: Scope<Client>, declared: Declared<A>): Promise<string | undefined>;
}

/** An interrupted create of several writes can be told apart from an object of another owner. */
export interface Recoverable<A extends Attributes, Kind extends string> {
  /**
   * Whether what is live may be the work of a create of this declaration that was cut short, `before` being what was
   * there. For what a container always has one of.
   */
  isBegun(declared: Declared<A>, found: Found<A, Kind>, before: Found<A, Kind>): boolean;
}

/** All members of an ability, or none. */
type Maybe<Ability> = Ability | { readonly [Member in keyof Ability]?: never };

/** Every ability that a resource may have. */
export type Abilities<A extends Attributes, Client, Kind extends string> = Validated<A> &
  Restricted &
  PlanHooks<A, Client> &
  Partial<Upgradable & Entry & ListedElsewhere<A, Client> & Recoverable<A, Kind>> &
  Maybe<Updatable<A, Client, Kind>> &
  Maybe<Deletable<Client>> &
  Maybe<Owner<A>>;
