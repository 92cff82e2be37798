import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { Attributes, Value, ValueObject } from "../../schema";
import type { Json, JsonObject, OutputState } from "../../state";
import type { Action, ActionReason } from "./action";
import type { CheckResult } from "./check-results";

export type { Action, ActionReason } from "./action";

/** One object's part of a plan. */
export interface ResourceChange {
  /** Such as `acme_thing.production` or `data.acme_thing.web["shop"]`. */
  readonly address: string;
  /** Where the object stood in the state before a `moved` block took it here. */
  readonly previousAddress?: string;
  /** Another address that declares this very object, or owns it as a part of a set, which is why it does not end. */
  readonly sameAs?: string;
  /** The address that leaves and whose object, or a part of it, this one takes over: nothing has to be made. */
  readonly takesOver?: string;
  /** The live object is taken into the state, by this id. */
  readonly importing?: { readonly id: string };
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly indexKey?: string | number;
  /** The provider's source, such as `registry.steward.example/steward/steward`. */
  readonly provider: string;
  /** The key of an object that waits for its end after a replacement was made; it is not the instance's own object. */
  readonly deposed?: string;
  readonly action: Action;
  readonly reason?: ActionReason;
  /** The values as a state holds them; null where the object does not exist before. */
  readonly before: ValueObject | null;
  /** Null where it does not exist after; `UNKNOWN` stands where a value is known after apply only. */
  readonly after: ValueObject | null;
  /** Paths that hold sensitive values; views never print what is below them. */
  readonly beforeSensitive: readonly AttributePath[];
  readonly afterSensitive: readonly AttributePath[];
  /** The attributes whose change forces a new object. */
  readonly replacePaths: readonly AttributePath[];
  /** The schema's attributes, for views that need types (sets, sensitive, nested). */
  readonly attributes: Attributes;
  /** Path of the construct that declares it, where the app says so. */
  readonly construct?: string;
}

/** The properties of a change that don't depend on its action. */
export type ChangeMetadata = Omit<ResourceChange, "action" | "reason" | "before" | "after">;

export interface OutputChange {
  readonly name: string;
  readonly action: "no-op" | "create" | "update" | "delete";
  readonly before: Value;
  readonly after: Value;
  /** The type of what comes after, as states have it; only of a value that is wholly known. */
  readonly afterType?: OutputState["type"];
  readonly sensitive: boolean;
}

export type PlanMode = "normal" | "destroy" | "refresh-only";

/** How many objects a plan or an apply touches, a replacement counting as one of each. */
export interface ChangeSummary {
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  readonly import: number;
  /** Objects that get another address, whatever else happens to them. */
  readonly move: number;
}

/** Counts what changes do. */
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

/** An attribute of an object that a change may stem from. */
export interface RelevantAttribute {
  readonly [name: string]: Json;
  readonly resource: string;
  /** Empty where all of the object is referred to, or all instances of a resource. */
  readonly attribute: (string | number)[];
}

/** What a plan was made of, in the shapes of `terraform show -json`. */
export interface PlanBasis {
  /** When the plan was made, to the second: `2026-11-21T15:20:45Z`. */
  readonly timestamp: string;
  /** The root variables with their values. */
  readonly variables: JsonObject;
  /** The names of those that are sensitive. */
  readonly sensitiveVariables: readonly string[];
  /** The state as the refresh left it, with the data sources that were read; nothing where it is empty. */
  readonly priorState: JsonObject | undefined;
  readonly configuration: JsonObject;
}

/**
 * What applying a configuration would do. Views, JSON events, reports, `show -json` and saved plans are all made of it;
 * what applying needs beside it stays with the engine.
 */
export interface Plan {
  readonly mode: PlanMode;
  /** False where the declarations themselves have errors: then nothing is applied, whatever else was planned. */
  readonly applicable: boolean;
  /** Whether everything that is declared was planned: nothing failed, and no targets left something out. */
  readonly complete: boolean;
  /** In order of their addresses. No-ops are in it. */
  readonly changes: readonly ResourceChange[];
  /** What was found changed or gone on the service since the state was written: before is the state, after is live. */
  readonly drift: readonly ResourceChange[];
  readonly outputs: readonly OutputChange[];
  /** The attributes of objects that planned changes may stem from. */
  readonly relevantAttributes: readonly RelevantAttribute[];
  /** What came of the conditions, by declaration. */
  readonly checks: readonly CheckResult[];
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the objects that could not be looked at: nothing is planned for them, and their state is kept. */
  readonly unchecked: readonly string[];
  /** The declarations that could not be planned, or depend on one that could not. */
  readonly blocked: readonly string[];
  readonly summary: ChangeSummary;
  /** Whether applying would do anything: change an object, its place in the state, or an output's value. */
  readonly hasChanges: boolean;
  readonly basis: PlanBasis;
}
