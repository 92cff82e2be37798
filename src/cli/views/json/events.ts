import { attributeOf, completeAction, type Diagnostic } from "../../../diagnostics";
import type { ViewArguments } from "../../arguments/shared-options";
import { detailOf, stewardCommand } from "../../arguments/suggested-command";
import type { Channel, NamedSource } from "../../terminal/terminal";
import { packageVersion } from "../../version";

/** The version of Terraform's event format that the events follow. */
const UI_VERSION = "1.2";

/** One line of `--json` output, in the format of `terraform plan -json` and `terraform apply -json`. */
export interface JsonEvent {
  readonly "@level": "info" | "warn" | "error";
  readonly "@message": string;
  readonly "@module": "steward.ui";
  readonly "@timestamp": string;
  readonly type: string;
  readonly [name: string]: unknown;
}

export function jsonEvent(
  type: string,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
  level: JsonEvent["@level"] = "info",
): JsonEvent {
  return {
    "@level": level,
    "@message": message,
    "@module": "steward.ui",
    "@timestamp": new Date().toISOString(),
    ...fields,
    type,
  };
}

/** Writes the result of a command: as events for programs, and as lines for people. */
export const writeResult = (
  channel: Pick<Channel, "lines">,
  { json }: Pick<ViewArguments, "json">,
  events: readonly JsonEvent[],
  lines: readonly string[],
): void => channel.lines(json ? events.map((event) => JSON.stringify(event)) : lines);

export const versionEvent = (): JsonEvent =>
  jsonEvent("version", `Steward ${packageVersion()}`, { steward: packageVersion(), ui: UI_VERSION });

/**
 * Returns a diagnostic as an object, with Terraform's fields and with fields of this program. The object contains, as data, the
 * action that fixes the problem. If a command for this action exists, the object contains the command too.
 */
export const diagnosticJson = (diagnostic: Diagnostic, source?: NamedSource) => {
  const { severity, code, summary, action, address, construct, position, rule } = diagnostic;
  const attribute = attributeOf(diagnostic);
  return {
    severity,
    summary,
    detail: detailOf(diagnostic, source),
    address,
    code,
    attribute,
    construct,
    position,
    rule,
    ...(action !== undefined && {
      action: completeAction(action, address),
      command: stewardCommand(action, address, source),
    }),
  };
};

export function diagnosticEvent(diagnostic: Diagnostic, source?: NamedSource): JsonEvent {
  const { severity, summary } = diagnostic;
  const label = severity === "error" ? "Error" : "Warning";
  const level = severity === "error" ? "error" : "warn";
  return jsonEvent(
    "diagnostic",
    `${label}: ${summary}`,
    { diagnostic: diagnosticJson(diagnostic, source) },
    level,
  );
}
