import type { DriftedObject, UnmanagedObject } from "../../engine";
import { oneLine } from "../../text";
import { driftedFields, fieldsOfUndeclared, renderFields } from "../difference";
import { describeDrifted } from "../document/describe";
import { attributesOf, equalKeyOf, looserFirst } from "../document/equal";
import type { ReportObject } from "../document/model";
import { unmanagedName } from "../drift/finding";
import type { Suppressed } from "../drift/finding-filter";
import { ignoreEntries } from "../drift/ignore-entries";
import { manageCommands } from "../drift/manage-commands";
import { suppressedSentence } from "../drift/suppressed-sentence";
import { type Equal, groupEqual } from "../printing/equal";
import { paragraphs } from "../printing/paragraphs";
import type { Style } from "../printing/style";
import { placesOfEqual, shownElsewhere } from "./equal-changes";
import { placeComments, strictnessComment } from "./resource-change";
import type { ShownDrift, Unmanaged } from "./run-view";
import { failedCounts, failedSentence } from "./summary";

/**
 * The drifted objects and their number.
 *
 * @param isElsewhere whether an object is shown with those of other stacks
 */
export function renderDriftReport(
  report: ShownDrift,
  suppressed: Suppressed,
  style: Style,
  isElsewhere: (drifted: DriftedObject) => boolean = () => false,
): string[] {
  const shown = report.drifted.filter((drifted) => !isElsewhere(drifted));
  const groups = looserFirst(
    groupEqual(shown, driftKeyOf),
    ([first]) => describeDrifted(first, undefined).strictness,
  );
  const blocks = groups.map((group) =>
    group.length === 1 ? renderObject(group[0], style) : renderEqualDrift(group, style),
  );
  return paragraphs([
    ...blocks,
    shownElsewhere(report.drifted.length - shown.length),
    ...renderSuppressed(suppressed, blocks.length),
    renderCount(report, suppressed, style),
  ]);
}

function renderObject(drifted: DriftedObject, style: Style): string[] {
  const { kind, change } = drifted;
  const finding =
    kind === "vanished" ? "is gone from the service" : "differs on the service (applied -> live)";
  return [
    style.bold(`  # ${oneLine(change.address)} ${finding}`),
    ...placeComments(change),
    ...strictnessComment(describeDrifted(drifted, undefined), style),
    ...renderFields(driftedFields(drifted), { style }),
  ];
}

/**
 * Equal drift as a block of lines.
 *
 * @param stacks the number of stacks that it is in
 */
export function renderEqualDrift(group: Equal<DriftedObject>, style: Style, stacks = 1): string[] {
  const [first, ...rest] = group;
  const { kind, change } = first;
  const objects: Equal<ReportObject> = [
    describeDrifted(first, undefined),
    ...rest.map((one) => describeDrifted(one, undefined)),
  ];
  const finding =
    kind === "vanished" ? "are gone from the service" : "differ on the service (applied -> live)";
  return [
    style.bold(`  # ${group.length} objects ${oneLine(change.type)} ${finding}`),
    ...placesOfEqual([change, ...rest.map((one) => one.change)], objects, stacks),
    ...strictnessComment(objects[0], style),
    ...renderFields(attributesOf(objects), { style }),
  ];
}

/** Equal texts mean equal drift; undefined for an object without a project or a group. */
export const driftKeyOf = (drifted: DriftedObject): string | undefined =>
  equalKeyOf(describeDrifted(drifted, undefined));

