import { isDeepStrictEqual } from "node:util";
import { type Diagnostic, error, hasErrors } from "../../diagnostics";
import { defined, parseJson, stringifyJson } from "../../json";
import { ConversionError, fromPlain, impliedType, objectName } from "../../language";
import { type Attributes, canonicalJson, isWhollyKnown, type Value, type ValueObject } from "../../schema";
import type { State } from "../../state";
import { withoutKey } from "../declarations/address-keys";
import type { Node } from "../declarations/declarations";
import type { Graph } from "../declarations/graph";
import { createPlan } from "../plan/create-plan";
import { objectOf } from "../results/change-record";
import { decodeValue, hasSensitive } from "../results/recorded-values";
import type { RecordedReads, RunContext } from "../stack-run/context";
import { StackRun } from "../stack-run/stack-run";
import type { StackOfApp } from "../stacks/app-stacks";
import type { ExecutablePlan } from "../steps/steps";
import { readDiagnostics, recordOf } from "./save-plan";
import type { ChangeJson, RecordJson, SavedPlan } from "./schema";

/**
 * Returns the recorded values that are not read again when a saved plan is made again: data sources, and unchanged objects.
 * Objects that the plan changes, imports or moves, and drifted objects, are read from the service. Objects and data sources
 * with a diagnostic in the file are read too, and so are data sources with withheld values. The values that configure a
 * provider are also read, because a file must not decide which service receives the token.
 */
function recordedReads(record: RecordJson, graph: Graph<Node>): RecordedReads {
  const { changes, drift, unchecked, diagnostics } = record;
  /** The names of objects and the addresses of data sources that are read from the service. */
  const readAgain = new Set(unchecked);
  for (const { address } of diagnostics) if (address !== undefined) readAgain.add(address);
  for (const change of [...changes.filter((one) => !isData(one) && one.action !== "no-op"), ...drift]) {
    readAgain.add(objectName(change.address, change.deposed));
    if (change.previous_address !== undefined) readAgain.add(change.previous_address);
  }
  const identified = new Set(
    changes.filter((one) => one.before_identity !== undefined).map(({ address }) => address),
  );
  const recordedData = new Map(changes.filter(isData).map((one) => [one.address, one]));
  /** Addresses of the resources on which provider configurations depend. */
  const providerDependencies = graph.closure(graph.ids.filter((id) => graph.value(id)?.kind === "provider"));
  return {
    object({ address, resource, instance }, origin, before) {
      if (providerDependencies.has(`${resource.type}.${resource.name}`)) return undefined;
      const isReadAgain = readAgain.has(address) || readAgain.has(origin);
      // A state of an older release has no identities, so an object is read again if the saved plan has the identity of the
      // object.
      const isToIdentify = before.identity === undefined && identified.has(address);
      return isReadAgain || isToIdentify || instance.deposed !== undefined ? undefined : before;
    },
    data(address, attributes) {
      const change = recordedData.get(address);
      if (change === undefined || change.after === null || readAgain.has(address)) return undefined;
      if (providerDependencies.has(withoutKey(address))) return undefined;
      const values = decodeValue(change.after) as ValueObject;
      if (hasSensitive(change.after) || !isWhollyKnown(values)) return undefined;
      return isOfSchema(values, attributes) ? values : undefined;
    },
  };
}

const isData = (change: ChangeJson): boolean => objectOf(change)?.mode === "data";

/** Returns whether values have the types that a schema requires. */
function isOfSchema(values: ValueObject, attributes: Attributes): boolean {
  try {
    fromPlain(values, impliedType(attributes));
    return true;
  } catch (problem) {
    if (problem instanceof ConversionError) return false;
    throw problem;
  }
}

