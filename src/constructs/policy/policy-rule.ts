import type { IConstruct } from "constructs";
import type { DeclaredProject } from "../declared/declared-project";
import type { ResourceAttributes } from "../generated";

/** The fix of a violation. */
export type Fix =
  | {
      /** How to fix it, in a sentence. */
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
  /** The construct that causes the violation. If a declaration is missing, omit it: the error then names the first construct of the project. */
  readonly construct?: IConstruct | undefined;
  /** The problem, in a sentence. */
  readonly what: string;
  /** The rule can't be checked: a value that it needs is known only after apply. */
  readonly isUndecided?: boolean | undefined;
};

/** `mandatory`: a violation is an error, and nothing is synthesized or applied. `advisory`: a violation is a warning. */
export type PolicyLevel = "mandatory" | "advisory";

/** The properties of every rule. */
interface RuleText {
  /** The name of the rule, in a few words, such as `inbound limit on`. Errors begin with it, and waivers refer to it. */
  readonly name: string;
  /** The reason for the rule, in a sentence. */
  readonly why: string;
  /** @default "mandatory" */
  readonly level?: PolicyLevel | undefined;
  /**
   * Whether `--waive` can accept violations of this rule for one run.
   *
   * @default true
   */
  readonly waivable?: boolean | undefined;
}

/**
 * A rule for all projects of an app. Write your own rule as an object:
 *
 * @example
 * const noPages: PolicyRule = {
 *   name: "no Pages settings",
 *   why: "Only the platform team manages Pages.",
 *   check: (project) =>
 *     project.ofType("steward_pages_settings").map(({ construct }) => ({
 *       construct,
 *       what: "Pages settings are declared.",
 *       fix: "Remove them.",
 *     })),
 * };
 */
export interface PolicyRule extends RuleText {
  /** The environment that the rule checks, by its name. Steward warns if projects of the app protect only an environment with a similar name. */
  readonly environment?: string | undefined;
  /** Returns all violations of a project; empty if there are none. */
  check(project: DeclaredProject): Iterable<Violation>;
}

/** A type of this provider's resources, such as `steward_protected_environment`. */
export type ResourceType = keyof ResourceAttributes;

/** The values of an object. For types of other providers, the values have no TypeScript types. */
export type AttributesOf<T extends string> = T extends ResourceType
  ? ResourceAttributes[T]
  : Readonly<Record<string, unknown>>;

