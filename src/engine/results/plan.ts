import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { AccessReport, Decision, PlannedRequest, ReplacedValues, RightsReport } from "../../framework";
import { objectName } from "../../language";
import { type Attributes, attributeEntries, isWhollyKnown, type Value, type ValueObject } from "../../schema";
import type { Json, JsonObject, OutputState } from "../../state";
import type { CheckResult } from "./check-results";

/**
 * The actions of a plan for an object. A replacement is one of two actions, because either its delete or its
 * create comes first.
 */
export const ACTIONS = [
  "no-op",
  "create",
  "read",
  "update",
  "delete",
  "delete-then-create",
  "create-then-delete",
  "forget",
] as const;
export type Action = (typeof ACTIONS)[number];

/** The reason for an action, in Terraform's terms. */
export const ACTION_REASONS = [
  "replace_because_tainted",
  "replace_because_cannot_update",
  "replace_by_request",
  "replace_by_triggers",
  "delete_because_no_resource_config",
  "delete_because_wrong_repetition",
  "delete_because_count_index",
  "delete_because_each_key",
  "delete_because_no_move_target",
  "read_because_config_unknown",
  "read_because_dependency_pending",
  "read_because_check_nested",
] as const;
export type ActionReason = (typeof ACTION_REASONS)[number];

/** The container of an object on the service. */
export interface ChangeContainer {
  readonly kind: string;
  /** The full path of the container, or its numeric id while the path is not known. */
  readonly name: string;
  readonly id?: number;
  /** The address of the container's web page. */
  readonly url?: string;
}

/** The planned change of one object. */
export interface ResourceChange {
  /** The address, such as `acme_thing.production` or `data.acme_thing.web["shop"]`. */
  readonly address: string;
  /** The address of the object before the plan moves it. */
  readonly previousAddress?: string;
  /**
   * Another address that declares the same object, or owns it as a part of a set. If this field is set, the object stays on the
   * service.
   */
  readonly sameAs?: string;
  /**
   * The address of an undeclared object that a create takes over, as a whole or in part. A create with `takesOver` sends no
   * request.
   */
  readonly takesOver?: string;
  /**
   * The id of the live object that the plan imports, and its identity if the import uses no id. Undefined without an import.
   * `existing` is set if there is no `import` block, and the plan imports the object because it blocks a create.
   */
  readonly importing?: { readonly id: string; readonly identity?: ValueObject; readonly existing?: true };
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly indexKey?: string | number;
  /** The source address of the provider. */
  readonly provider: string;
  /** The key of a deposed object, which waits for its delete after a replacement was created. */
  readonly deposed?: string;
  readonly action: Action;
  readonly reason?: ActionReason;
  /**
   * The decision of the table of objects. Undefined for an object that is as declared, and for a change from a file. Such a file
   * contains no decisions.
   */
  readonly decision?: Decision;
  /** The values in the state; null if the plan creates the object. */
  readonly before: ValueObject | null;
  /**
   * The values after the change, with `UNKNOWN` for values known after apply. Null if the object does not
   * exist after the change.
   */
  readonly after: ValueObject | null;
  /** The identity of the object, if its resource type has identities and the value is known. */
  readonly beforeIdentity?: ValueObject;
  readonly afterIdentity?: ValueObject;
  /** The paths of sensitive values. Views never print values at or below these paths. */
  readonly beforeSensitive: readonly AttributePath[];
  readonly afterSensitive: readonly AttributePath[];
  /** The attributes whose change requires a replacement. */
  readonly replacePaths: readonly AttributePath[];
  /** The attributes of the schema, for views that need types. */
  readonly attributes: Attributes;
  /** The path of the construct that declares the object, if the app provides it. */
  readonly construct?: string;
  /**
   * The file and line of the app that declare the object, such as `main.ts:26`, if the construct recorded
   * them.
   */
  readonly position?: string;
  /**
   * The live values that a create replaces, without sensitive values. If the values are not known, the field contains the
   * reason. Set only for a setting that always exists on the service.
   */
  readonly replaced?: ReplacedValues;
  /** The container of the object, as far as the run knows it. */
  readonly container?: ChangeContainer;
}

