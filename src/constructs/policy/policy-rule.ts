import type { IConstruct } from "constructs";
import type { DeclaredProject } from "../declared/declared-project";
import type { ResourceAttributes } from "../generated";

/** How to fix a violation, such as `{ fix: "Set inboundEnabled: true." }`. */
export type Fix =
  | {
      /** A sentence that says how to fix the violation. */
      readonly fix: string;
      readonly mend?: undefined;
    }
  | {
      /** @deprecated Use `fix`. Steward accepts `mend` until the next minor version. */
      readonly mend: string;
      readonly fix?: undefined;
    };

/** A violation of a rule by a project. */
export type Violation = Fix & {
  /**
   * The construct that causes the violation. Omit this property if a declaration is missing; the error then names the first
   * construct of the project.
   */
  readonly construct?: IConstruct | undefined;
  /** A sentence that describes the problem. */
  readonly what: string;
  /** True if the rule can't be checked, because the rule needs a value that is known only during apply. */
  readonly isUndecided?: boolean | undefined;
};

/**
 * With `mandatory`, a violation is an error, and Steward applies nothing. With `advisory`, a violation is a
 * warning.
 */
export type PolicyLevel = "mandatory" | "advisory";

/** The properties that all rules share. */
interface RuleText {
  /** The name of the rule, in a few words, such as `inbound limit on`. Errors begin with this name, and waivers contain it. */
  readonly name: string;
  /** A sentence that gives the reason for the rule. Errors contain this sentence. */
  readonly why: string;
  /**
   * Whether a violation is an error or a warning.
   *
   * @default "mandatory"
   */
  readonly level?: PolicyLevel | undefined;
  /**
   * Whether `--waive` can accept violations of this rule for one run.
   *
   * @default true
   */
  readonly waivable?: boolean | undefined;
}

/**
 * A rule that checks each project of an app. You write a rule as an object:
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
  /**
   * The name of the environment that the rule checks. If the app protects only an environment with a similar name, Steward warns.
   */
  readonly environment?: string | undefined;
  /** Returns all violations of the rule by a project; an empty list if there are none. */
  check(project: DeclaredProject): Iterable<Violation>;
}

/** A type of this provider's resources, such as `steward_protected_environment`. */
export type ResourceType = keyof ResourceAttributes;

/** The attributes of an object with their TypeScript types. For a type of another provider, all values are `unknown`. */
export type AttributesOf<T extends string> = T extends ResourceType
  ? ResourceAttributes[T]
  : Readonly<Record<string, unknown>>;

/** The place of a planned object on the service and in the app. A property is absent if the plan does not know its value. */
export interface ObjectPlace {
  /** The full path of the object's project; the numeric id if the plan does not know the path. */
  readonly project?: string;
  /** The full path of the group, for an object of a group; the numeric id if the plan does not know the path. */
  readonly group?: string;
  /** The URL of the project's or group's page on the service. */
  readonly url?: string;
  /** The import ID of the object, in the form for `steward import`; absent if the object does not exist yet. */
  readonly id?: string;
  /** The path of the construct that declares the object, such as `web-shop/production`. */
  readonly construct?: string;
  /** The path of the app's file that declares the object. */
  readonly file?: string;
  /** The line of the declaration in the file, counted from 1. */
  readonly line?: number;
}

/**
 * The planned change of one object, in the format of `terraform show -json`. Attributes have their names in the schema.
 *
 * A rule can't read a sensitive value, or a value that is known only during apply. Reading such a value throws an error, and
 * the rule counts as not checked. `unknown` and `sensitive` list the attributes with such values.
 */
export type PlannedChange<T extends string = ResourceType> = T extends string ? TypedChange<T> : never;

/** The properties that a planned change and a planned object share. */
interface OfPlan<T extends string> extends ObjectPlace {
  readonly type: T;
  /** The address, such as `steward_protected_environment.production`. */
  readonly address: string;
  readonly name: string;
  /** The key or number of the instance; absent for a resource without `count` and `for_each`. */
  readonly index?: string | number;
  /** The source address of the object's provider. */
  readonly provider: string;
  /** The names of attributes whose value, or a part of it, is known only during apply. */
  readonly unknown: readonly (keyof AttributesOf<T>)[];
  /** The names of attributes whose value, or a part of it, is sensitive before or after the change. */
  readonly sensitive: readonly (keyof AttributesOf<T>)[];
}

interface TypedChange<T extends string> extends OfPlan<T> {
  /** The address of the object before the plan moves it; absent if the plan does not move it. */
  readonly previousAddress?: string;
  /** The key of a deposed object, which an earlier replacement has not deleted. This plan deletes the object. */
  readonly deposed?: string;
  /**
   * The actions in Terraform's words. A replacement has `delete` and `create`, in the order of execution; any other change has
   * one action. `no-op` means that the plan only moves or imports the object.
   */
  readonly actions: readonly ("no-op" | "create" | "update" | "delete" | "forget")[];
  /** Terraform's reason for the actions, such as `delete_because_no_resource_config`. */
  readonly reason?: string;
  /** The import ID of the object; absent if the plan does not import the object. */
  readonly importing?: { readonly id: string };
  /** The values before the change; null if the plan creates the object. */
  readonly before: AttributesOf<T> | null;
  /** The values after the change; null if the plan deletes or forgets the object. */
  readonly after: AttributesOf<T> | null;
}