/** The place of a planned object, on the service and in the app. Properties that the plan does not know are absent. */
export interface ObjectPlace {
  /** The project's full path, or its numeric id while the plan does not know the path. */
  readonly project?: string;
  /** The group's full path, for an object of a group; or its numeric id while the plan does not know the path. */
  readonly group?: string;
  /** The web page of the project or group. */
  readonly url?: string;
  /** The object's id, as `steward import` accepts it, if the object exists. */
  readonly id?: string;
  /** The path of the construct that declares it, such as `web-shop/production`. */
  readonly construct?: string;
  /** The app's file that declares it. */
  readonly file?: string;
  /** The line in the file, counted from 1. */
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

/** An object of a plan. */
interface OfPlan<T extends string> extends ObjectPlace {
  readonly type: T;
  /** Such as `steward_protected_environment.production`. */
  readonly address: string;
  readonly name: string;
  /** The key of an instance of `count` or `for_each`. */
  readonly index?: string | number;
  /** The provider's source. */
  readonly provider: string;
  /** The attributes that are known only after apply, as a whole or in part. */
  readonly unknown: readonly (keyof AttributesOf<T>)[];
  /** The attributes that are sensitive, before or after the change, as a whole or in part. */
  readonly sensitive: readonly (keyof AttributesOf<T>)[];
}

interface TypedChange<T extends string> extends OfPlan<T> {
  /** The address before a move. */
  readonly previousAddress?: string;
  /** The key of a deposed object: the rest of a replacement, which is deleted. */
  readonly deposed?: string;
  /**
   * Terraform's words: one action, or `delete` and `create` for a replacement, in their order. An object that is
   * only moved or imported has `no-op`.
   */
  readonly actions: readonly ("no-op" | "create" | "update" | "delete" | "forget")[];
  /** Why, in Terraform's words, such as `delete_because_no_resource_config`. */
  readonly reason?: string;
  /** The live object is imported. */
  readonly importing?: { readonly id: string };
  /** The values before the change; null if the object does not exist before. */
  readonly before: AttributesOf<T> | null;
  /** The values after the change; null if the object is deleted or forgotten. */
  readonly after: AttributesOf<T> | null;
}

/** An object as it is after the apply, whether the plan changes it or not. */
export type PlannedObject<T extends string = ResourceType> = T extends string ? TypedObject<T> : never;

interface TypedObject<T extends string> extends OfPlan<T> {
  readonly attributes: AttributesOf<T>;
}

/** The plan of one stack, as rules can read it. */
export interface PolicyPlan {
  /** Undefined for a configuration without an app, and for plans of other programs. */
  readonly stack: string | undefined;
  /** `destroy` for a plan that deletes everything. No rule is called for a plan that only refreshes. */
  readonly mode: "normal" | "destroy";
  /** False if the plan leaves something out: an object that could not be planned, or one outside of `--target`. */
  readonly complete: boolean;
  /** A replacement counts as an add and a remove. */
  readonly counts: Readonly<Record<"add" | "change" | "remove" | "import" | "move", number>>;
  /** All objects that the plan changes, of all types and providers, sorted by address. */
  readonly changes: readonly PlannedChange<string>[];
  /** All objects after the apply, changed and unchanged, without objects that leave the state. */
  readonly objects: readonly PlannedObject<string>[];
  /** The objects of one type. */
  ofType<T extends string>(type: T): readonly PlannedObject<T>[];
}

/** A violation of a rule by a change, or by the whole plan. */
export type ChangeViolation = Fix & {
  /** The address of the object that causes it; the changed object by default. */
  readonly address?: string | undefined;
  /** The attribute that causes it, by its name in the schema. */
  readonly attribute?: string | undefined;
  /** The problem, in a sentence. */
  readonly what: string;
};

interface ChangeRuleText extends RuleText {
  /**
   * The number of approvals with which `steward apply --approved` and `steward ci apply` accept a violation. If omitted, they
   * never accept it.
   */
  readonly approvals?: number | undefined;
  /**
   * The users and groups whose approvals count, such as `["@maya", "@acme/security"]`. They need not be members of the changed
   * project. By default, all approvers of the plan count.
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
  /** The users and groups that approve, instead of the members: `["@maya", "@acme/security"]`. */
  readonly approvers?: readonly string[] | undefined;
  /**
   * Whether people who pushed to the branch can approve it, for teams of two.
   *
   * @default false
   */
  readonly allowCommitters?: boolean | undefined;
  /**
   * Whether the author of the merge request can approve it, for teams of one.
   *
   * @default false
   */
  readonly allowAuthor?: boolean | undefined;
  /** Bots, such as the users of access tokens, whose approvals count: `["@release-bot"]`. */
  readonly bots?: readonly string[] | undefined;
}

/**
 * A rule for the changes of a plan. It is called for each object of its types that the plan creates, updates,
 * replaces, deletes, imports, moves or forgets. A module that exports it runs with every plan: see `policy` in
 * `cdktf.json`, and `--policy`.
 *
 * @example
 * const maintainerAtMost: ChangeRule<"steward_project_invitation"> = {
 *   name: "no level above Maintainer",
 *   why: "Owners are appointed by the platform team.",
 *   types: ["steward_project_invitation"],
 *   checkChange: ({ after }) =>
 *     after !== null && after.access_level > AccessLevel.MAINTAINER
 *       ? [{ attribute: "access_level", what: `The level is ${after.access_level}.`, fix: "Set 40 or less." }]
 *       : [],
 * };
 */
export type ChangeRule<T extends string = ResourceType> = ChangeRuleText &
  // A rule that has a type parameter for some types, and no `types`, would be called for all types.
  ([ResourceType] extends [T]
    ? {
        /** The types of objects that it checks: all of this provider by default. */
        readonly types?: readonly T[] | undefined;
      }
    : {
        /** The types of objects that it checks, of this provider or another one. */
        readonly types: readonly T[];
      }) & {
    /** Returns all violations by a change; empty if there are none. */
    checkChange(change: PlannedChange<T>, plan: PolicyPlan): Iterable<ChangeViolation>;
  };

/** A rule for projects or for changes, with any types. */
export type AnyRule =
  | PolicyRule
  | (ChangeRuleText & {
      readonly types?: readonly string[] | undefined;
      checkChange(change: PlannedChange | PlannedChange<string>, plan: PolicyPlan): Iterable<ChangeViolation>;
    });

/** The rules of an app, as a policy module exports them and a `ProjectPolicy` takes them. */
export type PolicyRules = readonly AnyRule[];