function renderCount(
  { drifted, objects: { length: checked }, unchecked, scans, diagnostics }: ShownDrift,
  { known, ignored }: Suppressed,
  style: Style,
): string[] {
  const { bold, green, yellow } = style;
  const objects = counted(checked, "object");
  const addresses = unchecked.map(({ object }) => object.address);
  const failedPart = failedSentence(failedCounts(diagnostics, addresses));
  if (drifted.length === 0 && failedPart === "") {
    // After an error, the objects were not all compared, so there is no result to report.
    if (diagnostics.some(({ severity }) => severity === "error")) return [];
    // Where something live was looked for, that is the result.
    if (checked === 0 && scans.length > 0) return [];
    if (checked === 0) return [bold("No objects were checked: the state holds none that steward manages.")];
    const suppressedPart = suppressedSentence(known.length, ignored.length);
    if (suppressedPart !== undefined) return [bold(`${yellow(`${suppressedPart}.`)} ${objects} checked.`)];
    return [bold(`${green("No drift.")} ${objects} checked: all as in the state.`)];
  }
  const vanished = drifted.filter(({ kind }) => kind === "vanished").length;
  return [
    bold(
      `${yellow(`Drift: ${drifted.length - vanished} changed, ${vanished} vanished`)} (${objects} checked).${failedPart}`,
    ),
  ];
}

/**
 * The undeclared objects, with the command that imports each, and their number.
 *
 * @param hasFailed whether the run has an error: then some of what is live may not have been read
 */
export function renderUnmanaged(
  { objects, containers }: Unmanaged,
  suppressed: Suppressed,
  hasFailed: boolean,
  style: Style,
): string[] {
  const blocks = objects.map((object) => renderUnmanagedObject(object, style));
  const searched = `${counted(containers, "project or group", "projects and groups")} searched`;
  const suppressedPart = suppressedSentence(suppressed.known.length, suppressed.ignored.length);
  const noFindings = hasFailed
    ? style.yellow("Unmanaged: 0, incomplete, see the errors.")
    : suppressedPart === undefined
      ? style.green("Nothing unmanaged.")
      : style.yellow(`Unmanaged: ${suppressedPart}.`);
  const count =
    objects.length === 0
      ? style.bold(`${noFindings} ${searched}.`)
      : style.bold(`${style.yellow(`Unmanaged: ${objects.length}`)} (${searched}).`);
  const entries = ignoreEntries(objects);
  return paragraphs([
    ...blocks,
    ...(entries.length === 0
      ? []
      : [
          ["To pass over undeclared settings and projects, add to the file of --ignore:"],
          entries.map(oneLine),
        ]),
    [count],
    ...renderSuppressed(suppressed, blocks.length),
  ]);
}

function renderUnmanagedObject(object: UnmanagedObject, style: Style): string[] {
  const commands = manageCommands(object);
  const { undeclared = [], isDeclared = false, isContainer = false } = object;
  const headline = isContainer
    ? "is in a covered group, and no declaration names it"
    : isDeclared
      ? `is declared without ${undeclared.join(", ")}, whose ${undeclared.length === 1 ? "value is" : "values are"} not the default`
      : undeclared.length > 0
        ? `is not declared, and ${undeclared.join(", ")} ${undeclared.length === 1 ? "is" : "are"} not the default`
        : "is on the service but not declared";
  return [
    style.bold(`  # ${oneLine(`${unmanagedName(object)} ${headline}`)}`),
    ...(isDeclared ? ["  # (to manage it, add it to the declaration)"] : []),
    ...(object.undeclarable === undefined
      ? []
      : [`  # (a declaration would be refused: ${oneLine(object.undeclarable)})`]),
    ...(commands.import === undefined ? [] : [`  # (to manage it, declare it and run: ${commands.import})`]),
    ...(commands.adopt === undefined
      ? []
      : [`  # (to have the declaration written, run: ${commands.adopt})`]),
    ...renderFields(fieldsOfUndeclared(object), { style, closesWithNull: false }),
  ];
}

/** Without findings, the summary line already counts the known ones. */
function renderSuppressed({ ignored, known }: Suppressed, findings: number): string[][] {
  const lines = ignored.map(({ name, reason }) => `  ${oneLine(name)}: ${oneLine(reason)}`);
  return [
    ...(ignored.length > 0 ? [["Ignored:", ...lines]] : []),
    ...(known.length > 0 && findings > 0
      ? [[`${counted(known.length, "difference")} known from the earlier run, not reported again.`]]
      : []),
  ];
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
