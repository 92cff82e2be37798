import type { IConstruct } from "constructs";
import type { DeclaredProject } from "../declared/declared-project";
import type { ResourceAttributes } from "../generated";

/** The fix of a violation, such as `{ fix: "Set inboundEnabled: true." }`. */
export type Fix =
  | {
      /** A sentence that says how to fix the violation. */
      readonly fix: string;
      readonly mend?: undefined;
    }
  | {
      /** @deprecated Rename it to `fix`; this name is read until the next minor version. */
      readonly mend: string;
      readonly fix?: undefined;
    };

/** A violation of a rule by a project. */
export type Violation = Fix & {
  /**
   * The construct that causes the violation. If a declaration is missing, omit it: the error then names the first construct
   * of the project.
   */
  readonly construct?: IConstruct | undefined;
  /** A sentence that describes the problem. */
  readonly what: string;
  /** Set this if the rule can't be checked, because it needs a value that is known only after apply. */
  readonly isUndecided?: boolean | undefined;
};

/**
 * With `mandatory`, a violation is an error, and Steward applies nothing. With `advisory`, a violation is a
 * warning.
 */
export type PolicyLevel = "mandatory" | "advisory";

/** The properties that all rules share. */
interface RuleText {
  /** The name of the rule, in a few words, such as `inbound limit on`. Errors begin with it, and waivers refer to it. */
  readonly name: string;
  /** A sentence that gives the reason for the rule. Errors show it. */
  readonly why: string;
  /**
   * Whether a violation is an error or a warning.
   *
   * @default "mandatory"
   */
  readonly level?: PolicyLevel | undefined;
  /**
   * Allows `--waive` to accept violations of this rule for one run.
   *
   * @default true
   */
  readonly waivable?: boolean | undefined;
}

/**
 * A rule that checks each project of an app. You write a rule as an object:
 *
 * @example const noPages: PolicyRule = {
 * name: "no Pages settings",
 * why: "Only the platform team manages Pages.",
 * check: (project) =>
 * project.ofType("steward_pages_settings").map(({ construct }) => ({
 * construct,
 * what: "Pages settings are declared.",
 * fix: "Remove them.",
 * })), };
 */
export interface PolicyRule extends RuleText {
  /**
   * The name of the environment that the rule checks. Steward warns if the app protects an environment with a similar name,
   * but none with exactly this name.
   */
  readonly environment?: string | undefined;
  /** Returns all violations of a project; empty if there are none. */
  check(project: DeclaredProject): Iterable<Violation>;
}

/** A type of this provider's resources, such as `steward_protected_environment`. */
export type ResourceType = keyof ResourceAttributes;

/**
 * The attributes of an object, with types. For types of other providers, the values have no TypeScript types.
 */
export type AttributesOf<T extends string> = T extends ResourceType
  ? ResourceAttributes[T]
  : Readonly<Record<string, unknown>>;

/** The place of a planned object, on the service and in the app. Properties that the plan does not know are absent. */
export interface ObjectPlace {
  /** The full path of the project. It is the numeric id while the plan does not know the path. */
  readonly project?: string;
  /**
   * The full path of the group, for an object of a group. It is the numeric id while the plan does not know
   * the path.
   */
  readonly group?: string;
  /** The web page of the project or group. */
  readonly url?: string;
  /**
   * The import ID of the object, as `steward import` accepts it. Undefined for an object that does not exist
   * yet.
   */
  readonly id?: string;
  /** The path of the construct that declares the object, such as `web-shop/production`. */
  readonly construct?: string;
  /** The file of the app that declares the object. */
  readonly file?: string;
  /** The line of the declaration in the file, counted from 1. */
  readonly line?: number;
}

/**
 * The planned change of one object, in the terms of `terraform show -json`; attributes have the names of the
 * schema.
 *
 * Rules can't read values that are sensitive or known only after apply. Reading such a value throws an error, and the rule
 * counts as not checked. `unknown` and `sensitive` name these attributes.
 */
export type PlannedChange<T extends string = ResourceType> = T extends string ? TypedChange<T> : never;

/** A planned object and its place. */
interface OfPlan<T extends string> extends ObjectPlace {
  readonly type: T;
  /** The address, such as `steward_protected_environment.production`. */
  readonly address: string;
  readonly name: string;
  /** The key of the instance, for a resource with `count` or `for_each`. */
  readonly index?: string | number;
  /** The source address of the provider. */
  readonly provider: string;
  /** The attributes that are known only after apply, as a whole or in part. */
  readonly unknown: readonly (keyof AttributesOf<T>)[];
  /** The attributes that are sensitive, before or after the change, as a whole or in part. */
  readonly sensitive: readonly (keyof AttributesOf<T>)[];
}

interface TypedChange<T extends string> extends OfPlan<T> {
  /** The address before a move, if the plan moves the object. */
  readonly previousAddress?: string;
  /** The key of a deposed object: one that a replacement did not delete yet. The plan deletes it. */
  readonly deposed?: string;
  /**
   * The actions in Terraform's words: one action, or `delete` and `create` in their order for a replacement.
   * An object that is only moved or imported has `no-op`.
   */
  readonly actions: readonly ("no-op" | "create" | "update" | "delete" | "forget")[];
  /** The reason in Terraform's words, such as `delete_because_no_resource_config`. */
  readonly reason?: string;
  /** The import ID, if the plan imports the object. */
  readonly importing?: { readonly id: string };
  /** The values before the change; null if the plan creates the object. */
  readonly before: AttributesOf<T> | null;
  /** The values after the change; null if the object is deleted or forgotten. */
  readonly after: AttributesOf<T> | null;
}

