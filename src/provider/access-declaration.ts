import type { AccessChange } from "../framework";
import type { Attributes } from "../schema";
import type { StrictnessRules } from "./strictness";

/**
 * The access that objects of a resource grant: to whom, at which level, and where. Each member of a grant is the
 * name of an attribute of the resource. The code in `access/` evaluates each kind of grant, so a new resource with
 * one of these kinds needs no code there.
 */
export type AccessDeclaration<A extends Attributes = Attributes> = Grant<A> & {
  /**
   * For each attribute, the rule that says which changes loosen or tighten access. Attributes without a rule do
   * not affect access.
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

/** A planned change, with the access that its resource declares. */
export interface Granting<Kind extends GrantKind> {
  readonly change: AccessChange;
  readonly grant: Extract<Grant, { readonly grants: Kind }>;
}

/** The grant of an invitation: a person becomes a member of the container. */
export interface MembershipGrant<Name extends string = string> {
  readonly grants: "membership";
  /**
   * The attribute with the person's e-mail address. `user` is the attribute with the id or name of the user. In an
   * invitation, exactly one of `email` and `user` is set.
   */
  readonly email: Name;
  readonly user: Name;
  readonly level: Name;
  /** The attribute with the person's custom role, which may allow more than the person's level. */
  readonly customRole: Name;
  /** The computed attribute with the status of the invitation: `pending`, `queued`, `expired` or `accepted`. */
  readonly status: Name;
}

/** The grant of an allowlist: job tokens of other projects can access the container. */
export interface JobTokenGrant<Name extends string = string> {
  readonly grants: "job_tokens";
  /** The attribute that says whether access is limited to the allowlist. */
  readonly limit?: Name;
  /**
   * The attribute with the projects on the allowlist: one reference, or a set of references. `group` is the attribute
   * with the groups.
   */
  readonly project?: Name;
  readonly group?: Name;
  /** Whether the declared set is the complete allowlist. The apply then removes all other entries. */
  readonly isWhole?: boolean;
}

/** The grant of a protected environment: people can deploy to it, or approve deployments. */
export interface DeploymentGrant<Name extends string = string> {
  readonly grants: "deployments";
  /** The attribute with the name of the environment. */
  readonly name: Name;
  /** The attribute with the set of entries for deployments. Each entry names a user, a group or a level. */
  readonly deploy: Name;
  readonly approve: Name;
}

/** The grant of a protection rule: people can push or delete container images. */
export interface ImageGrant<Name extends string = string> {
  readonly grants: "images";
  /** The attribute with the pattern of the images. In a pattern, `*` matches any text. */
  readonly pattern: Name;
  /** The attribute with the lowest level that can push. The value of this attribute is the service's name of the level. */
  readonly push: Name;
  readonly delete: Name;
  /** The computed attribute with the id of the rule. */
  readonly rule: Name;
  /** The number of each level, by the name of the level. */
  readonly levels: Readonly<Record<string, number>>;
}