/**
 * An object that exists after the apply, with the values that it then has. The plan changes the object or leaves it unchanged.
 */
export type PlannedObject<T extends string = ResourceType> = T extends string ? TypedObject<T> : never;

interface TypedObject<T extends string> extends OfPlan<T> {
  readonly attributes: AttributesOf<T>;
}

/** The plan of one stack, in the form that rules read. */
export interface PolicyPlan {
  /** The name of the stack; undefined for a configuration without an app, and for a plan from another program. */
  readonly stack: string | undefined;
  /**
   * The mode of the plan. `destroy` means that the plan deletes all objects. Steward calls no rule for a plan that only refreshes
   * the state.
   */
  readonly mode: "normal" | "destroy";
  /** Whether the plan covers all objects. False with `--target`, or if Steward could not plan an object. */
  readonly complete: boolean;
  /** The number of changes of each kind. A replacement counts as one add and one remove. */
  readonly counts: Readonly<Record<"add" | "change" | "remove" | "import" | "move", number>>;
  /** The planned changes of all objects, of all types and providers, sorted by address. */
  readonly changes: readonly PlannedChange<string>[];
  /**
   * All objects that exist after the apply, with and without changes. Objects that the plan deletes or forgets are not included.
   */
  readonly objects: readonly PlannedObject<string>[];
  /** Returns the objects of one resource type that exist after the apply. */
  ofType<T extends string>(type: T): readonly PlannedObject<T>[];
}

/** A violation of a rule by a change, or by the whole plan. */
export type ChangeViolation = Fix & {
  /** The address of the object that causes the violation. The default is the changed object. */
  readonly address?: string | undefined;
  /** The name in the schema of the attribute that causes the violation. */
  readonly attribute?: string | undefined;
  /** A sentence that describes the problem. */
  readonly what: string;
};

interface ChangeRuleText extends RuleText {
  /**
   * The number of approvals with which `steward apply --approved` and `steward ci apply` accept the violation. If omitted,
   * approvals can't accept the violation.
   */
  readonly approvals?: number | undefined;
  /**
   * The users and groups whose approvals accept the violation, such as `["@maya", "@acme/security"]`. These users do not have to
   * be members of the changed project. By default, every approver of the plan can accept the violation.
   */
  readonly approvers?: readonly string[] | undefined;
}

/**
 * The people who may approve plans for `steward ci apply`. A policy module exports this object as `approval`. Without an
 * `approval`, members of each changed project or group approve plans. An approver needs the level that the plan grants, or
 * Maintainer if the plan grants no membership.
 *
 * @example
 * export const approval: ApprovalPolicy = { approvals: 1, allowCommitters: true };
 */
export interface ApprovalPolicy {
  /**
   * The number of people who must approve a plan.
   *
   * @default 1
   */
  readonly approvals?: number | undefined;
  /**
   * The users and groups that can approve a plan, such as `["@maya", "@acme/security"]`. These people replace the
   * members of the changed projects and groups.
   */
  readonly approvers?: readonly string[] | undefined;
  /**
   * Whether people who pushed commits to the branch can approve the plan. A team of two people needs this option.
   *
   * @default false
   */
  readonly allowCommitters?: boolean | undefined;
  /**
   * Whether the author of the merge request can approve the plan. A team of one person needs this option.
   *
   * @default false
   */
  readonly allowAuthor?: boolean | undefined;
  /** Bots whose approvals count, such as the user of an access token: `["@release-bot"]`. */
  readonly bots?: readonly string[] | undefined;
}

/**
 * A rule for the changes of a plan. Steward calls the rule for each object of its types that the plan creates, updates,
 * replaces, deletes, imports, moves or forgets. Every plan runs the rules that a policy module exports; see `policy` in
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
  // If the type parameter of a rule lists only some types, the rule must set `types`. Without `types`, Steward would call the
  // rule for all types.
  ([ResourceType] extends [T]
    ? {
        /** The resource types that the rule checks. By default, the rule checks all types of this provider. */
        readonly types?: readonly T[] | undefined;
      }
    : {
        /** The resource types that the rule checks. These types can belong to any provider. */
        readonly types: readonly T[];
      }) & {
    /** Returns all violations of the rule by a change; an empty list if there are none. */
    checkChange(change: PlannedChange<T>, plan: PolicyPlan): Iterable<ChangeViolation>;
  };

/** A rule of any kind. A rule checks projects, or changes of any resource type. */
export type AnyRule =
  | PolicyRule
  | (ChangeRuleText & {
      readonly types?: readonly string[] | undefined;
      checkChange(change: PlannedChange | PlannedChange<string>, plan: PolicyPlan): Iterable<ChangeViolation>;
    });

/** The rules of an app, which a policy module exports and a `ProjectPolicy` receives. */
export type PolicyRules = readonly AnyRule[];
