import type { AttributePath } from "../../diagnostics";
import type { StoredState } from "../../provider/protocol";
import type { ValueObject } from "../../provider/schema";
import type { ResourceDeclaration } from "../config";
import type { Instance } from "../run/instances";
import type { StateObject } from "../run/objects";
import type { ResourceChange } from "./model";

/** What a plan knows of one object: what is shown of it, and what applying it needs. */
export interface Step {
  readonly change: ResourceChange;
  /** Key of the provider configuration. */
  readonly provider: string;
  /** Absent for an object that is declared no more. */
  readonly declared: { readonly declaration: ResourceDeclaration; readonly instance: Instance } | undefined;
  readonly object: StateObject | undefined;
  /** The live state that the plan rests on. */
  readonly prior: StoredState | undefined;
  readonly planned: StoredState | undefined;
  readonly config: ValueObject | undefined;
  /** Sensitive paths of the configuration. */
  readonly sensitive: readonly AttributePath[];
  /** Addresses of the resources and data sources that it depends on. */
  readonly dependencies: readonly string[];
}

export const isChange = ({ change: { action } }: Step): boolean => action !== "no-op" && action !== "read";
