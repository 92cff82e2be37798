import type { Diagnostic } from "../../diagnostics";
import type { AccessReport } from "../../framework";
import type { Attributes, ValueObject } from "../../schema";
import type { LiveListing } from "../live/list-live";
import type { ChangeContainer, ChangeMetadata, Plan, ResourceChange } from "./plan";

/** A difference between the state and the service in a declared object. */
export interface DriftedObject {
  readonly kind: "changed" | "vanished";
  /** `before` is the applied object in the state. `after` is the live object, or null if it vanished. */
  readonly change: Plan["drift"][number];
  /** The declared attributes that differ; empty for a vanished object. */
  readonly attributes: readonly string[];
  /**
   * The current declared values that differ from the applied values. For a vanished object, the values of all
   * attributes.
   */
  readonly declared: ValueObject;
  /** The differing attributes that may not be declared; only if the configuration is not known. */
  readonly notKnownDeclared?: readonly string[];
}

/** An object with the values of the state. */
export type StoredObject = ChangeMetadata & Pick<ResourceChange, "before">;

/** A declared object that could not be read. */
export interface UncheckedObject {
  readonly object: StoredObject;
  /** Why; the report's diagnostics include these. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The drift of a plan, as far as the configuration declares it. */
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
  /** The id that an import takes. */
  readonly id: string;
  /** The object's container, such as `space 42`. */
  readonly container: string;
  /** The container with path and web address, as far as they are known. */
  readonly place?: ChangeContainer;
  readonly live: ValueObject;
  /** The schema's attributes, for views. */
  readonly attributes: Attributes;
  /**
   * The attributes without a declaration whose values differ from the service's defaults. Only settings that every
   * container has, and declared objects, have it. `live` and `attributes` then have only these attributes and the
   * container.
   */
  readonly undeclared?: readonly string[];
  /** Its type declares that its objects grant no access. */
  readonly grantsNothing?: true;
  /** A declaration manages the object, and leaves the attributes of `undeclared` out. */
  readonly isDeclared?: true;
  /** Why a declaration of it would be refused, in sentences. */
  readonly undeclarable?: string;
  /** This token may not list the objects of `type` in the container with the path `id`: the reason, in sentences. */
  readonly unlisted?: string;
  /** A container of a covered one that no declaration names: `type` is its kind, and `id` its path. It has no attributes. */
  readonly isContainer?: true;
}

/** The scan of one client of a provider for undeclared objects. */
export interface CoverageScan {
  /** Identifies the service, to combine the scans of several stacks. */
  readonly service: string;
  /** Every container that declarations touch. */
  readonly containers: readonly string[];
  /** Live objects in these containers that are not declared through this client. */
  readonly unmanaged: readonly UnmanagedObject[];
  /** The listing of these containers, with only these objects. */
  readonly listing: LiveListing;
}
