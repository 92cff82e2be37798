import type { Diagnostic } from "../../diagnostics";
import type { AccessReport } from "../../framework";
import type { Attributes, ValueObject } from "../../schema";
import type { LiveListing } from "../live/list-live";
import type { ChangeContainer, ChangeMetadata, Plan, ResourceChange } from "./plan";

/** A difference between the state and the service in a declared object. */
export interface DriftedObject {
  readonly kind: "changed" | "vanished";
  /** `before` is what was applied, from the state; `after` is live, and null if the object vanished. */
  readonly change: Plan["drift"][number];
  /** The declared attributes that differ; empty for a vanished object. */
  readonly attributes: readonly string[];
  /** Their current declared values, where these differ from what was applied; of a vanished object, those of all attributes. */
  readonly declared: ValueObject;
  /** Those of the attributes that are perhaps not declared; only where the configuration is not known. */
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
  /** The declared objects of the state that were compared, as the state has them. */
  readonly objects: readonly StoredObject[];
  readonly unchecked: readonly UncheckedObject[];
  /** For each managed resource, those that it refers to; of a state without a configuration, those that it was applied after. */
  readonly dependencies?: Plan["basis"]["dependencies"];
  /** The scans for undeclared objects; empty without `coverage`. */
  readonly scans: readonly CoverageScan[];
  /** Who gained and who lost access by the drift, if it was asked for. */
  readonly access?: AccessReport;
}

/** A live object that is not declared. */
export interface UnmanagedObject {
  readonly type: string;
  /** The id that an import takes. */
  readonly id: string;
  /** The object's container, such as `space 42`. */
  readonly container: string;
  /** The same with path and web address, as far as they are known. */
  readonly place?: ChangeContainer;
  readonly live: ValueObject;
  /** The schema's attributes, for views. */
  readonly attributes: Attributes;
  /**
   * Of settings that every container has, or of a declared object: the attributes without a declaration whose values are not the
   * service's defaults. `live` and `attributes` have these alone, beside the container.
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

/** What one client of a provider scanned for undeclared objects. */
export interface CoverageScan {
  /** Identifies the service, to combine the scans of several stacks. */
  readonly service: string;
  /** Every container that declarations touch. */
  readonly containers: readonly string[];
  /** Live objects in these containers that are not declared through this client. */
  readonly unmanaged: readonly UnmanagedObject[];
  /** The listing of these containers, with these objects alone. */
  readonly listing: LiveListing;
}
