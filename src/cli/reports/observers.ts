import { refuseUnwritable } from "../arguments/report-destinations";
import type { ReportArguments } from "../arguments/reports";
import type { RunArguments } from "../arguments/stack-options";
import type { Report, ReportCommand } from "../document/model";
import { ciRun } from "../terminal/ci-run";
import { redactor } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import type { Renderer } from "../views/run-view";
import { ReportCollector } from "./collector";

type Limits = Pick<RunArguments, "stacks" | "targets" | "excludes" | "containers">;

/**
 * The observers that write the requested reports.
 * * @throws DiagnosticError `report_unwritable`, before the run starts
 */
export function reportObservers(
  command: ReportCommand,
  args: ReportArguments & Partial<Limits>,
  terminal: Terminal,
): Renderer[] {
  const { reports, reportEmails: showEmails } = args;
  if (reports.length === 0) return [];
  const { folder, env } = terminal;
  for (const destination of reports) refuseUnwritable(destination, folder);
  const finish = async (report: Report): Promise<void> => {
    const { writeReport }: typeof import("./write") = require("./write");
    await writeReport(report, reports, { folder, showEmails, redact: redactor(env) });
  };
  // The pages of objects have their service; a run that read none still says what it asked.
  const service = env["STEWARD_BASE_URL"]?.trim() ?? "";
  const run = { ...ciRun(env), ...(URL.canParse(service) && { services: [new URL(service).origin] }) };
  return [new ReportCollector(command, finish, limitedTo(args), () => new Date(), run)];
}

/** The options that limit a run; undefined if none does. */
function limitedTo({
  stacks = [],
  targets = [],
  excludes = [],
  containers = [],
}: Partial<Limits>): Report["limited_to"] {
  const selected = [...targets, ...containers.map((pattern) => `project ${pattern}`)];
  if (stacks.length + selected.length + excludes.length === 0) return undefined;
  return {
    ...(stacks.length > 0 && { stacks: [...stacks] }),
    ...(selected.length > 0 && { targets: selected }),
    ...(excludes.length > 0 && { excludes: [...excludes] }),
  };
}
