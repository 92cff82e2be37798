import { type Action, objectName, parseAddress, type ResourceAddress } from "../../engine";
import { counted, namesUpTo, oneLine, quote } from "../../text";
import { type Field, renderFields } from "../difference";
import { attributesOf, type Equal, placesOf, reasonText } from "../document/equal";
import type { ReportObject } from "../document/model";
import type { Style } from "../terminal/text";

/** The symbols and words with which a plan shows an action. */
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

/** The lines that explain the action symbols of a plan; none for moves and imports, which have no symbol. */
export function legend(objects: readonly Acting[], style: Style): string[] {
  const actions = new Set<string | undefined>(objects.map(actionOf));
  const lines = Object.entries(ACTION_STYLES)
    .filter(([action]) => actions.has(action))
    .map(([, { sign, legend, paint }]) => `${style[paint](sign)} ${legend}`);
  return lines.length === 0 ? [] : ["Resource actions are indicated with the following symbols:", ...lines];
}

interface ChangeOptions {
  /** Replaces the headline with the planned action. */
  readonly headline?: string | undefined;
  /** The number of stacks that have the equal changes. */
  readonly stacks?: number;
}

/** An object of a plan, or equal changes, as a block of lines in Terraform's format. */
export function renderChange(
  objects: Equal<ReportObject>,
  style: Style,
  { headline, stacks = 1 }: ChangeOptions = {},
): string[] {
  const [first] = objects;
  const { type, action, unchanged } = first;
  const isOne = objects.length === 1;
  const [setting, was] = isOne ? ["the setting stays", "was"] : ["the settings stay", "were"];
  const { mode, name = "" } = parsed(first);
  const label = mode === "data" ? "data" : "resource";
  return [
    style.bold(`  # ${headline === undefined ? planHeadline(objects) : `${shownName(first)} ${headline}`}`),
    ...reasonComment(objects),
    ...(isOne ? originComments(first) : placesOfEqual(objects, stacks)),
    ...comments([
      !isOne && first.import_id !== undefined && "imported from their ids",
      first.stays_on_service && `${setting} on the service as ${isOne ? "it is" : "they are"}`,
      first.deleted_outside && `${was} deleted outside since the last apply`,
    ]),
    ...(isOne ? placeComments(first) : []),
    ...comments([first.live_not_known && `live values not known: ${first.live_not_known}`]),
    ...(headline === undefined ? strictnessComment(first, style) : []),
    `${signOf(first, style)} ${label} ${quote(type)} ${isOne ? `${quote(name)} {` : "{"}`,
    // An object that is only imported does not change. The plan shows the values that the state takes over.
    ...renderFields(isOne ? shownFields(first) : attributesOf(objects), {
      style,
      unchanged: (isOne && unchanged?.others) || 0,
      isUnmarked: action === "import",
    }),
    "    }",
  ];
}

const parsed = ({ address }: Pick<ReportObject, "address">): Partial<ResourceAddress> =>
  (parseAddress(address) ?? {}) as Partial<ResourceAddress>;

/** Returns the differing fields, and the fields that identify the object. */
const shownFields = ({ attributes, unchanged }: ReportObject): readonly Field[] =>
  unchanged === undefined
    ? attributes
    : [...attributes, ...unchanged.identity].sort((one, other) => (one.name < other.name ? -1 : 1));

/**
 * Returns comments with the place of an object: its project or group, its construct, and the app's file and line.
 */
export function placeComments({ project, group, construct, ...object }: ReportObject): string[] {
  const container = project === undefined ? group && `group ${group}` : `project ${project}`;
  const declared = [construct && `construct ${construct}`, positionOf(object)].filter(Boolean).join(", ");
  return comments([container, declared]);
}

/** Returns comments on separate lines. An absent text has none. */
export const comments = (texts: readonly (string | false | undefined)[]): string[] =>
  texts.flatMap((text) => (text ? [`  # (${oneLine(text)})`] : []));

/** Formats a position, such as `main.ts:26`. */
const positionOf = ({ file, line }: Pick<ReportObject, "file" | "line">): string | undefined =>
  file && `${file}:${line}`;

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

function planHeadline(objects: Equal<ReportObject>): string {
  const [first] = objects;
  if (objects.length > 1) return `${objects.length} objects ${oneLine(first.type)} ${headlineOf(objects)}`;
  return first.action === "move" ? moveSentence(first) : `${shownName(first)} ${headlineOf(objects)}`;
}

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
    ...comments([
      sameAs && `${sameAs} declares the same object, so it is kept`,
      takesOver && `adopts the existing object of ${takesOver}`,
      imported !== undefined && `imported from ${quote(imported)}`,
    ]),
    ...(imported !== undefined && action === "replace"
      ? ["  # Warning: this will destroy the imported object"]
      : []),
  ];
}

/** Returns a comment with the reason of the change. The headline of a replacement already contains it. */
function reasonComment(objects: Equal<ReportObject>): string[] {
  const [{ action, deposed }] = objects;
  const why =
    deposed === undefined
      ? reasonText(objects)
      : "left over from a partially-failed replacement of this instance";
  return comments([action !== "replace" && why]);
}

/** The width of the list of projects, and its maximum number of lines. An entry has to fit on a screen. */
const WIDTH = 100;
const MAX_LINES = 8;
/** The maximum number of objects of one project that the list names. */
const MAX_KEYS = 5;

/** Returns the line about changes of a stack that are shown with equal changes of other stacks. */
export const shownElsewhere = (count: number): string[] =>
  comments([
    count > 0 && `${counted(count, "object is", "objects are")} above, with equal ones of other stacks`,
  ]);

/** Returns comments with the places of equal objects, and with the line that declares them all. */
export function placesOfEqual(objects: Equal<ReportObject>, stacks: number): string[] {
  const { heading, items } = placesOf(objects, stacks);
  const [position, otherPosition] = new Set(objects.map(positionOf));
  const isOnePosition = position !== undefined && otherPosition === undefined;
  return [
    ...listLines(
      "  # ",
      `${oneLine(heading.replace(/^in /, "").replace(/ of (\d+ stacks)$/, " in $1"))}:`,
      items.map(({ name, keys }) =>
        oneLine(keys.length === 0 ? name : `${name} (${namesUpTo(MAX_KEYS, keys)})`),
      ),
    ),
    ...comments([isOnePosition && position]),
  ];
}

/** Lists names on a limited number of lines, with the number of the others. */
export function listLines(start: string, heading: string, names: readonly string[], width = WIDTH): string[] {
  const lines: string[] = [];
  let line = `${start}${heading}`;
  for (const [index, name] of names.entries()) {
    const next = `${line} ${name}${index === names.length - 1 ? "" : ","}`;
    const more = ` and ${names.length - index} more`;
    // The last line has to have space for the number of the others.
    const room = lines.length === MAX_LINES - 1 && index < names.length - 1 ? more.length : 0;
    if (next.length + room <= width) line = next;
    else {
      lines.push(line);
      if (lines.length === MAX_LINES) return [...lines.slice(0, -1), `${line}${more}`];
      line = `${start}  ${name}${index === names.length - 1 ? "" : ","}`;
    }
  }
  return [...lines, line];
}
