import { counted, oneLine } from "../../text";
import { renderFields } from "../difference";
import { type DriftedStack, failedCounts } from "../document/counts";
import { attributesOf, type Equal, groupEqualObjects } from "../document/equal";
import type { ReportObject } from "../document/model";
import { type Suppressed, suppressedSentence } from "../findings/finding";
import { ignoreEntries } from "../findings/manage-commands";
import { paragraphs } from "../terminal/terminal";
import type { Style } from "../terminal/text";
import { comments, placeComments, placesOfEqual, shownElsewhere, strictnessComment } from "./places";
import type { Unmanaged } from "./run-view";
import { failedSentence } from "./summary";

/**
 * Renders the drifted objects and their number.
 *
 * @param elsewhere the objects that the list of equal objects in several stacks already contains
 */
export function renderDriftReport(
  drift: DriftedStack,
  suppressed: Suppressed,
  style: Style,
  elsewhere: ReadonlySet<ReportObject> = new Set(),
): string[] {
  const shown = drift.objects.filter((object) => !elsewhere.has(object));
  const blocks = groupEqualObjects(shown).map((group) => renderDrifted(group, style));
  return paragraphs([
    ...blocks,
    shownElsewhere(drift.objects.length - shown.length),
    ...renderSuppressed(suppressed, blocks.length),
    renderCount(drift, suppressed, style),
  ]);
}

/**
 * Renders a drifted object as a block of lines. Several objects with equal drift share one block.
 *
 * @param stacks the number of stacks that contain the objects
 */
export function renderDrifted(objects: Equal<ReportObject>, style: Style, stacks = 1): string[] {
  const [first, ...rest] = objects;
  const { address, type, status, unchanged } = first;
  const isOne = rest.length === 0;
  const [be, differ] = isOne ? ["is", "differs"] : ["are", "differ"];
  const finding =
    status === "vanished" ? `${be} gone from the service` : `${differ} on the service (applied -> live)`;
  const name = isOne ? address : `${objects.length} objects ${type}`;
  return [
    style.bold(`  # ${oneLine(name)} ${finding}`),
    ...(isOne ? placeComments(first) : placesOfEqual(objects, stacks)),
    ...strictnessComment(first, style),
    ...renderFields(isOne ? first.attributes : attributesOf(objects), {
      style,
      unchanged: (isOne && unchanged?.others) || 0,
    }),
  ];
}

function renderCount(
  { objects: drifted, checked, unchecked, hasSearched, diagnostics }: DriftedStack,
  { known, ignored }: Suppressed,
  style: Style,
): string[] {
  const { bold, green, yellow } = style;
  const objects = counted(checked, "object");
  const failedPart = failedSentence(failedCounts(diagnostics, unchecked));
  if (drifted.length === 0 && failedPart === "") {
    // After an error, the run has not compared all objects, so the run can't report "No drift".
    if (diagnostics.some(({ severity }) => severity === "error")) return [];
    // A run that only searched for live objects has compared no objects. A run that only searched reports the result of the
    // search instead.
    if (checked === 0 && hasSearched) return [];
    if (checked === 0)
      return [bold("No objects were checked: the state contains none that Steward manages.")];
    const suppressedPart = suppressedSentence(known.length, ignored.length);
    if (suppressedPart !== undefined) return [bold(`${yellow(`${suppressedPart}.`)} ${objects} checked.`)];
    return [bold(`${green("No drift.")} ${objects} checked; all match the state.`)];
  }
  const vanished = drifted.filter(({ status }) => status === "vanished").length;
  return [
    bold(
      `${yellow(`Drift: ${drifted.length - vanished} changed, ${vanished} vanished`)} (${objects} checked).${failedPart}`,
    ),
  ];
}

/**
 * The limits for undeclared objects in the output: the number of blocks, and their total number of lines. Reports list all
 * objects.
 */
const MAX_UNMANAGED = 25;
const MAX_UNMANAGED_LINES = 300;

/** Returns the first blocks that fit into the limits of blocks and lines, but at least one block. */
function firstBlocks(groups: readonly Equal<ReportObject>[], style: Style): readonly string[][] {
  const blocks: string[][] = [];
  let lines = 0;
  for (const group of groups.slice(0, MAX_UNMANAGED)) {
    const block = renderUnmanagedObjects(group, style);
    lines += block.length + 1;
    if (lines > MAX_UNMANAGED_LINES && blocks.length > 0) break;
    blocks.push(block);
  }
  return blocks;
}

