import {
  type Action,
  type ActionReason,
  objectName,
  type ResourceChange,
  shownId,
  shownImportId,
} from "../../engine";
import { oneLine } from "../../text";
import { type ChangedOutside, fieldsOf, isDeletedOutside, renderFields } from "../difference";
import type { ReportObject } from "../document/model";
import { staysOnService, strictnessOf } from "../printing/own-provider";
import { containerOf } from "../printing/place";
import { fieldName, quote } from "../printing/printable";
import type { Style } from "../printing/style";

/** How a plan shows an action. */
interface ActionStyle {
  readonly sign: string;
  readonly legend: string;
  readonly headline: string;
  readonly paint: keyof Style;
}

/** The style for an object that does not change, but is imported or moved. */
const NO_ACTION_STYLE: ActionStyle = { sign: "   ", legend: "", headline: "", paint: "bold" };

const styleOf = (action: Action): ActionStyle =>
  action === "no-op" ? NO_ACTION_STYLE : ACTION_STYLES[action];

const ACTION_STYLES: Readonly<Record<Exclude<Action, "no-op">, ActionStyle>> = {
  create: { sign: "  +", legend: "create", headline: "will be created", paint: "green" },
  read: { sign: " <=", legend: "read (data sources)", headline: "will be read during apply", paint: "cyan" },
  update: { sign: "  ~", legend: "update in-place", headline: "will be updated in-place", paint: "yellow" },
  delete: { sign: "  -", legend: "destroy", headline: "will be destroyed", paint: "red" },
  "delete-then-create": {
    sign: "-/+",
    legend: "destroy and then create replacement",
    headline: "must be replaced",
    paint: "red",
  },
  forget: {
    sign: "  .",
    legend: "forget",
    headline: "will no longer be managed by Steward, but will not be destroyed",
    paint: "red",
  },
  "create-then-delete": {
    sign: "+/-",
    legend: "create replacement and then destroy",
    headline: "must be replaced",
    paint: "red",
  },
};

/** The symbol of a change's action. */
export function signOf({ action }: ResourceChange, style: Style): string {
  const { sign, paint } = styleOf(action);
  return style[paint](sign);
}

/** The lines that explain the action symbols of a plan. */
export const legend = (actions: ReadonlySet<Action>, style: Style): string[] =>
  Object.entries(ACTION_STYLES)
    .filter(([action]) => actions.has(action as Action))
    .map(([, { sign, legend, paint }]) => `${style[paint](sign)} ${legend}`);

/** An object of a plan as a block of lines in Terraform's format, with the plan's headline by default. */
export function renderChange(
  change: ResourceChange,
  style: Style,
  { headline, outside }: { readonly headline?: string; readonly outside?: ChangedOutside } = {},
): string[] {
  const comments = [
    style.bold(`  # ${headline === undefined ? planHeadline(change) : `${shownName(change)} ${headline}`}`),
    ...reasonComment(change),
    ...originComments(change),
    ...(staysOnService(change) ? ["  # (the setting stays on the service as it is)"] : []),
    ...deletedOutsideComment(outside),
    ...placeComments(change),
    ...liveNotKnownComment(change),
    ...(headline === undefined
      ? strictnessComment({ strictness: strictnessOf(change) ?? "tighter" }, style)
      : []),
  ];
  const keyword = change.mode === "data" ? "data" : "resource";
  // Nothing of an object that is only imported changes: the plan shows what the state takes over.
  const fields =
    change.action === "no-op" && change.importing !== undefined
      ? renderFields(fieldsOf({ ...change, before: null }), { style, isUnmarked: true })
      : renderFields(fieldsOf(change, outside), { style, identifies: true });
  return [
    ...comments,
    `${signOf(change, style)} ${keyword} ${quote(change.type)} ${quote(change.name)} {`,
    ...fields,
    "    }",
  ];
}

/** Comments on where an object is: its project or group, its construct, and the app's file and line. */
export function placeComments(change: ResourceChange): string[] {
  const { construct, position } = change;
  const container = containerOf(change);
  const declared = [construct === undefined ? undefined : `construct ${construct}`, position];
  const comment = (parts: readonly (string | undefined)[]) => {
    const known = parts.filter((part) => part !== undefined);
    return known.length === 0 ? [] : [`  # (${oneLine(known.join(", "))})`];
  };
  return [...comment([container && `${container.kind} ${container.name}`]), ...comment(declared)];
}

