import type { DriftedObject, DriftReport } from "../../engine";
import { renderFields } from "./difference";
import { printable } from "./printable";
import { fieldsOf } from "./resource-change";
import type { Style } from "./style";

/** What differs on the service from what the code declares, object by object, and how many there are. */
export function renderDriftReport(report: DriftReport, style: Style): string {
  const blocks = report.drifted.map((object) => renderObject(object, style));
  return `${[...blocks, renderCount(report, style)].filter((part) => part !== "").join("\n\n")}\n`;
}

function renderObject({ kind, change, attributes }: DriftedObject, style: Style): string {
  const what = kind === "vanished" ? "is gone from the service" : "differs on the service (declared -> live)";
  const declared = new Set(attributes);
  const fields = kind === "vanished" ? [] : fieldsOf(change).filter(({ name }) => declared.has(name));
  return [
    style.bold(`  # ${printable(change.address)} ${what}`),
    ...(change.construct === undefined ? [] : [`  # (construct ${printable(change.construct)})`]),
    ...renderFields(fields, { depth: 0, style, closesWithNull: true }),
  ].join("\n");
}

function renderCount(
  { drifted, objects: { length: checked }, diagnostics }: DriftReport,
  { bold, green, yellow }: Style,
): string {
  const objects = `${checked} ${checked === 1 ? "object" : "objects"} checked`;
  if (drifted.length === 0) {
    // Without a look at everything, there is no saying that nothing drifted.
    if (diagnostics.some(({ severity }) => severity === "error")) return "";
    if (checked === 0) return bold("Nothing to compare: the state holds none of the declared objects.");
    return bold(`${green("No drift.")} ${objects}: all as in the state.`);
  }
  const vanished = drifted.filter(({ kind }) => kind === "vanished").length;
  return bold(`${yellow(`Drift: ${drifted.length - vanished} changed, ${vanished} vanished`)} (${objects}).`);
}
