import type { Diagnostic } from "../../diagnostics";
import type { StoredState, ValueObject } from "../../schema";
import type { Share } from "../ownership/ownership";

// Requests and responses about live objects and their containers.

/** The type of a request or an object. */
export interface OfType {
  readonly type: string;
}

/** The part that all responses share. */
export interface Answer {
  readonly diagnostics: readonly Diagnostic[];
}

/** A container of live objects, such as a space. */
export interface LiveContainer {
  /** The kind of reference that names it. */
  readonly kind: string;
  readonly id: number;
  readonly path: string;
  /** It is read-only. */
  readonly isArchived: boolean;
  /** The labels by which lists can select it, such as topics. Absent if its kind has none. */
  readonly labels?: readonly string[];
}

/** Which containers to look in. */
export interface ContainerSelection {
  /** Numeric ids or full paths. Without `kind`, each is looked up as every kind of container. */
  readonly names: readonly string[];
  readonly kind?: string | undefined;
  /** Which containers inside the named ones are included: none, those directly inside, or all. */
  readonly contents: "none" | "direct" | "nested";
  /** The kind of the containers inside that are included; all kinds by default. */
  readonly only?: string;
  /**
   * All containers that the token's user is a member of, instead of named ones; for an administrator, all
   * containers. A topic, and a text in the name or path, limit them.
   */
  readonly all?: { readonly topic?: string | undefined; readonly search?: string | undefined } | undefined;
}

/** Containers of one result, such as one page, and diagnostics about containers that can't be found. */
export interface FoundContainers extends Answer {
  readonly containers: readonly LiveContainer[];
}

export interface ListRequest extends OfType {
  /** The container: as `findContainers` returned it, or its numeric id or full path. */
  readonly within: LiveContainer | string;
}

export interface ListResponse extends Answer {
  /** Sorted by id; none on errors, and none if the container's feature is disabled. */
  readonly objects: readonly LiveObject[];
  /** The container's feature is disabled: the container is readable, and the service has none of these objects there. */
  readonly isUnavailable?: boolean;
  /** The token may not list them. */
  readonly isRefused?: boolean;
}

/** A live object. */
export interface LiveObject extends OfType {
  /** As import accepts it: `42:production`. */
  readonly id: string;
  readonly container: LiveContainer;
  /** All attributes, as an import returns them, with full paths for references. */
  readonly state: StoredState;
  /** The name within its container, for people, such as `production`; absent if each container has exactly one. */
  readonly label?: string;
  /** For people: `acme/web: production`. */
  readonly name: string;
  /** The ownership of a declaration for it. Declarations that own one of these parts cover the object. */
  readonly shares: readonly Share[];
  /** The attributes with the service's default value. A container without any configuration has these values. */
  readonly defaults: readonly string[];
  /** Every setting has the service's default value, so there is nothing to declare. */
  readonly isDefault: boolean;
  /** Whether access depends on the object. It is then worth a declaration even with default values. */
  readonly isAccessRelevant?: true;
  /** Why a declaration of it would be refused, in sentences. Absent if it can be declared. */
  readonly undeclarable?: string;
}

export interface QueryRequest extends OfType {
  /** The configuration, with the attributes of `schema.listResources`; wholly known. */
  readonly config: ValueObject;
  /** The number of objects after which the query ends. Default: all. */
  readonly limit?: number | undefined;
}

/** A live object, or diagnostics, or both. */
export interface QueryEvent extends Answer {
  readonly object?: LiveObject;
}

/** How a type of resource is listed. */
export interface ListedType {
  /** The kind of its container. */
  readonly container: string;
  /** Each container has exactly one of these objects. */
  readonly isSingle: boolean;
  /** The type that owns as a whole the sets whose entries this type owns. */
  readonly wholeType?: string;
  /** Whether its objects grant no access. Absent if they grant access, or if the provider does not declare it. */
  readonly grantsNothing?: true;
}

/** A declaration, with the state of its object if it exists. Unknown values claim nothing. */
export interface DeclaredObject extends OfType {
  readonly config: ValueObject;
  readonly state: StoredState | undefined;
}

export interface CoverResponse extends Answer {
  /** Its container; absent if that is not known yet. */
  readonly container?: { readonly kind: string; readonly id: number };
  /** Its ownership. It covers the live objects that have one of these parts. */
  readonly shares: readonly Share[];
}
