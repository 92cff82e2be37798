import type { Diagnostic } from "../../diagnostics";
import { type ExplainedSetting, isUnknown, type SettingOrigin, sameValue, type Value } from "../../engine";
import { oneLine, SENSITIVE } from "../../text";
import type { ViewArguments } from "../arguments/command-line";
import { styleFor } from "../printing/style";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "./failure";
import { diagnosticJson } from "./json/events";

export interface ExplainedStack {
  readonly stack: string | undefined;
  readonly settings: readonly ExplainedSetting[];
}

/** Longer values are cut in the text: the settings of a project fit on a screen. */
const MAX_VALUE = 90;

/** The settings of a project: a line for each, or one JSON object. */
export function writeExplained(
  project: string,
  stacks: readonly ExplainedStack[],
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  args: ViewArguments,
): void {
  if (args.json) {
    terminal.out.line(
      JSON.stringify({
        format_version: "1.0",
        project,
        settings: stacks.flatMap(({ stack, settings }) => settings.map((one) => ({ stack, ...one }))),
        diagnostics: diagnostics.map(diagnosticJson),
      }),
    );
    return;
  }
  reportDiagnostics(diagnostics, terminal, args);
  if (stacks.length === 0) return;
  const { bold } = styleFor(terminal.out, terminal, args.color);
  terminal.out.line(bold(`project ${project}`));
  for (const { stack, settings } of stacks) {
    let last = "";
    for (const setting of settings) {
      const title = setting.dropped === true ? `dropped by layers of ${setting.construct}` : setting.address;
      if (title !== last)
        terminal.out.lines(["", `  ${title}${stack === undefined ? "" : ` (stack ${stack})`}`]);
      last = title;
      terminal.out.line(`    ${lineOf(setting)}`);
    }
  }
}

function lineOf(setting: ExplainedSetting): string {
  const { attribute, value, live, from, overrides, dropped, sensitive, type, address } = setting;
  const name = dropped
    ? [type.replace(/^steward_/, ""), address, attribute].filter(Boolean).join(" ")
    : attribute;
  const is = dropped ? "" : ` = ${sensitive ? SENSITIVE : textOf(value)}`;
  const over = overrides.length === 0 ? "" : `, over ${overrides.map(place).join(", ")}`;
  const notes = [from.reason, from.owner, from.until && `until ${from.until}`].filter(Boolean).join(", ");
  const differs = !dropped && !sensitive && !sameValue(value ?? null, live ?? null);
  return `${name}${is}  # ${place(from)}${notes === "" ? "" : ` (${notes})`}${over}${differs ? `; live: ${textOf(live)}` : ""}`;
}

const place = ({ where, position }: SettingOrigin): string => {
  const layer = where === undefined ? "declared" : where === "" ? "the baseline" : `layer ${where}`;
  return position === undefined ? layer : `${layer} at ${position}`;
};

/** Without the nulls of elements, which say nothing. */
function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return "none";
  if (isUnknown(value)) return "(known after apply)";
  const text = oneLine(JSON.stringify(value, (_, one: unknown) => one ?? undefined));
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}
