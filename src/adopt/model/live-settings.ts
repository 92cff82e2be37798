import type { ProviderSchema, ValueObject } from "../../engine";

/** Live settings, read from the service, that an app or a configuration is written for. */
export interface LiveSettings {
  readonly schema: ProviderSchema;
  /** Sorted by path. */
  readonly containers: readonly AdoptedContainer[];
  /** Selected containers that are not adopted, such as archived projects; sorted by path. */
  readonly skipped: readonly SkippedContainer[];
}

/** A project or group with its live objects. */
export interface AdoptedContainer {
  /** Its reference kind: `project` or `group`. */
  readonly kind: string;
  readonly id: number;
  /** Its full path, such as `acme/web-shop`. */
  readonly path: string;
  /** Sorted by type and id. */
  readonly objects: readonly AdoptedObject[];
  /** What no resource can declare, and what this token can't read. */
  readonly undeclarable: readonly Undeclarable[];
}

/** One live object. */
export interface AdoptedObject {
  /** The resource type, such as `steward_protected_environment`. */
  readonly type: string;
  /** The canonical import id, such as `42:production`. */
  readonly id: string;
  /** All attributes as an import returns them: references as full paths. */
  readonly attributes: ValueObject;
  /** Names of the attributes that have the service's default. */
  readonly defaults: readonly string[];
  /** Whether all settings have the service's default, so that there is nothing to declare. */
  readonly isDefault: boolean;
}

export interface SkippedContainer {
  readonly kind: string;
  readonly path: string;
  /** A clause, such as `it is archived`. */
  readonly why: string;
}

export interface Undeclarable {
  /** A noun phrase, such as `protected environment "production"`. May contain an e-mail address. */
  readonly what: string;
  /** A clause that says why no resource can declare it. May contain an e-mail address. */
  readonly why: string;
}

/** A file to write. */
export interface AdoptedFile {
  /** Relative to the folder of the app, with slashes. */
  readonly path: string;
  readonly text: string;
}