/**
 * Renders the undeclared objects and their number. For each object, the output contains the command that imports the object.
 * Equal objects share one block.
 *
 * @param hasFailed whether the run has an error. The run may then not have read all live objects
 * @param isSummary whether the result contains only the number of objects
 */
export function renderUnmanaged(
  { objects, containers }: Unmanaged,
  suppressed: Suppressed,
  { hasFailed, isSummary }: { readonly hasFailed: boolean; readonly isSummary: boolean },
  style: Style,
): string[] {
  const groups = isSummary ? [] : groupEqualObjects(objects);
  const blocks = firstBlocks(groups, style);
  const searched = `${counted(containers, "project or group", "projects and groups")} searched`;
  const suppressedPart = suppressedSentence(suppressed.known.length, suppressed.ignored.length);
  const suppressedOnly =
    suppressedPart === undefined
      ? style.green("Nothing unmanaged.")
      : style.yellow(`Unmanaged: ${suppressedPart}.`);
  const noFindings = hasFailed ? style.yellow("Unmanaged: 0, incomplete, see the errors.") : suppressedOnly;
  const count =
    objects.length === 0
      ? style.bold(`${noFindings} ${searched}.`)
      : style.bold(`${style.yellow(`Unmanaged: ${objects.length}`)} (${searched}).`);
  const entries = isSummary ? [] : ignoreEntries(objects);
  return paragraphs([
    ...blocks,
    omittedGroups(groups.slice(blocks.length)),
    entries.length === 0
      ? []
      : ["To ignore undeclared settings and projects, add these lines to the file of --ignore:"],
    entries.map(oneLine),
    [count],
    ...(isSummary ? [] : renderSuppressed(suppressed, blocks.length)),
  ]);
}

function omittedGroups(groups: readonly Equal<ReportObject>[]): string[] {
  const { length } = groups.flat();
  if (length === 0) return [];
  return [
    `And ${counted(length, "more undeclared object")}, with other values. To list all of them, add --report FILE.`,
  ];
}

/** @param areMany whether the sentence is about several objects with the same reason */
function unmanagedReason(
  { is_container: isContainer, is_declared: isDeclared, undeclared = [], unlisted }: ReportObject,
  areMany = false,
): string {
  const be = areMany ? "are" : "is";
  if (unlisted !== undefined) return "can't be listed with this token";
  if (isContainer) return `${be} in a covered group, but not declared`;
  const names = undeclared.join(", ");
  const isOne = undeclared.length === 1;
  if (isDeclared)
    return `${be} declared without ${names}, whose ${isOne ? "value is" : "values are"} not the default`;
  if (undeclared.length === 0) return `${be} on the service but not declared`;
  return `${be} not declared, and ${names} ${isOne ? "is" : "are"} not the default`;
}

function renderUnmanagedObjects(objects: Equal<ReportObject>, style: Style): string[] {
  const [first, ...others] = objects;
  const { is_declared: isDeclared, undeclarable, unlisted, commands = {}, attributes } = first;
  if (others.length === 0)
    return [
      style.bold(`  # ${oneLine(`${first.address} ${unmanagedReason(first)}`)}`),
      ...comments([
        isDeclared && "to manage it, add it to the declaration",
        undeclarable && `can't be declared: ${undeclarable}`,
        unlisted,
        commands.import && `to manage it, declare it and run: ${commands.import}`,
        commands.adopt && `to generate the declaration, run: ${commands.adopt}`,
      ]),
      ...renderFields(attributes, { style, isClosedByNull: false }),
    ];
  return [
    style.bold(`  # ${objects.length} objects ${oneLine(first.type)} ${unmanagedReason(first, true)}`),
    ...placesOfEqual(objects, 1),
    ...comments([
      isDeclared && "to manage them, add them to their declarations",
      undeclarable && `can't be declared: ${undeclarable}`,
      unlisted,
      commands.adopt && `to generate the declarations, run \`steward adopt\` with the paths above`,
    ]),
    ...renderFields(attributesOf(objects), { style, isClosedByNull: false }),
  ];
}

/**
 * Renders the ignored and the known findings. If no finding is reported, leaves out the number of known findings, because the
 * last line gives this number.
 */
function renderSuppressed({ ignored, known }: Suppressed, findings: number): string[][] {
  const lines = ignored.map(({ name, reason }) => `  ${oneLine(name)}: ${oneLine(reason)}`);
  return [
    ignored.length > 0 ? ["Ignored:", ...lines] : [],
    known.length > 0 && findings > 0
      ? [`${counted(known.length, "difference")} known from the earlier run, not reported again.`]
      : [],
  ];
}