/** A comment on an object that the plan creates again. */
const deletedOutsideComment = (outside: ChangedOutside | undefined): string[] =>
  isDeletedOutside(outside) ? ["  # (was deleted outside since the last apply)"] : [];

/** A comment on live values that a create replaces and that could not be read. */
export const liveNotKnownComment = ({ replaced }: ResourceChange): string[] =>
  replaced?.why === undefined ? [] : [`  # (live values not known: ${oneLine(replaced.why)})`];

const LOOSENS = {
  looser: "loosens: allows more than before",
  mixed: "loosens in one part and tightens in another",
};

/** A comment on a change that allows more than before; other changes have none. */
export const strictnessComment = (
  { strictness }: Pick<ReportObject, "strictness">,
  { red }: Style,
): string[] =>
  strictness === undefined || strictness === "tighter" ? [] : [`  # ${red(`(${LOOSENS[strictness]})`)}`];

const shownName = ({ address, deposed }: ResourceChange): string => oneLine(objectName(address, deposed));

function planHeadline(change: ResourceChange): string {
  const { action, importing, previousAddress } = change;
  if (action === "no-op" && importing === undefined && previousAddress !== undefined)
    return moveSentence(change, previousAddress);
  return `${shownName(change)} ${headlineOf(change)}`;
}

/** The action as the end of a sentence about a number of objects. */
export function headlineOf({ action, reason }: ResourceChange, count = 1): string {
  if (count > 1 && action !== "no-op") return ACTION_STYLES[action].headline;
  if (reason === "replace_because_tainted") return "is tainted, so must be replaced";
  if (reason === "replace_by_request") return "will be replaced, as requested";
  if (reason === "replace_by_triggers" && action !== "create")
    return "will be replaced due to changes in replace_triggered_by";
  return action === "no-op" ? "will be imported" : ACTION_STYLES[action].headline;
}

/** The sentence for an object whose address changed. */
function moveSentence(change: ResourceChange, previousAddress: string): string {
  const id = shownId(change.before, change.beforeSensitive);
  const identity = id !== undefined ? `the same object, id ${id}` : "the same object";
  return `${oneLine(previousAddress)} has moved to ${shownName(change)} (${oneLine(identity)})`;
}

/** Comments on the origin of an object. */
function originComments(change: ResourceChange): string[] {
  const { action, previousAddress, importing, sameAs, takesOver } = change;
  const isOnlyMoved = action === "no-op" && importing === undefined;
  const destroys = action === "delete-then-create" || action === "create-then-delete";
  return [
    ...(previousAddress === undefined || isOnlyMoved ? [] : [`  # ${moveSentence(change, previousAddress)}`]),
    ...(sameAs === undefined ? [] : [`  # (${oneLine(sameAs)} declares the same object, so it is kept)`]),
    ...(takesOver === undefined ? [] : [`  # (adopts the existing object of ${oneLine(takesOver)})`]),
    ...(importing === undefined ? [] : [`  # (imported from ${quote(shownImportId(change))})`]),
    ...(importing !== undefined && destroys ? ["  # Warning: this will destroy the imported object"] : []),
  ];
}

const REASONS: Readonly<Partial<Record<ActionReason, (change: ResourceChange) => string>>> = {
  delete_because_no_resource_config: ({ type, name }) =>
    `because ${fieldName(type)}.${fieldName(name)} is not in configuration`,
  delete_because_wrong_repetition: ({ indexKey }) =>
    indexKey === undefined
      ? "because resource uses count or for_each"
      : `because resource does not use ${typeof indexKey === "number" ? "count" : "for_each"}`,
  delete_because_count_index: ({ indexKey }) => `because index [${indexKey}] is out of range for count`,
  delete_because_no_move_target: ({ address, previousAddress }) =>
    `because ${oneLine(previousAddress ?? "")} was moved to ${oneLine(address)}, which is not in configuration`,
  delete_because_each_key: ({ indexKey }) =>
    `because key [${quote(String(indexKey))}] is not in for_each map`,
  read_because_config_unknown: () => "config refers to values not yet known",
  read_because_dependency_pending: () => "depends on a resource with changes pending",
  read_because_check_nested: () => "config will be reloaded to verify a check block",
};

function reasonComment(change: ResourceChange): string[] {
  if (change.action === "forget" && change.sameAs === undefined)
    return ["  # (destroy = false is set in the configuration)"];
  const reason =
    change.deposed === undefined
      ? change.reason && REASONS[change.reason]?.(change)
      : "left over from a partially-failed replacement of this instance";
  return reason === undefined ? [] : [`  # (${reason})`];
}
