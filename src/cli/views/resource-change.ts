import { type Action, type ActionReason, objectName, parseAddress, type ResourceAddress } from "../../engine";
import { oneLine } from "../../text";
import { type Field, renderFields } from "../difference";
import type { ReportObject } from "../document/model";
import { fieldName, quote, type Style } from "../printing/text";

/** How a plan shows an action. */
interface ActionStyle {
  readonly sign: string;
  readonly legend: string;
  readonly headline: string;
  readonly paint: keyof Style;
}

/** The style for an object that does not change, but is imported or moved. */
const NO_ACTION_STYLE: ActionStyle = { sign: "   ", legend: "", headline: "", paint: "bold" };

const REPLACED = { headline: "must be replaced", paint: "red" } as const;

const ACTION_STYLES: Readonly<Record<Exclude<Action, "no-op">, ActionStyle>> = {
  create: { sign: "  +", legend: "create", headline: "will be created", paint: "green" },
  read: { sign: " <=", legend: "read (data sources)", headline: "will be read during apply", paint: "cyan" },
  update: { sign: "  ~", legend: "update in-place", headline: "will be updated in-place", paint: "yellow" },
  delete: { sign: "  -", legend: "destroy", headline: "will be destroyed", paint: "red" },
  "delete-then-create": { sign: "-/+", legend: "destroy and then create replacement", ...REPLACED },
  forget: {
    sign: "  .",
    legend: "forget",
    headline: "will no longer be managed by Steward, but will not be destroyed",
    paint: "red",
  },
  "create-then-delete": { sign: "+/-", legend: "create replacement and then destroy", ...REPLACED },
};

type Acting = Pick<ReportObject, "action" | "create_first">;

/** Undefined for an object that is only imported or moved. */
function actionOf({ action, create_first: createsFirst }: Acting): Exclude<Action, "no-op"> | undefined {
  if (action === "replace") return createsFirst ? "create-then-delete" : "delete-then-create";
  return action === "no-op" || action === "import" || action === "move" ? undefined : action;
}

const styleOf = (object: Acting): ActionStyle => ACTION_STYLES[actionOf(object)!] ?? NO_ACTION_STYLE;

/** The symbol of an object's action. */
export function signOf(object: Acting, style: Style): string {
  const { sign, paint } = styleOf(object);
  return style[paint](sign);
}

/** The lines that explain the action symbols of a plan. */
export function legend(objects: readonly Acting[], style: Style): string[] {
  const actions = new Set<string | undefined>(objects.map(actionOf));
  return Object.entries(ACTION_STYLES)
    .filter(([action]) => actions.has(action))
    .map(([, { sign, legend, paint }]) => `${style[paint](sign)} ${legend}`);
}

/** An object of a plan as a block of lines in Terraform's format, with the plan's headline by default. */
export function renderObject(object: ReportObject, style: Style, headline?: string): string[] {
  const { type, action, unchanged } = object;
  const comments = [
    style.bold(`  # ${headline === undefined ? planHeadline(object) : `${shownName(object)} ${headline}`}`),
    ...reasonComment(object),
    ...originComments(object),
    ...(object.stays_on_service ? ["  # (the setting stays on the service as it is)"] : []),
    ...(object.deleted_outside ? ["  # (was deleted outside since the last apply)"] : []),
    ...placeComments(object),
    ...liveNotKnownComment(object),
    ...(headline === undefined ? strictnessComment(object, style) : []),
  ];
  const { mode, name = "" } = parsed(object);
  return [
    ...comments,
    `${signOf(object, style)} ${mode === "data" ? "data" : "resource"} ${quote(type)} ${quote(name)} {`,
    // Nothing of an object that is only imported changes: the plan shows what the state takes over.
    ...renderFields(shownFields(object), {
      style,
      unchanged: unchanged?.others ?? 0,
      isUnmarked: action === "import",
    }),
    "    }",
  ];
}

const parsed = ({ address }: Pick<ReportObject, "address">): Partial<ResourceAddress> =>
  (parseAddress(address) ?? {}) as Partial<ResourceAddress>;

