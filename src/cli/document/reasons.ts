import {
  type ActionReason,
  factsOf,
  isUnknown,
  parseAddress,
  type ResourceAddress,
  type ResourceChange,
  sameValue,
} from "../../engine";
import { allOf, allUpTo, oneLine, quote } from "../../text";
import { fieldName } from "../terminal/text";
import type { ReportObject } from "./model";

/** The facts about an object that reasons depend on. */
type Facts = Pick<
  ReportObject,
  "type" | "address" | "action" | "deposed" | "reason" | "previous_address" | "same_as"
>;
type Reasoned = Facts & Partial<Pick<ResourceAddress, "name" | "indexKey">>;

const LEFT_FLEET = "its project has left the fleet, or a layer drops it";

export const keptBy = (address: string): string => `${address} declares the same object, so it is kept`;

export const adopts = (address: string): string => `adopts the existing object of ${address}`;

export const LEFT_OVER = "left over from a partially-failed replacement of this instance";

/**
 * The sentences for the reasons of actions, for all formats. If an attribute forces a replacement, the line of the attribute
 * already says so, so this table has no sentence for this reason.
 */
const REASONS: Readonly<Partial<Record<ActionReason, (object: Reasoned) => string>>> = {
  replace_because_tainted: () => "tainted",
  replace_by_request: () => "as requested",
  replace_by_triggers: () => "due to changes in replace_triggered_by",
  delete_because_no_resource_config: ({ type, name = "" }) =>
    `because ${fieldName(type)}.${fieldName(name)} is not in configuration`,
  delete_because_wrong_repetition: ({ indexKey }) =>
    indexKey === undefined
      ? "because resource uses count or for_each"
      : `because resource does not use ${typeof indexKey === "number" ? "count" : "for_each"}`,
  delete_because_count_index: ({ indexKey }) => `because index [${indexKey}] is out of range for count`,
  delete_because_no_move_target: ({ address, previous_address: before = "" }) =>
    `because ${oneLine(before)} was moved to ${oneLine(address)}, which is not in configuration`,
  delete_because_each_key: ({ indexKey }) =>
    `because key [${quote(String(indexKey))}] is not in for_each map`,
  read_because_config_unknown: () => "config refers to values not yet known",
  read_because_dependency_pending: () => "depends on a resource with changes pending",
  read_because_check_nested: () => "config will be reloaded to verify a check block",
};

/**
 * Returns a text that says why a plan replaces, destroys, forgets or reads these objects. Returns undefined if the objects have
 * different reasons, or if the lines of their attributes already show the reason.
 */
export function reasonText(objects: readonly Facts[]): string | undefined {
  const [why, ...others] = new Set(objects.map(reasonOf));
  return others.length === 0 ? why : undefined;
}

function reasonOf(object: Facts): string | undefined {
  const { action, address, deposed, reason, same_as: sameAs } = object;
  if (deposed !== undefined || (action === "create" && reason === "replace_by_triggers")) return undefined;
  if (action === "forget" && sameAs === undefined)
    return reason === "delete_because_each_key" ? LEFT_FLEET : "destroy = false is set in the configuration";
  const named = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return reason && REASONS[reason as ActionReason]?.({ ...object, ...named } as Reasoned);
}

type Decided = NonNullable<ResourceChange["decision"]>;

/** The maximum number of attributes in a reason. */
const SHOWN = 3;

/**
 * The sentences for decisions of the table of objects. A decision without a sentence here has a sentence in `REASONS`, or is the
 * reason itself.
 *
 * @param others the addresses of the other objects that are the reason
 */
const DECISIONS: Readonly<
  Partial<Record<Decided["why"], (change: ResourceChange, others: string) => string | undefined>>
> = {
  new: () => "the state does not contain it yet",
  "not on the service": () => "the service no longer has it",
  differs: (change) => differing(change),
  "must be replaced": ({ replacePaths }) =>
    replacePaths.length === 0
      ? undefined
      : `a new ${allUpTo(SHOWN, [...new Set(replacePaths.map(([name]) => String(name)))])} needs a new object`,
  "left the fleet": () => LEFT_FLEET,
  "same object stays": (_, others) => keptBy(others),
  "all parts stay": (_, others) => keptBy(others),
  "some parts stay": (_, others) => `no longer declared, but ${others} keeps some of its parts`,
  "owner removes": (_, others) => `no longer declared, and ${others} owns the whole set`,
  "part of a leaving object": (_, others) => adopts(others),
  "part of what a stack leaves": (_, others) => adopts(others),
  "part of a held object": (_, others) => `adopts a part of ${others}`,
  "failed has part": (_, others) => `${others} has a part of it, and could not be planned`,
  "failed may be it": (_, others) => `${others} may be the same object, and could not be planned`,
  "stack has part": (_, others) => `${others} takes over a part of it, and must be applied first`,
  "stack may have part": (_, others) => `${others} may take over a part of it, and must be applied first`,
};

function differing({ before, after, attributes }: ResourceChange): string {
  const names = Object.keys(after ?? {}).filter((name) => {
    const value = after?.[name] ?? null;
    return !isUnknown(value) && !sameValue(before?.[name] ?? null, value, attributes[name]?.type);
  });
  if (names.length === 0) return "it differs from the declaration";
  return `${allUpTo(SHOWN, names)} ${names.length === 1 ? "differs" : "differ"}`;
}

/** Returns sentences that say why the plan made its decision about an object. */
export function decisionReasons(change: ResourceChange): string[] {
  const { action, decision, previousAddress, importing, deposed } = change;
  const others = allOf([...new Set(decision?.because.map(({ address }) => oneLine(address)) ?? [])]);
  const imported = importing?.existing
    ? "it exists, and --import-existing is set"
    : "an import block names it";
  const isAsDeclared = action === "no-op" && previousAddress === undefined && importing === undefined;
  const main =
    deposed === undefined
      ? ((decision && DECISIONS[decision.why]?.(change, others)) ??
        reasonText([factsOf(change)])?.replace(/^because /, ""))
      : LEFT_OVER;
  return [
    ...(previousAddress === undefined ? [] : [`moved from ${oneLine(previousAddress)}`]),
    ...(importing === undefined ? [] : [imported]),
    ...(main === undefined ? [] : [main]),
    ...(isAsDeclared ? ["as declared"] : []),
  ];
}
