import type { DriftedObject, DriftReport, UnmanagedObject } from "../../engine";
import { oneLine, shellWord } from "../../text";
import { fieldsOfUndeclared, renderFields } from "../difference";
import { unmanagedName } from "../drift/finding";
import type { Suppressed } from "../drift/finding-filter";
import { suppressedSentence } from "../drift/suppressed-sentence";
import { paragraphs } from "../printing/paragraphs";
import type { Style } from "../printing/style";
import { declaredLines, driftedFields } from "./drifted-fields";
import type { Unmanaged } from "./run-view";
import { uncheckedCount, uncheckedSentence } from "./summary";

/** What differs on the service from what the code declares, object by object, and how many there are. */
export function renderDriftReport(report: DriftReport, suppressed: Suppressed, style: Style): string[] {
  const blocks = report.drifted.map((object) => renderObject(object, style));
  const told = [
    ...blocks,
    ...renderPassedOver(suppressed, blocks.length),
    renderCount(report, suppressed, style),
  ];
  return paragraphs(told);
}

function renderObject(drifted: DriftedObject, style: Style): string[] {
  const { kind, change } = drifted;
  const what = kind === "vanished" ? "is gone from the service" : "differs on the service (applied -> live)";
  const fields = driftedFields(drifted);
  return [
    style.bold(`  # ${oneLine(change.address)} ${what}`),
    ...(change.construct === undefined ? [] : [`  # (construct ${oneLine(change.construct)})`]),
    ...renderFields(fields, { depth: 0, style, closesWithNull: true }),
    ...declaredLines(drifted, fields, style),
  ];
}

function renderCount(
  { drifted, objects: { length: checked }, unchecked, diagnostics }: DriftReport,
  { known, ignored }: Suppressed,
  style: Style,
): string[] {
  const { bold, green, yellow } = style;
  const objects = counted(checked, "object");
  const left = uncheckedSentence(uncheckedCount(unchecked));
  if (drifted.length === 0 && left === "") {
    // Without a look at everything, there is no saying that nothing drifted.
    if (diagnostics.some(({ severity }) => severity === "error")) return [];
    if (checked === 0) return [bold("Nothing to compare: the state holds none of the declared objects.")];
    const words = suppressedSentence(known.length, ignored.length);
    if (words !== undefined) return [bold(`${yellow(`${words}.`)} ${objects} checked.`)];
    return [bold(`${green("No drift.")} ${objects} checked: all as in the state.`)];
  }
  const vanished = drifted.filter(({ kind }) => kind === "vanished").length;
  return [
    bold(
      `${yellow(`Drift: ${drifted.length - vanished} changed, ${vanished} vanished`)} (${objects} checked).${left}`,
    ),
  ];
}

/** What nobody declares, each with what it takes to declare it, and how many there are. */
export function renderUnmanaged(
  { objects, containers }: Unmanaged,
  suppressed: Suppressed,
  style: Style,
): string[] {
  const blocks = objects.map((object) => renderUnmanagedObject(object, style));
  const looked = `${counted(containers, "project or group", "projects and groups")} looked through`;
  const words = suppressedSentence(suppressed.known.length, suppressed.ignored.length);
  const nothing =
    words === undefined ? style.green("Nothing unmanaged.") : style.yellow(`Unmanaged: ${words}.`);
  const count =
    objects.length === 0
      ? style.bold(`${nothing} ${looked}.`)
      : style.bold(`${style.yellow(`Unmanaged: ${objects.length}`)} (${looked}).`);
  return paragraphs([...blocks, [count], ...renderPassedOver(suppressed, blocks.length)]);
}

function renderUnmanagedObject(object: UnmanagedObject, style: Style): string[] {
  return [
    style.bold(`  # ${oneLine(unmanagedName(object))} is on the service but not declared`),
    `  # (import it into a declaration of your own: steward import ADDRESS ${shellWord(object.id)})`,
    ...renderFields(fieldsOfUndeclared(object), { depth: 0, style, closesWithNull: false }),
  ];
}

/** Where nothing else is told, the count says how many are known. */
function renderPassedOver({ ignored, known }: Suppressed, told: number): string[][] {
  const lines = ignored.map(({ name, reason }) => `  ${oneLine(name)}: ${oneLine(reason)}`);
  return [
    ...(ignored.length > 0 ? [["Ignored:", ...lines]] : []),
    ...(known.length > 0 && told > 0
      ? [[`${counted(known.length, "difference")} known from the earlier run and not told again.`]]
      : []),
  ];
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
