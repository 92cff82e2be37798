import type { Diagnostic } from "../../diagnostics";
import type { AccessReport, LiveContainer, LiveObject } from "../../framework";
import type { Attributes, ValueObject } from "../../schema";
import type { ChangeContainer, ChangeMetadata, Plan, ResourceChange } from "./plan";

/** A declared object that differs between the state and the service. */
export interface DriftedObject {
  readonly kind: "changed" | "vanished";
  /**
   * The values of the object. `before` has the values after the last apply, and `after` has the values now, or null if the
   * object vanished.
   */
  readonly change: Plan["drift"][number];
  /** The names of the declared attributes that differ; empty for a vanished object. */
  readonly attributes: readonly string[];
  /**
   * The values in the current configuration that differ from the applied values. For a vanished object, all declared attributes
   * are compared. For any other object, only `attributes` are compared.
   */
  readonly declared: ValueObject;
  /** The names of the attributes that differ, but are possibly not declared. Set only if the configuration is not known. */
  readonly notKnownDeclared?: readonly string[];
}

/** An object with its values in the state. */
export type StoredObject = ChangeMetadata & Pick<ResourceChange, "before">;

/** A declared object that the drift detection could not read. */
export interface UncheckedObject {
  readonly object: StoredObject;
  /** The reasons why the object could not be read. The report contains these diagnostics too. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of a drift detection: the declared settings that differ on the service. */
export interface DriftReport extends Pick<Plan, "diagnostics"> {
  readonly drifted: readonly DriftedObject[];
  /** The objects that were compared. The compared objects are declared objects, with their values in the state. */
  readonly objects: readonly StoredObject[];
  readonly unchecked: readonly UncheckedObject[];
  /**
   * The managed resources to which each managed resource refers. If only a state is known, the field contains the
   * dependencies that the state records.
   */
  readonly dependencies?: Plan["basis"]["dependencies"];
  /** The scans for undeclared objects; empty without `coverage`. */
  readonly scans: readonly CoverageScan[];
  /** The access that the drift gave and took away. Set only if the run requests this report. */
  readonly access?: AccessReport;
}

/** A live object that is not declared. */
export interface UnmanagedObject {
  readonly type: string;
  /** The import ID of the object. */
  readonly id: string;
  /** The object's container, such as `space 42`. */
  readonly container: string;
  /** The container with its path and web address, as far as the run knows them. */
  readonly place?: ChangeContainer;
  readonly live: ValueObject;
  /** The attributes of the object's schema, for views. */
  readonly attributes: Attributes;
  /**
   * The names of the undeclared attributes whose values are not the defaults of the service. Set only for a declared object,
   * and for settings that every container has. `live` and `attributes` then contain only these attributes and the container.
   */
  readonly undeclared?: readonly string[];
  /** Set if objects of this type grant no access. */
  readonly grantsNothing?: true;
  /** Set if the object is declared, but its declaration omits the attributes in `undeclared`. */
  readonly isDeclared?: true;
  /** The reason, in sentences, why a plan would refuse a declaration of the object. */
  readonly undeclarable?: string;
  /**
   * The reason, in sentences, why the token can't list the objects of `type` in a container. If this field is set, `id`
   * is the path of the container.
   */
  readonly unlisted?: string;
  /**
   * Set if this entry is an undeclared container inside a container that the scan covers. `type` is then the kind of the
   * container, and `id` is its path. The entry has no attributes.
   */
  readonly isContainer?: true;
}

/** The result of a scan for undeclared objects with one provider configuration. */
export interface CoverageScan {
  /** The service that was scanned. The scans of several stacks on one service are combined. */
  readonly service: string;
  /** All containers that the declarations of this provider configuration name. */
  readonly containers: readonly string[];
  /** The live objects in these containers that this provider configuration does not declare. */
  readonly unmanaged: readonly UnmanagedObject[];
  /** The list of the live objects in these containers, reduced to the unmanaged objects. */
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
  /** The lists that failed, sorted by container and type. */
  readonly failures: readonly ListFailure[];
  /** The reasons why selected containers were not found. */
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
