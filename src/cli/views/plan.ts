import { type Action, objectName, parseAddress, type ResourceAddress } from "../../engine";
import { oneLine, quote } from "../../text";
import { type Field, renderFields } from "../difference";
import type { PlannedStack } from "../document/counts";
import { outsideCounts } from "../document/describe";
import {
  adopts,
  attributesOf,
  type Equal,
  groupEqualObjects,
  keptBy,
  LEFT_OVER,
  reasonText,
} from "../document/equal";
import type { ReportObject } from "../document/model";
import { paragraphs } from "../terminal/terminal";
import type { Style } from "../terminal/text";
import { comments, placeComments, placesOfEqual, shownElsewhere, strictnessComment } from "./places";
import { outsideSentences, planSentence } from "./summary";

/**
 * Renders a plan for people: the relevant drift, the planned actions and the summary.
 *
 * @param planner the name of the program that made the plan and would apply it
 * @param elsewhere the objects that the list of equal changes in several stacks already contains
 */
export function renderPlan(
  planned: PlannedStack,
  style: Style,
  planner = "Steward",
  elsewhere: ReadonlySet<ReportObject> = new Set(),
): string[] {
  const { objects, outside } = planned;
  const here = objects.filter((object) => !elsewhere.has(object));
  const moved = new Set(objects.flatMap((object) => (elsewhere.has(object) ? [object.address] : [])));
  const own = {
    ...planned,
    objects: here,
    outside: outside.filter(({ address }) => !moved.has(address)),
  };
  return paragraphs([
    ...renderOutside(own, style, planner),
    ...renderActions(own, style, planner),
    shownElsewhere(objects.length - here.length),
    renderOutputChanges(planned, style),
    [
      ...renderSummary(planned, style),
      ...outsideSentences(outsideCounts(objects), { planner }).map(style.yellow),
    ],
  ]);
}

function renderOutside({ plan, objects, outside }: PlannedStack, style: Style, planner: string): string[][] {
  const isRefresh = plan.mode === "refresh-only";
  const shown = isRefresh ? objects : outside;
  if (shown.length === 0) return [];
  const blocks = shown.map((object) => renderChange([object], style, { headline: outsideHeadline(object) }));
  const consequence = isRefresh
    ? "Applying this plan updates the state with these changes and leaves the service unchanged."
    : "The plan below shows where the configuration differs.";
  return [
    [style.bold(`Note: Objects have changed outside of ${planner}`)],
    [`${planner} found these differences between the service and the last run:`],
    ...blocks,
    [consequence],
  ];
}

/** Returns the headline for an object that was changed outside of the configuration; undefined if only its address changed. */
function outsideHeadline({ action }: ReportObject): string | undefined {
  if (action === "move") return undefined;
  return action === "delete" ? "has been deleted" : "has changed";
}

/** Returns true if a plan shows the object, because the object changes, or its address in the state changes. */
export const isListed = ({ action }: ReportObject): boolean => action !== "no-op";

function renderActions({ plan, objects }: PlannedStack, style: Style, planner: string): string[][] {
  const listed = objects.filter(isListed);
  const reverts = listed.filter((object) => object.is_revert === true);
  const own = listed.filter((object) => object.is_revert !== true);
  if (listed.length === 0 || plan.mode === "refresh-only") return [];
  return [
    legend(listed, style),
    [
      plan.applicable
        ? `${planner} will perform the following actions:`
        : `${planner} planned the following actions, but then encountered a problem:`,
    ],
    ...groupEqualObjects(own).map((group) => renderChange(group, style)),
    reverts.length === 0
      ? []
      : [style.bold("Reverts of manual changes:"), "They restore the values of the last apply."],
    ...groupEqualObjects(reverts).map((group) => renderChange(group, style)),
  ];
}

/** Renders the changed outputs. Returns no lines if no output changes. */
function renderOutputChanges({ outputs }: PlannedStack, style: Style): string[] {
  const changed = outputs.flatMap(({ name, difference }) => (difference ? [{ name, difference }] : []));
  const fields = changed.filter(({ difference }) => difference.mark !== " ");
  if (changed.length === 0) return [];
  const unchanged = changed.length - fields.length;
  return ["Changes to Outputs:", ...renderFields(fields, { depth: -1, style, unchanged })];
}

function renderSummary(planned: PlannedStack, style: Style): string[] {
  const { plan, objects, unchecked } = planned;
  const count = style.bold(planSentence(plan.counts));
  if (!plan.has_changes) return unchecked.length > 0 ? [count] : renderNoChanges(planned, style);
  if (plan.mode === "refresh-only" || objects.some(isListed)) return [count];
  return [
    count,
    "Only output values change: applying saves them to the state and leaves the service unchanged.",
  ];
}

function renderNoChanges({ plan, diagnostics }: PlannedStack, { bold, green }: Style): string[] {
  // After an error, the plan is incomplete, so it has no summary.
  if (diagnostics.some(({ severity }) => severity === "error")) return [];
  if (diagnostics.some(({ code }) => code === "taken_over_later"))
    return [bold("No changes in this run: destroys are postponed, see the warnings.")];
  const message = {
    normal: "Your infrastructure matches the configuration.",
    destroy: "No objects need to be destroyed.",
    "refresh-only": "Your infrastructure still matches the state.",
  }[plan.mode];
  return [bold(`${green("No changes.")} ${message}`)];
}

