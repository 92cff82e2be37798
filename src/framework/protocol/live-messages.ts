import type { Diagnostic } from "../../diagnostics";
import type { StoredState, ValueObject } from "../../schema";
import type { Share } from "../ownership/owners";

// Messages: requests and responses about live objects and their containers.

/** The resource type that a request or an object belongs to. */
export interface OfType {
  readonly type: string;
}

/** The properties that all results in this file have. */
export interface Answer {
  readonly diagnostics: readonly Diagnostic[];
}

/** A container of live objects, such as a space. */
export interface LiveContainer {
  /** The kind of the container. References to the container have the same kind. */
  readonly kind: string;
  readonly id: number;
  readonly path: string;
  /** Whether the container is archived, and therefore read-only. */
  readonly isArchived: boolean;
  /**
   * The labels of the container, such as topics. A list can select containers by label. Absent if this kind of container has no
   * labels.
   */
  readonly labels?: readonly string[];
}

/** The containers to search. */
export interface ContainerSelection {
  /**
   * The numeric ids or full paths of containers. Without `kind`, each name is looked up as every kind of container that can have
   * such a name.
   */
  readonly names: readonly string[];
  readonly kind?: string | undefined;
  /** The containers inside the named containers that are also selected: none, only direct ones, or all at any depth. */
  readonly contents: "none" | "direct" | "nested";
  /** The kind of the selected containers inside the named containers. By default, all kinds are selected. */
  readonly only?: string;
  /**
   * Selects all containers that the token's user is a member of, instead of named containers. For an administrator, this property
   * selects all containers of the service. `topic` and `search`, a text in the name or path, restrict the selection.
   */
  readonly all?: { readonly topic?: string | undefined; readonly search?: string | undefined } | undefined;
}

/** The containers of one result, such as one page, and diagnostics about names that no container has. */
export interface FoundContainers extends Answer {
  readonly containers: readonly LiveContainer[];
}

export interface ListRequest extends OfType {
  /** The container whose objects are listed: a container from `findContainers`, or a numeric id or full path. */
  readonly within: LiveContainer | string;
}

export interface ListResponse extends Answer {
  /** The objects, sorted by id. The list is empty after an error, or if the container's feature is disabled. */
  readonly objects: readonly LiveObject[];
  /**
   * Whether the container's feature for these objects is disabled. The token can read the container, but the container has no
   * such objects.
   */
  readonly isUnavailable?: boolean;
  /** Whether the service refuses the list of objects because the token lacks permission. */
  readonly isRefused?: boolean;
}

/** A live object. */
export interface LiveObject extends OfType {
  /** The import ID, such as `42:production`. */
  readonly id: string;
  readonly container: LiveContainer;
  /** All attributes in the form that an import returns, with full paths for references. */
  readonly state: StoredState;
  /**
   * The name of the object within its container, for people, such as `production`. Absent if each container has exactly one of
   * these objects.
   */
  readonly label?: string;
  /** The name of the object with its container, for people, such as `acme/web: production`. */
  readonly name: string;
  /**
   * The parts of sets that a declaration of the object would own. If a declaration already owns one of these parts, the object
   * counts as declared.
   */
  readonly shares: readonly Share[];
  /** The names of the attributes with a default value of the service, as in a container that was never configured. */
  readonly defaults: readonly string[];
  /** Whether every setting has the service's default value, so that no declaration is needed. */
  readonly isDefault: boolean;
  /** Whether access depends on the object. If true, adoption declares the object even if all its values are defaults. */
  readonly isAccessRelevant?: true;
  /**
   * One or more sentences with the reason why a plan would refuse a declaration of the object. Absent if the object can be
   * declared.
   */
  readonly undeclarable?: string;
  /**
   * The settings of the object that no declaration can express although access depends on them, each with the reason as a
   * clause. Absent if there are none.
   */
  readonly undeclarableSettings?: Readonly<Record<string, string>>;
}

export interface QueryRequest extends OfType {
  /**
   * The configuration of the query, with the attributes in `schema.listResources`. The configuration contains no unknown values.
   */
  readonly config: ValueObject;
  /** The maximum number of objects that the query returns. By default, there is no limit. */
  readonly limit?: number | undefined;
}

/** One event of a query: a live object, diagnostics, or both. */
export interface QueryEvent extends Answer {
  readonly object?: LiveObject;
}

/** A type whose live objects Steward can list. */
export interface ListedType {
  /** The kind of the container that each object belongs to. */
  readonly container: string;
  /** Whether each container has exactly one object of this type. */
  readonly isSingle: boolean;
  /** For a type whose objects own single entries of sets: the type whose objects own these sets as a whole. */
  readonly wholeType?: string;
  /** Whether objects of this type grant no access. Absent if the objects grant access, or if the provider does not say. */
  readonly grantsNothing?: true;
}

/**
 * A declaration, with the state of its object if it exists. For an attribute with an unknown value, the declaration owns no
 * parts.
 */
export interface DeclaredObject extends OfType {
  readonly config: ValueObject;
  readonly state: StoredState | undefined;
}

export interface CoverResponse extends Answer {
  /** The container of the declaration; absent if it is unknown. */
  readonly container?: { readonly kind: string; readonly id: number };
  /** The parts that the declaration owns. Each live object with one of these parts counts as declared. */
  readonly shares: readonly Share[];
}
