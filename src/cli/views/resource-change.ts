import { type Action, objectName, parseAddress, type ResourceAddress } from "../../engine";
import { counted, oneLine } from "../../text";
import { type Field, renderFields } from "../difference";
import { attributesOf, type Equal, placesOf, reasonText } from "../document/equal";
import type { ReportObject } from "../document/model";
import { quote, type Style } from "../printing/text";

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
function actionOf({ action, create_first: isCreateFirst }: Acting): Exclude<Action, "no-op"> | undefined {
  if (action === "replace") return isCreateFirst ? "create-then-delete" : "delete-then-create";
  return action === "no-op" || action === "import" || action === "move" ? undefined : action;
}

const styleOf = (object: Acting): ActionStyle => ACTION_STYLES[actionOf(object)!] ?? NO_ACTION_STYLE;

/** The symbol of an object's action. */
function signOf(object: Acting, style: Style): string {
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
    ...reasonComment([object]),
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
const positionOf = ({ file, line }: Pick<ReportObject, "file" | "line">): string | undefined =>
  file && `${file}:${line}`;

/** A comment on live values that a create replaces and that could not be read. */
const liveNotKnownComment = ({ live_not_known: why }: ReportObject): string[] =>
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
  object.action === "move" ? moveSentence(object) : `${shownName(object)} ${headlineOf([object])}`;

/** The action as the end of a sentence about equal objects. */
function headlineOf(objects: Equal<ReportObject>): string {
  const [first] = objects;
  const action = actionOf(first);
  if (action === undefined) return "will be imported";
  const why = first.action === "replace" ? reasonText(objects) : undefined;
  if (why === undefined) return ACTION_STYLES[action].headline;
  if (first.reason === "replace_because_tainted")
    return `${objects.length > 1 ? "are" : "is"} ${why}, so must be replaced`;
  return `will be replaced${first.reason === "replace_by_request" ? "," : ""} ${why}`;
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

/** A comment on why they change in this way. Of a replacement the headline says it. */
function reasonComment(objects: Equal<ReportObject>): string[] {
  const [{ action, deposed }] = objects;
  const why =
    deposed === undefined
      ? reasonText(objects)
      : "left over from a partially-failed replacement of this instance";
  return why === undefined || action === "replace" ? [] : [`  # (${why})`];
}

/** The width of the list of projects, and the number of its lines: an entry has to fit on a screen. */
const WIDTH = 100;
const MAX_LINES = 8;

/**
 * Equal changes as a block of lines.
 *
 * @param stacks the number of stacks that they are in
 */
export function renderEqualChanges(objects: Equal<ReportObject>, style: Style, stacks = 1): string[] {
  const [first] = objects;
  return [
    style.bold(`  # ${objects.length} objects ${oneLine(first.type)} ${headlineOf(objects)}`),
    ...reasonComment(objects),
    ...placesOfEqual(objects, stacks),
    ...(first.import_id === undefined ? [] : ["  # (imported from their ids)"]),
    ...(first.stays_on_service ? ["  # (the settings stay on the service as they are)"] : []),
    ...(first.deleted_outside ? ["  # (were deleted outside since the last apply)"] : []),
    ...liveNotKnownComment(first),
    ...strictnessComment(first, style),
    `${signOf(first, style)} resource ${quote(first.type)} {`,
    ...renderFields(attributesOf(objects), { style, isUnmarked: first.action === "import" }),
    "    }",
  ];
}

/** The line on changes of a stack that are shown with equal ones of other stacks. */
export const shownElsewhere = (count: number): string[] =>
  count === 0
    ? []
    : [`  # (${counted(count, "object is", "objects are")} above, with equal ones of other stacks)`];

/** Comments on where equal objects are, and on the line that declares them all. */
export function placesOfEqual(objects: Equal<ReportObject>, stacks: number): string[] {
  const { heading, items } = placesOf(objects, stacks);
  const [position, otherPosition] = new Set(objects.map(positionOf));
  const isOnePosition = position !== undefined && otherPosition === undefined;
  return [
    ...listLines(
      "  # ",
      `${oneLine(heading.replace(/^in /, "").replace(/ of (\d+ stacks)$/, " in $1"))}:`,
      items.map(({ name, keys }) => oneLine(keys.length === 0 ? name : `${name} (${keys.join(", ")})`)),
    ),
    ...(isOnePosition ? [`  # (${oneLine(position)})`] : []),
  ];
}

/** Names in lines of limited number, with the number of those that are left out. */
export function listLines(start: string, heading: string, names: readonly string[]): string[] {
  const lines: string[] = [];
  let line = `${start}${heading}`;
  for (const [index, name] of names.entries()) {
    const next = `${line} ${name}${index === names.length - 1 ? "" : ","}`;
    if (next.length <= WIDTH) line = next;
    else {
      lines.push(line);
      if (lines.length === MAX_LINES)
        return [...lines.slice(0, -1), `${line} and ${names.length - index} more`];
      line = `${start}  ${name}${index === names.length - 1 ? "" : ","}`;
    }
  }
  return [...lines, line];
}