type Done = Pick<ResourceChange, "action" | "importing" | "previousAddress">;

/** Returns whether a plan shows a change: the change has an action, moves the object or imports it. */
export const isShown = ({ action, importing, previousAddress }: Done): boolean =>
  action !== "no-op" || importing !== undefined || previousAddress !== undefined;

/** Returns whether a plan shows a change, and the change is of a managed object. */
export const isPlanned = (change: Done & Pick<ResourceChange, "mode">): boolean =>
  change.mode === "managed" && isShown(change);

/** The properties of a change that don't depend on its action. */
export type ChangeMetadata = Omit<
  ResourceChange,
  "action" | "reason" | "decision" | "before" | "after" | "beforeIdentity" | "afterIdentity"
>;

export interface OutputChange {
  readonly name: string;
  readonly action: "no-op" | "create" | "update" | "delete";
  readonly before: Value;
  readonly after: Value;
  /** The type of the value in `after`, in the form that states contain. Undefined if the value is not wholly known. */
  readonly afterType?: OutputState["type"];
  readonly sensitive: boolean;
}

export type PlanMode = "normal" | "destroy" | "refresh-only";

/** The numbers of objects that a plan or an apply changes. A replacement counts as an add and a remove. */
export interface ChangeSummary {
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  readonly import: number;
  /** The number of objects that get a new address, including objects with additional changes. */
  readonly move: number;
}

/** An attribute whose value the planned changes can depend on. */
export interface RelevantAttribute {
  readonly [name: string]: Json;
  readonly resource: string;
  /** The path of the attribute. The path is empty for a reference to a whole object, or to all instances of a resource. */
  readonly attribute: (string | number)[];
}

/** The data that a plan is based on, in the format of `terraform show -json`. */
export interface PlanBasis {
  /** The creation time in UTC, with seconds: `2026-11-21T15:20:45Z`. */
  readonly timestamp: string;
  /** The values of root variables, without ephemeral variables. */
  readonly variables: JsonObject;
  /** The names of sensitive variables. */
  readonly sensitiveVariables: readonly string[];
  /** The refreshed state with the data sources that were read; undefined if this state is empty. */
  readonly priorState: JsonObject | undefined;
  readonly configuration: JsonObject;
  /**
   * The managed resources to which each declared managed resource refers directly, or through locals and data sources. The
   * addresses have no keys. Undefined if the plan does not come from a configuration.
   */
  readonly dependencies?: ReadonlyMap<string, readonly string[]>;
}

/** The reports that a plan contains if the run requests them. */
export interface PlanDescriptions {
  /** The access that the plan gives and takes away. */
  readonly access?: AccessReport;
  /** The rights that a token needs to apply the plan. */
  readonly rights?: RightsReport;
  /** The requests that an apply would send, by object. */
  readonly requests?: readonly RehearsedStep[];
}

/** The requests that an apply would send for one object, without sensitive values. */
export interface RehearsedStep {
  readonly address: string;
  readonly deposed?: string;
  readonly requests: readonly PlannedRequest[];
  /** The reason why requests are missing, in a few words; undefined if no request is missing. */
  readonly why?: string;
}

/**
 * The changes that apply would make. Views, JSON events, reports, `show -json` and saved plans are made from this type. Other
 * data that apply needs are in `ExecutablePlan`.
 */