/** A plan that may be applied, or the reasons why it must not be applied. */
export interface Confirmed {
  readonly plan?: ExecutablePlan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes a saved plan again, from the configuration, the state and the service. Reads only the objects that the plan changes
 * (`recordedReads`). The new plan may be applied only if it equals the saved plan exactly. A changed file is therefore never
 * applied without this comparison.
 *
 * @param context the context with the variables of the saved plan
 * @param state the state on which the saved plan is based
 */
export async function confirmPlan(
  saved: SavedPlan,
  context: RunContext,
  state: State | undefined,
  stackOfApp?: StackOfApp,
): Promise<Confirmed> {
  const { record } = saved;
  const { onEvent: _, ...quiet } = context;
  const again: RunContext = {
    ...quiet,
    recorded: recordedReads(record, new StackRun(context).graph),
    ...(saved.refresh === false && { canFindExisting: false as const }),
  };
  const plan = await createPlan(again, state, record.mode, stackOfApp);
  if (context.stop?.aborted) return { diagnostics: plan.diagnostics };
  const recordedDiagnostics = readDiagnostics(record);
  const difference = differenceBetween(record, roundTrip(recordOf(again, plan)));
  if (difference !== undefined)
    return {
      diagnostics: [...newErrors(plan.diagnostics, recordedDiagnostics), planDiffers(difference, saved)],
    };
  if (!plan.applicable) return { diagnostics: plan.diagnostics };
  return { plan: { ...plan, diagnostics: recordedDiagnostics }, diagnostics: [] };
}

/** Writes a record as JSON and reads it again. Values that JSON can't distinguish are then equal. */
const roundTrip = (record: RecordJson): RecordJson =>
  parseJson(stringifyJson(record)) as unknown as RecordJson;

/**
 * Returns the errors of the new plan that the saved plan did not have. New errors best explain why the two plans
 * differ.
 */
function newErrors(found: readonly Diagnostic[], recordedDiagnostics: readonly Diagnostic[]): Diagnostic[] {
  const key = ({ code, address }: Diagnostic) => `${code} ${address}`;
  const known = new Set(recordedDiagnostics.map(key));
  return found.filter((one) => hasErrors([one]) && !known.has(key(one)));
}

const planDiffers = (difference: Difference, { refresh }: SavedPlan) => {
  const { what, address, attribute, isLive = false, isGone = false } = difference;
  const again = `Nothing was sent. Plan again${isLive && refresh === false ? " without --refresh=false" : ""}.`;
  return error({
    ...(isLive
      ? {
          code: "saved_plan_service_moved_on",
          summary: isGone ? "Object of the plan was deleted" : "Live settings have changed since the plan",
          detail: isGone
            ? `The plan expects ${what} to exist, but it was deleted on the service. ${again}`
            : `The saved plan and a new plan differ in the live settings. First difference: ${what}. Something changed on the service after the plan was saved, or the plan file was edited. ${again}`,
        }
      : {
          code: "saved_plan_differs",
          summary: "Saved plan differs from the current plan",
          detail: `The saved plan and a new plan differ. First difference: ${what}. Something changed after the plan was saved, or the plan file was edited. ${again}`,
        }),
    ...defined({ address, attribute: attribute === undefined ? undefined : [attribute] }),
  });
};

/** The first difference between a saved plan and the plan made again. */
interface Difference {
  /**
   * The description of the difference, as a part of a sentence. The description contains no values, because values can
   * be sensitive.
   */
  readonly what: string;
  readonly address?: string;
  readonly attribute?: string;
  /** Whether the difference is in the live object, which was read again. */
  readonly isLive?: boolean;
  /** Set if the live object no longer exists. `what` is then its name. */
  readonly isGone?: boolean;
}

/** The fields that are not compared: the time of the file, and lists whose elements are compared one by one. */
const NOT_COMPARED: ReadonlySet<string> = new Set(["timestamp", "diagnostics", "changes", "drift"]);

const NOTHING: ReadonlySet<string> = new Set();

/** Compares all recorded parts of a saved plan with the new plan. Returns the first difference. */
function differenceBetween(saved: RecordJson, present: RecordJson): Difference | undefined {
  return (
    goneSince(saved, present) ??
    differenceOfChanges(saved, present, "changes") ??
    differenceOfChanges(saved, present, "drift") ??
    differenceOfOutputs(saved, present) ??
    differenceOfDiagnostics(saved, present) ??
    differenceOfRest(saved, present)
  );
}

/** Returns the first object that vanished from the service after the plan was saved. */
function goneSince({ drift }: RecordJson, present: RecordJson): Difference | undefined {
  const known = byName(drift);
  for (const [what, { action, address }] of byName(present.drift))
    if (action === "delete" && known.get(what)?.action !== "delete")
      return { what, address, isLive: true, isGone: true };
  return undefined;
}

type List = "changes" | "drift";

/** The phrases for fields in messages. People do not know the names of these fields in the file. */
const FIELDS: Readonly<Record<string, string>> = {
  path: "the path in the declaration of",
  construct: "the construct of",
  file: "the file of the declaration of",
  line: "the line of the declaration of",
  action: "the planned action for",
  create_first: "the order of the replacement of",
  live: "the live values to replace with",
};

/** Phrases for the value of an attribute before and after a change. */
const VALUES = { before: "the current value of ", after: "the planned value of " };

const describeEntry = (list: List, name: string, isData: boolean): string => {
  if (list === "drift") return `the drift of ${name}`;
  return isData ? name : `the change of ${name}`;
};

function differenceOfChanges(saved: RecordJson, present: RecordJson, list: List): Difference | undefined {
  const [then, now] = [byName(saved[list]), byName(present[list])];
  const isDrift = list === "drift";
  for (const name of new Set([...then.keys(), ...now.keys()])) {
    const [one, other] = [then.get(name), now.get(name)];
    const { address, action } = (one ?? other)!;
    const isOfData = isData((one ?? other)!);
    const what = describeEntry(list, name, isOfData);
    if (one === undefined) return { what: `only the new plan contains ${what}`, address, isLive: isDrift };
    if (other === undefined)
      return { what: `only the saved plan contains ${what}`, address, isLive: isDrift };
    // A difference in `before` is reported first, because a change of the live object explains all other differences.
    const field = isDeepStrictEqual(one.before, other.before) ? differingField(one, other) : "before";
    if (field === undefined) continue;
    const isReadAgain = !isOfData && action !== "no-op";
    const isLive = isDrift || (isReadAgain && (field === "before" || field === "live"));
    if (field !== "before" && field !== "after")
      return { what: `${FIELDS[field] ?? `the field "${field}" of the change of`} ${name}`, address, isLive };
    const attribute = differingField(one[field] ?? {}, other[field] ?? {});
    return attribute === undefined
      ? { what: `whether ${name} exists ${field} the change`, address, isLive }
      : {
          what: `${isOfData ? "" : VALUES[field]}\`${attribute}\` of ${name}`,
          attribute,
          address,
          isLive,
        };
  }
  return isDeepStrictEqual([...then.keys()], [...now.keys()])
    ? undefined
    : { what: `the order of the ${list}` };
}

const byName = (changes: readonly ChangeJson[]): ReadonlyMap<string, ChangeJson> =>
  new Map(changes.map((one) => [objectName(one.address, one.deposed), one]));

function differenceOfOutputs({ outputs: saved }: RecordJson, { outputs: present }: RecordJson) {
  const at = Math.max(saved.length, present.length);
  for (let index = 0; index < at; index++) {
    const [one, other] = [saved[index], present[index]];
    if (isDeepStrictEqual(one, other)) continue;
    return { what: `the output "${(one ?? other)!.name}"` };
  }
  return undefined;
}

/**
 * The code of a warning that is not compared. The warning depends on other stacks, which a parallel job can apply in the
 * meantime.
 */
const OF_ANOTHER_STACK = "stack_known_in_part";

/** Finds a diagnostic that only one of the plans has. The order of diagnostics has no effect, because reads end in any order. */
function differenceOfDiagnostics(saved: RecordJson, present: RecordJson): Difference | undefined {
  /**
   * The number of times that the file contains a diagnostic, minus the number of times that the new plan contains it. The key
   * is the text of the diagnostic.
   */
  const surplus = new Map<string, number>();
  const count = ({ diagnostics }: RecordJson, times: number) => {
    for (const one of diagnostics) {
      if (one.code === OF_ANOTHER_STACK) continue;
      // Positions are not compared, because a new line above a declaration changes only the position.
      const { position: _, ...compared } = one;
      const key = canonicalJson(compared as unknown as Value);
      surplus.set(key, (surplus.get(key) ?? 0) + times);
    }
  };
  count(saved, 1);
  count(present, -1);
  const found = [...surplus].find(([, times]) => times !== 0);
  if (found === undefined) return undefined;
  const [key, times] = found;
  const { severity, summary, address } = parseJson(key) as unknown as RecordJson["diagnostics"][number];
  const what = `the ${severity} "${summary}" is only in the ${times > 0 ? "saved" : "new"} plan`;
  return { what, ...(address !== undefined && { address }) };
}

function differenceOfRest(saved: RecordJson, present: RecordJson): Difference | undefined {
  const field = differingField(saved, present, NOT_COMPARED);
  return field === undefined ? undefined : { what: `the field "${field}" of the plan` };
}

/**
 * Returns the first field that differs. Withheld values can be compared, because the two plans number such values in the same
 * order.
 */
const differingField = (saved: object, present: object, except: ReadonlySet<string> = NOTHING) =>
  [...new Set([...Object.keys(saved), ...Object.keys(present)])].find(
    (name) => !except.has(name) && !isDeepStrictEqual(own(saved, name), own(present, name)),
  );

const own = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
