import type { Diagnostic } from "../../diagnostics";
import type { AccessReport, LiveContainer, LiveObject } from "../../framework";
import type { Attributes, ValueObject } from "../../schema";
import type { ChangeContainer, ChangeMetadata, Plan, ResourceChange } from "./plan";

/** A difference between the state and the service in a declared object. */
export interface DriftedObject {
  readonly kind: "changed" | "vanished";
  /** The values of the object: `before` after the last apply, and `after` now. `after` is null if the object vanished. */
  readonly change: Plan["drift"][number];
  /** The declared attributes that differ; empty for a vanished object. */
  readonly attributes: readonly string[];
  /**
   * The current declared values that differ from the applied values. For a vanished object, it contains the values of all
   * attributes.
   */
  readonly declared: ValueObject;
  /**
   * The attributes that differ and that may not be declared. It exists only if the configuration is not
   * known.
   */
  readonly notKnownDeclared?: readonly string[];
}

/** An object with the values of the state. */
export type StoredObject = ChangeMetadata & Pick<ResourceChange, "before">;

/** A declared object that the drift detection could not read. */
export interface UncheckedObject {
  readonly object: StoredObject;
  /** The reasons. The diagnostics of the report include them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The drift of the declared settings. */
export interface DriftReport extends Pick<Plan, "diagnostics"> {
  readonly drifted: readonly DriftedObject[];
  /** The declared objects of the state that were compared, with the values of the state. */
  readonly objects: readonly StoredObject[];
  readonly unchecked: readonly UncheckedObject[];
  /**
   * The managed resources to which each managed resource refers. For a state without a configuration, the resources
   * after which it was applied.
   */
  readonly dependencies?: Plan["basis"]["dependencies"];
  /** The scans for undeclared objects; empty without `coverage`. */
  readonly scans: readonly CoverageScan[];
  /** The access that the drift gave and took away, on request. */
  readonly access?: AccessReport;
}

/** A live object that is not declared. */
export interface UnmanagedObject {
  readonly type: string;
  /** The import ID of the object. */
  readonly id: string;
  /** The object's container, such as `space 42`. */
  readonly container: string;
  /** The container with its path and web address. Properties that the run does not know are absent. */
  readonly place?: ChangeContainer;
  readonly live: ValueObject;
  /** The attributes of the object's schema, for views. */
  readonly attributes: Attributes;
  /**
   * The attributes without a declaration whose values differ from the service's defaults. Only declared objects, and settings
   * that every container has, contain this field. `live` and `attributes` then contain only these attributes and the container.
   */
  readonly undeclared?: readonly string[];
  /** Set if objects of this type grant no access. */
  readonly grantsNothing?: true;
  /** Set if a declaration manages the object without the attributes of `undeclared`. */
  readonly isDeclared?: true;
  /** The reason, in sentences, why a plan would refuse a declaration of the object. */
  readonly undeclarable?: string;
  /**
   * The reason, in sentences, why the token can't list the objects of `type` in the container with the path
   * `id`.
   */
  readonly unlisted?: string;
  /**
   * Set for a container that no declaration names, inside a covered container. `type` is its kind, and `id`
   * its path. It has no attributes.
   */
  readonly isContainer?: true;
}

/** The scan of one client of a provider for undeclared objects. */
export interface CoverageScan {
  /** Identifies the service, to combine the scans of several stacks. */
  readonly service: string;
  /** All containers that declarations name. */
  readonly containers: readonly string[];
  /** The live objects in these containers that are not declared through this client. */
  readonly unmanaged: readonly UnmanagedObject[];
  /** The listing of these containers, with only these objects. */
  readonly listing: LiveListing;
}

/** The live objects of some containers. */
export interface LiveListing {
  /** The containers that were listed, sorted by path. */
  readonly containers: readonly LiveContainer[];
  /** The archived containers, which were skipped, sorted by path. */
  readonly archived: readonly LiveContainer[];
  /** The objects, sorted by container, type and id. The objects of a failed list are missing. */
  readonly objects: readonly LiveObject[];
  /** Types that could not be listed, by container and type. */
  readonly failures: readonly ListFailure[];
  /** The reasons why containers were not found. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A type whose objects could not be listed in one container. */
export interface ListFailure {
  readonly type: string;
  readonly container: LiveContainer;
  /** Whether the token is not allowed to list the objects. */
  readonly isRefused: boolean;
  readonly diagnostics: readonly Diagnostic[];
}