/** The symbols and words with which a plan shows an action. */
interface ActionStyle {
  readonly sign: string;
  readonly legend: string;
  readonly headline: string;
  readonly paint: keyof Style;
}

/** The style for an object that is only imported or moved, and does not change. */
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

/** Returns the action that a plan shows. Returns undefined for an object that is only imported or moved. */
function actionOf({ action, create_first: isCreateFirst }: Acting): Exclude<Action, "no-op"> | undefined {
  if (action === "replace") return isCreateFirst ? "create-then-delete" : "delete-then-create";
  return action === "no-op" || action === "import" || action === "move" ? undefined : action;
}

const styleOf = (object: Acting): ActionStyle => ACTION_STYLES[actionOf(object)!] ?? NO_ACTION_STYLE;

/** Returns the symbol for the action on an object. */
function signOf(object: Acting, style: Style): string {
  const { sign, paint } = styleOf(object);
  return style[paint](sign);
}

/** Returns the lines that explain the symbols of a plan. Moves and imports have no symbol. */
export function legend(objects: readonly Acting[], style: Style): string[] {
  const actions = new Set<string | undefined>(objects.map(actionOf));
  const lines = Object.entries(ACTION_STYLES)
    .filter(([action]) => actions.has(action))
    .map(([, { sign, legend, paint }]) => `${style[paint](sign)} ${legend}`);
  return lines.length === 0 ? [] : ["Resource actions are indicated with the following symbols:", ...lines];
}

interface ChangeOptions {
  /** A headline that replaces the default headline, which names the planned action. */
  readonly headline?: string | undefined;
  /** The number of stacks with these equal changes. */
  readonly stacks?: number;
}

/**
 * Renders the change of an object as a block of lines in Terraform's format. Equal changes of several objects share one block.
 */
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
    // For an object that is only imported, the block shows the values that the state will contain, without marks.
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

/** Returns the fields that differ, and the fields that identify the object. */
const shownFields = ({ attributes, unchanged }: ReportObject): readonly Field[] =>
  unchanged === undefined
    ? attributes
    : [...attributes, ...unchanged.identity].sort((one, other) => (one.name < other.name ? -1 : 1));

const shownName = ({ address, deposed }: ReportObject): string => oneLine(objectName(address, deposed));

function planHeadline(objects: Equal<ReportObject>): string {
  const [first] = objects;
  if (objects.length > 1) return `${objects.length} objects ${oneLine(first.type)} ${headlineOf(objects)}`;
  return first.action === "move" ? moveSentence(first) : `${shownName(first)} ${headlineOf(objects)}`;
}

/** Returns the action on objects as the end of a sentence, such as `will be imported`. */
function headlineOf(objects: Equal<ReportObject>): string {
  const [first] = objects;
  const action = actionOf(first);
  const why = first.action === "replace" ? reasonText(objects) : undefined;
  if (action === undefined || why === undefined) return actionText(first);
  if (first.reason === "replace_because_tainted")
    return `${objects.length > 1 ? "are" : "is"} ${why}, so must be replaced`;
  return `will be replaced${first.reason === "replace_by_request" ? "," : ""} ${why}`;
}

/** Returns the action on an object as the end of a sentence, without the reason. */
export function actionText(object: Acting): string {
  const action = actionOf(object);
  if (action !== undefined) return ACTION_STYLES[action].headline;
  return object.action === "no-op" ? "is unchanged" : "will be imported";
}

/** Returns the sentence about an object whose address changed. */
function moveSentence(object: ReportObject): string {
  const { previous_address: before = "", id } = object;
  const identity = id !== undefined ? `the same object, id ${id}` : "the same object";
  return `${oneLine(before)} has moved to ${shownName(object)} (${oneLine(identity)})`;
}

/** Returns comments about the origin of an object, such as a move or an import. */
function originComments(object: ReportObject): string[] {
  const { action, same_as: sameAs, takes_over: takesOver, import_id: imported } = object;
  const isMoved = object.previous_address !== undefined && action !== "move";
  return [
    ...(isMoved ? [`  # ${moveSentence(object)}`] : []),
    ...comments([
      sameAs && keptBy(sameAs),
      takesOver && adopts(takesOver),
      imported !== undefined && `imported from ${quote(imported)}`,
    ]),
    ...(imported !== undefined && action === "replace"
      ? ["  # Warning: this will destroy the imported object"]
      : []),
  ];
}

/**
 * Returns a comment with the reason of the change. Returns no comment for a replacement, because the headline of a replacement
 * already contains the reason.
 */
function reasonComment(objects: Equal<ReportObject>): string[] {
  const [{ action, deposed }] = objects;
  const why = deposed === undefined ? reasonText(objects) : LEFT_OVER;
  return comments([action !== "replace" && why]);
}