export interface Plan extends PlanDescriptions {
  readonly mode: PlanMode;
  /** Whether the plan can be applied. False if the declarations have errors. */
  readonly applicable: boolean;
  /** Whether the plan covers all declarations. False if something failed, or if the run is restricted. */
  readonly complete: boolean;
  /**
   * The changes and no-ops, sorted by address. A large plan creates the no-ops when they are requested: see
   * `changing`.
   */
  readonly changes: readonly ResourceChange[];
  /** The changes without no-ops; undefined if the plan can't separate them. */
  readonly changing?: readonly ResourceChange[];
  /**
   * The changes on the service since the state was written. `before` has the values in the state, and `after` the live values.
   */
  readonly drift: readonly ResourceChange[];
  readonly outputs: readonly OutputChange[];
  /** The attributes on whose values the planned changes can depend. */
  readonly relevantAttributes: readonly RelevantAttribute[];
  /** The results of conditions, by declaration. */
  readonly checks: readonly CheckResult[];
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the objects that could not be read. The plan contains no change for these objects. */
  readonly unchecked: readonly string[];
  /** The addresses of declarations that could not be planned, and of their dependents. */
  readonly blocked: readonly string[];
  readonly summary: ChangeSummary;
  /** Whether an apply of the plan changes anything: an object, its address in the state, or an output. */
  readonly hasChanges: boolean;
  readonly basis: PlanBasis;
}

/** Returns the changes of a plan. If the plan separates no-ops from changes, the result contains only changes. */
export const changingOf = (plan: Pick<Plan, "changes" | "changing">): readonly ResourceChange[] =>
  plan.changing ?? plan.changes;

/** Counts the changes by their actions. */
export function summarize(changes: readonly ResourceChange[]): ChangeSummary {
  const summary = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
  for (const { action, importing, previousAddress } of changes) {
    const isReplaced = action === "delete-then-create" || action === "create-then-delete";
    if (isReplaced || action === "create") summary.add++;
    if (isReplaced || action === "delete") summary.remove++;
    if (action === "update") summary.change++;
    if (importing !== undefined) summary.import++;
    if (previousAddress !== undefined) summary.move++;
  }
  return summary;
}

/** The DELETE requests of one planned change. */
export interface CountedDeletes {
  readonly address: string;
  readonly count: number;
}

type Counted = Pick<Plan, "changes" | "changing" | "requests">;

/**
 * Counts, for each address, the objects and set entries that a plan deletes. If the plan contains the requests of its apply,
 * the function counts the DELETE requests. Otherwise, the function compares the planned values. An object that is released
 * without a request counts too.
 */
export function countDeletes(plan: Counted): CountedDeletes[] {
  const { requests = [] } = plan;
  const rehearsed = new Map(requests.map((one) => [objectName(one.address, one.deposed), one]));
  return changingOf(plan).flatMap((change) => {
    const { address, deposed } = change;
    const count = deletesOf(change, rehearsed.get(objectName(address, deposed)));
    return count === 0 ? [] : [{ address, count }];
  });
}

function deletesOf(change: ResourceChange, rehearsed: RehearsedStep | undefined): number {
  const { mode, action } = change;
  if (mode !== "managed" || action === "no-op" || action === "read" || action === "forget") return 0;
  const sent = rehearsed?.requests.filter(({ method }) => method === "DELETE").length ?? 0;
  const ended = action === "create" || action === "update" ? 0 : 1;
  const isKnown = rehearsed !== undefined && rehearsed.why === undefined;
  return Math.max(sent, ended, isKnown ? 0 : removedEntries(change));
}

/**
 * Counts the entries that a change removes from whole sets. A planned entry with unknown values equals no live entry. A
 * live entry can therefore count as removed although the entry stays.
 */
function removedEntries({ action, attributes, before, after, replaced }: ResourceChange): number {
  const present = before ?? replaced?.live ?? {};
  const isUpdate = action === "update" || action === "create";
  let count = 0;
  for (const [name, { presence, type }] of attributeEntries(attributes)) {
    if (presence !== "managed" || type.kind !== "set") continue;
    const stays = new Set(isUpdate ? elementsOf(after?.[name]) : []);
    const isGivenUp = isUpdate && (after?.[name] ?? null) === null;
    if (!isGivenUp) count += elementsOf(present[name]).filter((one) => !stays.has(one)).length;
  }
  return count;
}

const elementsOf = (value: Value | undefined): readonly Value[] =>
  Array.isArray(value) ? value.filter(isWhollyKnown) : [];