/** What differs, and what identifies the object. */
const shownFields = ({ attributes, unchanged }: ReportObject): readonly Field[] =>
  unchanged === undefined
    ? attributes
    : [...attributes, ...unchanged.identity].sort((one, other) => (one.name < other.name ? -1 : 1));

/** Comments on where an object is: its project or group, its construct, and the app's file and line. */
export function placeComments({ project, group, construct, ...object }: ReportObject): string[] {
  const container = project === undefined ? group && `group ${group}` : `project ${project}`;
  const declared = [construct && `construct ${construct}`, positionOf(object)].filter(Boolean).join(", ");
  return [container, declared].flatMap((text) => (text ? [`  # (${oneLine(text)})`] : []));
}

/** Such as `main.ts:26`. */
export const positionOf = ({ file, line }: Pick<ReportObject, "file" | "line">): string | undefined =>
  file && `${file}:${line}`;

/** A comment on live values that a create replaces and that could not be read. */
export const liveNotKnownComment = ({ live_not_known: why }: ReportObject): string[] =>
  why === undefined ? [] : [`  # (live values not known: ${oneLine(why)})`];

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

const shownName = ({ address, deposed }: ReportObject): string => oneLine(objectName(address, deposed));

const planHeadline = (object: ReportObject): string =>
  object.action === "move" ? moveSentence(object) : `${shownName(object)} ${headlineOf(object)}`;

/** The action as the end of a sentence about a number of objects. */
export function headlineOf({ reason, ...object }: ReportObject, count = 1): string {
  const action = actionOf(object);
  if (action === undefined) return "will be imported";
  if (count > 1) return ACTION_STYLES[action].headline;
  if (reason === "replace_because_tainted") return "is tainted, so must be replaced";
  if (reason === "replace_by_request") return "will be replaced, as requested";
  if (reason === "replace_by_triggers" && action !== "create")
    return "will be replaced due to changes in replace_triggered_by";
  return ACTION_STYLES[action].headline;
}

/** The sentence for an object whose address changed. */
function moveSentence(object: ReportObject): string {
  const { previous_address: before = "", id } = object;
  const identity = id !== undefined ? `the same object, id ${id}` : "the same object";
  return `${oneLine(before)} has moved to ${shownName(object)} (${oneLine(identity)})`;
}

/** Comments on the origin of an object. */
function originComments(object: ReportObject): string[] {
  const { action, same_as: sameAs, takes_over: takesOver, import_id: imported } = object;
  const isMoved = object.previous_address !== undefined && action !== "move";
  return [
    ...(isMoved ? [`  # ${moveSentence(object)}`] : []),
    ...(sameAs === undefined ? [] : [`  # (${oneLine(sameAs)} declares the same object, so it is kept)`]),
    ...(takesOver === undefined ? [] : [`  # (adopts the existing object of ${oneLine(takesOver)})`]),
    ...(imported === undefined ? [] : [`  # (imported from ${quote(imported)})`]),
    ...(imported !== undefined && action === "replace"
      ? ["  # Warning: this will destroy the imported object"]
      : []),
  ];
}

type Reasoned = ReportObject & Partial<Pick<ResourceAddress, "name" | "indexKey">>;

const REASONS: Readonly<Partial<Record<ActionReason, (object: Reasoned) => string>>> = {
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

function reasonComment(object: ReportObject): string[] {
  const { action, deposed, reason, same_as: sameAs } = object;
  if (action === "forget" && sameAs === undefined)
    return [
      reason === "delete_because_each_key"
        ? "  # (its project has left the fleet, or a layer drops it)"
        : "  # (destroy = false is set in the configuration)",
    ];
  const told =
    deposed === undefined
      ? reason && REASONS[reason as ActionReason]?.({ ...object, ...parsed(object) } as Reasoned)
      : "left over from a partially-failed replacement of this instance";
  return told === undefined ? [] : [`  # (${told})`];
}
