import type { Diagnostic } from "../../diagnostics";
import {
  type ExplainedSetting,
  type Explanation,
  factsOf,
  groupBy,
  isUnknown,
  objectName,
  type ResourceChange,
  type SettingOrigin,
  sameValue,
  type Value,
} from "../../engine";
import { defined } from "../../json";
import { oneLine, SENSITIVE } from "../../text";
import type { ViewArguments } from "../arguments/shared-options";
import { isTrue } from "../document/describe";
import { groupEqual } from "../document/equal";
import { decisionReasons } from "../document/reasons";
import { isKeptOnService } from "../objects/object-facts";
import type { Terminal } from "../terminal/terminal";
import { styleFor } from "../terminal/text";
import { reportDiagnostics } from "./diagnostics";
import { diagnosticJson } from "./json/events";
import { actionText } from "./plan";

export interface ExplainedStack extends Explanation {
  readonly stack: string | undefined;
}

/**
 * The maximum length of a value in the text about a project's settings. Longer values are cut, so that the settings of a
 * project fit on a screen.
 */
const MAX_VALUE = 90;

/** Writes the objects of a project, with the decisions of the plan and the settings: one line for each, or one JSON object. */
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
        objects: stacks.flatMap(({ stack, objects }) =>
          objects.map((one) => ({ stack, ...decisionJson(one) })),
        ),
        settings: stacks.flatMap(({ stack, settings }) => settings.map((one) => ({ stack, ...one }))),
        diagnostics: diagnostics.map((one) => diagnosticJson(one, terminal.source)),
      }),
    );
    return;
  }
  reportDiagnostics(diagnostics, terminal, args);
  if (stacks.length === 0) return;
  const { bold } = styleFor(terminal.out, terminal, args.color);
  terminal.out.line(bold(`project ${project}`));
  for (const one of stacks)
    for (const [first, ...others] of groupEqual(explainedObjects(one), ({ key }) => key)) {
      const title = others.length === 0 ? first.title : `${others.length + 1} objects ${first.type}`;
      const where = one.stack === undefined ? "" : ` (stack ${one.stack})`;
      terminal.out.lines(["", `  ${title}${where}`, ...first.lines.map((line) => `    ${line}`)]);
    }
}

interface ExplainedObject {
  readonly title: string;
  readonly type: string;
  readonly lines: readonly string[];
  /** A text that is the same for objects with the same decision and settings. Undefined for dropped settings. */
  readonly key: string | undefined;
}

/**
 * Returns the objects with their decisions and settings, sorted as in the plan, and then the dropped settings. The output groups
 * equal objects, because objects such as invitations often have the same settings.
 */
function explainedObjects({ objects, settings }: ExplainedStack): ExplainedObject[] {
  const set = groupBy(
    settings.filter(({ dropped }) => dropped !== true),
    ({ address }) => address,
  );
  const dropped = groupBy(
    settings.filter((one) => one.dropped === true),
    ({ construct }) => `dropped by layers of ${construct}`,
  );
  return [
    ...objects.map((change): ExplainedObject => {
      const { address, deposed, type } = change;
      const own = deposed === undefined ? (set.get(address) ?? []) : [];
      const lines = [decisionLine(change), ...own.map(lineOf)];
      return {
        title: oneLine(objectName(address, deposed)),
        type,
        lines,
        key: JSON.stringify([type, lines]),
      };
    }),
    ...[...dropped].map(
      ([title, all]): ExplainedObject => ({
        title,
        type: all[0]!.type,
        lines: all.map(lineOf),
        key: undefined,
      }),
    ),
  ];
}

/** Returns the line with the decision of the plan about an object, and its reasons. */
function decisionLine(change: ResourceChange): string {
  const { action, create_first } = factsOf(change);
  const reasons = decisionReasons(change).join("; ");
  // The reason already says that the object has moved.
  if (action === "move") return `# ${reasons}`;
  const text = textWithoutStep(change) ?? actionText({ action, create_first });
  const note = isKeptOnService(change) ? ` (${STAYS})` : "";
  return `# ${text}${reasons === "" ? "" : `: ${reasons}`}${note}`;
}

const STAYS = "the setting stays on the service as it is";

/** Returns the text for a decision without a step in the plan. */
function textWithoutStep({ action, decision }: ResourceChange): string | undefined {
  // The service no longer has the object, so only the state changes.
  if (decision?.verdict === "no-op") return "will be removed from the state";
  if (decision?.verdict !== "postpone") return undefined;
  if (action === "delete") return "destroy is postponed";
  return action === "forget" ? "removal from the state is postponed" : "replacement is postponed";
}

/** Returns the decision about an object as JSON, with the names and codes of the change record. */
function decisionJson(change: ResourceChange) {
  const facts = factsOf(change);
  const verdict = change.decision?.verdict;
  const isPostponed = verdict === "postpone";
  return defined({
    ...facts,
    action: isPostponed || verdict === "no-op" ? "no-op" : facts.action,
    postponed: isPostponed ? facts.action : undefined,
    stays_on_service: isTrue(isKeptOnService(change)),
    replace_paths: change.replacePaths.length === 0 ? undefined : change.replacePaths,
    reason_text: decisionReasons(change).join("; "),
  });
}

function lineOf(setting: ExplainedSetting): string {
  const { attribute, value, live, from, overrides, dropped, sensitive, type, address } = setting;
  const name = dropped
    ? [type.replace(/^steward_/, ""), address, attribute].filter(Boolean).join(" ")
    : attribute;
  const assigned = dropped ? "" : ` = ${sensitive ? SENSITIVE : textOf(value)}`;
  const over = overrides.length === 0 ? "" : `, over ${overrides.map(place).join(", ")}`;
  const notes = [from.reason, from.owner, from.until && `until ${from.until}`].filter(Boolean).join(", ");
  const isDifferent = !dropped && !sensitive && !sameValue(value ?? null, live ?? null);
  const leftOut =
    from.leavesOut === undefined
      ? ""
      : `; without ${from.leavesOut}, because the list of a project never contains the project itself`;
  return `${name}${assigned}  # ${place(from)}${notes === "" ? "" : ` (${notes})`}${over}${leftOut}${isDifferent ? `; live: ${textOf(live)}` : ""}`;
}

const place = ({ where, position }: SettingOrigin): string => {
  const layer = where === undefined ? "declared" : layerName(where);
  return position === undefined ? layer : `${layer} at ${position}`;
};

const layerName = (where: string): string => (where === "" ? "the baseline" : `layer ${where}`);

/** Returns a value as a text. Leaves out the null fields of elements. */
function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return "none";
  if (isUnknown(value)) return "(known after apply)";
  const text = oneLine(JSON.stringify(value, (_, one: unknown) => one ?? undefined));
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}
