import type { Diagnostic } from "../../diagnostics";
import type { StoredState, ValueObject } from "../../schema";
import type { Share } from "../ownership/owners";

// Requests and responses about live objects and their containers.

/** The resource type that a request or an object belongs to. */
export interface OfType {
  readonly type: string;
}

/** The part that all results share. */
export interface Answer {
  readonly diagnostics: readonly Diagnostic[];
}

/** A container of live objects, such as a space. */
export interface LiveContainer {
  /** The kind of reference that names it. */
  readonly kind: string;
  readonly id: number;
  readonly path: string;
  /** Whether the container is archived, and therefore read-only. */
  readonly isArchived: boolean;
  /**
   * The labels of the container, such as topics. Lists can select containers by label. Absent if its kind has no
   * labels.
   */
  readonly labels?: readonly string[];
}

/** The containers to search. */
export interface ContainerSelection {
  /**
   * Numeric ids or full paths of containers. Without `kind`, each name is looked up as every kind of container
   * that it can be.
   */
  readonly names: readonly string[];
  readonly kind?: string | undefined;
  /** Which containers inside the named containers are also selected: none, the direct ones, or all at any depth. */
  readonly contents: "none" | "direct" | "nested";
  /** The kind of the containers inside the named ones that are selected. By default, all kinds are selected. */
  readonly only?: string;
  /**
   * Selects all containers that the token's user is a member of, instead of named containers. For an
   * administrator, it selects all containers of the service. `topic`, and `search` (a text in the name or path),
   * limit the selection.
   */
  readonly all?: { readonly topic?: string | undefined; readonly search?: string | undefined } | undefined;
}

/** Containers of one result, such as one page, and diagnostics about containers that can't be found. */
export interface FoundContainers extends Answer {
  readonly containers: readonly LiveContainer[];
}

export interface ListRequest extends OfType {
  /** The container: one from `findContainers`, or a numeric id or full path. */
  readonly within: LiveContainer | string;
}

export interface ListResponse extends Answer {
  /** The objects, sorted by id. The list is empty on errors, and if the container's feature is disabled. */
  readonly objects: readonly LiveObject[];
  /**
   * Whether the container's feature for these objects is disabled. The container itself can still be read, but it has no
   * such objects.
   */
  readonly isUnavailable?: boolean;
  /** Whether the token is not allowed to list the objects. */
  readonly isRefused?: boolean;
}

/** A live object. */
export interface LiveObject extends OfType {
  /** The import ID, such as `42:production`. */
  readonly id: string;
  readonly container: LiveContainer;
  /** All attributes, as an import returns them, with full paths for references. */
  readonly state: StoredState;
  /**
   * The name within the container, for people, such as `production`. It is absent if each container has
   * exactly one of these objects.
   */
  readonly label?: string;
  /** The name with the container, for people, such as `acme/web: production`. */
  readonly name: string;
  /**
   * The parts of sets that a declaration of the object would own. If another declaration owns one of these parts,
   * it already covers the object.
   */
  readonly shares: readonly Share[];
  /**
   * The names of the attributes whose values are the defaults of the service. A container without any
   * configuration has these values.
   */
  readonly defaults: readonly string[];
  /** Whether every setting has the service's default value, so that nothing needs a declaration. */
  readonly isDefault: boolean;
  /** Whether access depends on the object. Adoption then declares it even if all its values are defaults. */
  readonly isAccessRelevant?: true;
  /**
   * The reason, in sentences, why a plan would refuse a declaration of the object. It is absent if the object
   * can be declared.
   */
  readonly undeclarable?: string;
}

export interface QueryRequest extends OfType {
  /** The configuration, with the attributes of `schema.listResources`; wholly known. */
  readonly config: ValueObject;
  /** The number of objects after which the query ends. By default, there is no limit. */
  readonly limit?: number | undefined;
}

/** A live object, diagnostics, or both. */
export interface QueryEvent extends Answer {
  readonly object?: LiveObject;
}

/** The properties of a type whose live objects can be listed. */
export interface ListedType {
  /** The kind of container that the objects belong to. */
  readonly container: string;
  /** Whether each container has exactly one object of this type. */
  readonly isSingle: boolean;
  /** If the objects of this type own single entries of sets: the type whose objects own these sets as a whole. */
  readonly wholeType?: string;
  /** Whether the objects grant no access. Absent if they grant access, or if the provider does not declare it. */
  readonly grantsNothing?: true;
}

/**
 * A declaration, with the state of its object if it exists. If the value of an attribute is unknown, the
 * declaration owns no parts through this attribute.
 */
export interface DeclaredObject extends OfType {
  readonly config: ValueObject;
  readonly state: StoredState | undefined;
}

export interface CoverResponse extends Answer {
  /** The container; absent while it is not known. */
  readonly container?: { readonly kind: string; readonly id: number };
  /** The parts that the declaration owns. The declaration covers live objects that have one of these parts. */
  readonly shares: readonly Share[];
}