/** An object with the values that it has after the apply. The plan may change the object or not. */
export type PlannedObject<T extends string = ResourceType> = T extends string ? TypedObject<T> : never;

interface TypedObject<T extends string> extends OfPlan<T> {
  readonly attributes: AttributesOf<T>;
}

/** The plan of one stack, as rules can read it. */
export interface PolicyPlan {
  /** The name of the stack. Undefined for a configuration without an app, and for plans of other programs. */
  readonly stack: string | undefined;
  /**
   * The mode of the plan: `destroy` if it deletes everything. Steward calls no rule for a plan that only
   * refreshes.
   */
  readonly mode: "normal" | "destroy";
  /**
   * Whether the plan covers all objects. It is false with `--target`, and if an object could not be planned.
   */
  readonly complete: boolean;
  /** The numbers of changes. A replacement counts as an add and as a remove. */
  readonly counts: Readonly<Record<"add" | "change" | "remove" | "import" | "move", number>>;
  /** All objects that the plan changes, of all types and providers, sorted by address. */
  readonly changes: readonly PlannedChange<string>[];
  /**
   * All objects that exist after the apply, changed or not. Objects that leave the state are not included.
   */
  readonly objects: readonly PlannedObject<string>[];
  /** Returns the objects of one type. */
  ofType<T extends string>(type: T): readonly PlannedObject<T>[];
}

/** A violation of a rule by a change, or by the whole plan. */
export type ChangeViolation = Fix & {
  /** The address of the object that causes the violation. By default, it is the changed object. */
  readonly address?: string | undefined;
  /** The attribute that causes the violation, under the schema's name. */
  readonly attribute?: string | undefined;
  /** A sentence that describes the problem. */
  readonly what: string;
};

interface ChangeRuleText extends RuleText {
  /**
   * The number of approvals that accept the violation in `steward apply --approved` and `steward ci apply`.
   * If omitted, no approval accepts it.
   */
  readonly approvals?: number | undefined;
  /**
   * The users and groups whose approvals accept the violation, such as `["@maya", "@acme/security"]`. They
   * need not be members of the changed project. By default, every approver of the plan can accept it.
   */
  readonly approvers?: readonly string[] | undefined;
}

/**
 * The people who may approve plans for `steward ci apply`. A policy module exports it as `approval`. Without it, members of each
 * changed project or group approve. They need the granted level, or Maintainer for changes that grant no membership.
 *
 * @example
 * export const approval: ApprovalPolicy = { approvals: 1, allowCommitters: true };
 */
export interface ApprovalPolicy {
  /**
   * The number of people who must approve.
   *
   * @default 1
   */
  readonly approvals?: number | undefined;
  /**
   * The users and groups that approve, such as `["@maya", "@acme/security"]`. They replace the members of the
   * changed projects and groups.
   */
  readonly approvers?: readonly string[] | undefined;
  /**
   * Whether people who pushed to the branch can approve it. A team of two needs this.
   *
   * @default false
   */
  readonly allowCommitters?: boolean | undefined;
  /**
   * Whether the author of the merge request can approve it. A team of one needs this.
   *
   * @default false
   */
  readonly allowAuthor?: boolean | undefined;
  /** Bots whose approvals count, such as the user of an access token: `["@release-bot"]`. */
  readonly bots?: readonly string[] | undefined;
}

/**
 * A rule for the changes of a plan. Steward calls the rule for each object of its types that the plan creates, updates,
 * replaces, deletes, imports, moves or forgets. The rules that a policy module exports run with every plan: see `policy` in
 * `cdktf.json`, and `--policy`.
 *
 * @example const maintainerAtMost: ChangeRule<"steward_project_invitation"> = { name: "no level above Maintainer", why:
 * "Owners are appointed by the platform team.", types: ["steward_project_invitation"], checkChange: ({ after }) => after !==
 * null && after.access_level > AccessLevel.MAINTAINER ? [{ attribute: "access_level", what: `The level is
 * ${after.access_level}.`, fix: "Set 40 or less." }] : [], };
 */
export type ChangeRule<T extends string = ResourceType> = ChangeRuleText &
  // A rule whose type parameter names only some types must set `types`. Otherwise, Steward would call the rule for all types.
  ([ResourceType] extends [T]
    ? {
        /** The resource types that the rule checks. By default, it checks all types of this provider. */
        readonly types?: readonly T[] | undefined;
      }
    : {
        /** The resource types that the rule checks, of this provider or another one. */
        readonly types: readonly T[];
      }) & {
    /** Returns all violations by a change; empty if there are none. */
    checkChange(change: PlannedChange<T>, plan: PolicyPlan): Iterable<ChangeViolation>;
  };

/** Any rule: for projects, or for changes of any resource type. */
export type AnyRule =
  | PolicyRule
  | (ChangeRuleText & {
      readonly types?: readonly string[] | undefined;
      checkChange(change: PlannedChange | PlannedChange<string>, plan: PolicyPlan): Iterable<ChangeViolation>;
    });

/** The rules of an app. A policy module exports them, and a `ProjectPolicy` takes them. */
export type PolicyRules = readonly AnyRule[];
