import type { AccessChange } from "../framework";
import type { Attributes } from "../schema";
import type { StrictnessRules } from "./strictness";

/**
 * The access that objects of a resource grant: to whom, at which level, and where. The members contain names
 * of attributes. `access/` evaluates each kind of grant, so a resource with a known kind needs no code there.
 */
export type AccessDeclaration<A extends Attributes = Attributes> = Grant<A> & {
  /**
   * The changes of each attribute that loosen or tighten access. Attributes without an entry do not affect
   * access.
   */
  readonly strictness: StrictnessRules<keyof A & string>;
};

export type Grant<A extends Attributes = Attributes> =
  | { readonly grants: "nothing" }
  | MembershipGrant<keyof A & string>
  | JobTokenGrant<keyof A & string>
  | DeploymentGrant<keyof A & string>
  | ImageGrant<keyof A & string>;

export type GrantKind = Exclude<Grant["grants"], "nothing">;

/** A planned change, with the declaration of one kind of access in the file of its resource. */
export interface Granting<Kind extends GrantKind> {
  readonly change: AccessChange;
  readonly grant: Extract<Grant, { readonly grants: Kind }>;
}

/** A person becomes a member of the container. */
export interface MembershipGrant<Name extends string = string> {
  readonly grants: "membership";
  /**
   * Identifies the person by e-mail address (`email`) or as a user (`user`). Exactly one of the two
   * attributes is set.
   */
  readonly email: Name;
  readonly user: Name;
  readonly level: Name;
  /** The custom role of the person, which may allow more than its level. */
  readonly customRole: Name;
  /** Computed: `pending`, `queued`, `expired` or `accepted`. */
  readonly status: Name;
}

/** Job tokens of other projects reach the container. */
export interface JobTokenGrant<Name extends string = string> {
  readonly grants: "job_tokens";
  /** Whether tokens are limited to the allowlist. */
  readonly limit?: Name;
  /** The projects or groups on the allowlist: one reference, or a set of them. */
  readonly project?: Name;
  readonly group?: Name;
  /** Whether the set is the complete allowlist, so that all other entries are removed. */
  readonly isWhole?: boolean;
}

/** People deploy to an environment of the container, and approve deployments. */
export interface DeploymentGrant<Name extends string = string> {
  readonly grants: "deployments";
  /** The name of the environment. */
  readonly name: Name;
  /** The sets of entries by user, group or level. */
  readonly deploy: Name;
  readonly approve: Name;
}

/** People push and delete container images. */
export interface ImageGrant<Name extends string = string> {
  readonly grants: "images";
  /** The pattern of the images, in which `*` matches any text. */
  readonly pattern: Name;
  /** The lowest levels that may push or delete, by their name on the service. */
  readonly push: Name;
  readonly delete: Name;
  /** Computed: the id of the rule. */
  readonly rule: Name;
  /** The number of each level. */
  readonly levels: Readonly<Record<string, number>>;
}
