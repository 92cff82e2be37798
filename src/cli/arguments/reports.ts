import { type ArgumentsOf, type CommandLine, commandLine } from "./command-line";
import { type Given, invalid, oneOf, option, repeatable, reworded, under } from "./option";
import {
  ACCESS,
  APPROVED,
  FORCE,
  LIMITS,
  OUT_APPROVAL,
  POLICIES,
  readApproved,
  VIEW,
} from "./shared-options";

/** The part of a report format that the command line needs. */
export interface ReportFormat {
  /** The file extension that selects this report format. */
  readonly extension: string;
  /** A note about the format, which the help shows after the extension. */
  readonly note?: string;
}

/** The formats by their names, in the order of the help. */
type ReportFormats = Readonly<Record<string, ReportFormat>>;

/**
 * Returns the name of the format whose extension the file name has. If several extensions match, the longest wins. Returns
 * undefined if no extension matches.
 */
export const formatOf = (file: string, formats: ReportFormats): string | undefined =>
  Object.entries(formats)
    .filter(([, { extension }]) => file.toLowerCase().endsWith(extension))
    .sort(([, one], [, other]) => other.extension.length - one.extension.length)[0]?.[0];

/** Returns a text with the file extensions of all formats, for the help. */
const extensionsOf = (formats: ReportFormats): string =>
  Object.values(formats)
    .map(({ extension, note = "" }) => `${extension}${note}`)
    .join(", ");

/** A file to write a report to. */
export interface Destination {
  readonly file: string;
  /** The name of the report format. */
  readonly format: string;
}

/** Returns the destination of a report. Without `format`, the extension of the file selects the format. */
function destinationOf(file: string, formats: ReportFormats, format = formatOf(file, formats)): Destination {
  if (format !== undefined) return { file, format };
  return invalid(
    "Unknown report format",
    `The extension of ${JSON.stringify(file)} is not a known format. Use ${extensionsOf(formats)}, or set --report-format.`,
  );
}

/** The arguments about the reports that a command writes. */
export interface ReportArguments {
  readonly reports: readonly Destination[];
  /** Whether reports contain e-mail addresses in clear text, instead of masked ones. */
  readonly reportEmails: boolean;
}

/** Adds the options about reports to a command line. The command can then write reports in the given formats. */
export function withReports<A>(
  line: CommandLine<A>,
  formats: ReportFormats,
): CommandLine<A & ReportArguments> {
  const options = under("Reports:", {
    report: repeatable(
      `--report <file>: write a report (repeatable); the file extension sets the format: ${extensionsOf(formats)}`,
      { file: "report" },
    ),
    reportFormat: oneOf(
      "--report-format <format>: write reports in this format, regardless of the file extension",
      Object.keys(formats),
    ),
    reportEmails: option("--report-emails: include e-mail addresses in reports (masked by default)"),
    ...FORCE,
  });
  return {
    ...line,
    options: { ...line.options, ...options },
    read: ({ report, reportFormat, reportEmails, ...given }) => {
      const own = { report, reportFormat, reportEmails } as Given<typeof options>;
      const reports = own.report.map((file) => destinationOf(file, formats, own.reportFormat));
      return { ...line.read(given), reports, reportEmails: own.reportEmails };
    },
  };
}

export const reportLine = commandLine({
  name: "report",
  summary: "report on a Terraform or OpenTofu plan, and check limits and policies",
  description:
    "Shows a plan that `terraform show -json` or `tofu show -json` printed, writes reports " +
    "about the plan, and checks limits and policies. Counts and shows the objects of all providers. " +
    "Exit code 0, or 1 if the plan contains errors, a condition failed, or the plan exceeds a limit or " +
    "violates a policy. With --detailed-exitcode, the exit code is 2 if there are changes. Sends no " +
    "requests, except with --access, which reads members and rules from the service. STEWARD_BASE_URL " +
    "and STEWARD_TOKEN give its address and the token.",
  examples: {
    "steward report --plan-json plan.json --max-deletes 0 --report plan.widget.json":
      "in a pipeline: exit 1 when the plan deletes anything",
    "steward report --plan-json plan.json --policy policy.ts":
      "in a pipeline: exit 1 when the plan violates a mandatory rule",
    "terraform show -json plan.out | steward report --plan-json - --report plan.md": "report a plan",
  },
  options: {
    ...VIEW,
    ...reworded(LIMITS, {
      maxDeletes:
        "exit with 1 if the plan deletes or replaces more than N objects; entries removed from existing lists count",
      maxChanges: "exit with 1 if the plan changes more than N objects in any way",
      maxImports: "exit with 1 if the plan imports more than N objects",
    }),
    ...reworded(POLICIES, {
      policies: "check the plan against the rules that this module exports (repeatable)",
    }),
    ...APPROVED,
    // The option is not marked as required, because Commander would then require it for the subcommand `report merge` too.
    planJson: option(
      "--plan-json <file>: file with the output of `terraform show -json PLAN`, or - for stdin",
      {
        file: "read",
      },
    ),
    ...ACCESS,
    ...OUT_APPROVAL,
    detailedExitCode: option("--detailed-exitcode: exit 2 when there are changes"),
  },
  read: (given) => ({
    ...given,
    planJson:
      given.planJson ??
      invalid(
        "Missing option",
        "Pass the plan with --plan-json FILE, or merge reports with `steward report merge`. See `steward report --help`.",
      ),
    approved: readApproved(given),
  }),
});
export type ReportOfPlanArguments = ArgumentsOf<typeof reportLine> & ReportArguments;

export const reportMergeLine = commandLine({
  name: "report merge",
  summary: "join the reports of parallel jobs into one",
  description:
    "Reads the JSON reports of parallel jobs, such as the shards of `steward plan --shard`, and writes one report in any format. Refuses reports from different commands, releases, services or apps, and two reports about the same stack. An object counts as undeclared only if no job knows its declaration. A missing shard is an error in the merged report. The exit code is 1 if a job failed, 2 if a job found drift, otherwise 0. With --detailed-exitcode, the exit code is also 2 if a job planned changes. Sends no requests.",
  examples: {
    "steward report merge shards/*.json --report drift.html": "write one page for all shards",
    "steward report merge 1.json 2.json --report all.json --report all.md": "write several formats",
  },
  options: {
    ...VIEW,
    detailedExitCode: option("--detailed-exitcode: exit 2 when a plan has changes"),
  },
  operands: { files: option("<file...>: JSON reports to join", { file: "read" }) },
});
export type ReportMergeArguments = ArgumentsOf<typeof reportMergeLine> & ReportArguments;

/**
 * Refuses a merge of reports if no option names a report file. Also refuses `--report-emails`, because a merge can't restore
 * masked addresses.
 */
export function requireJoined({ reports, reportEmails }: ReportArguments): void {
  if (reports.length === 0)
    invalid("Missing option", "Name the file of the merged report with --report FILE.");
  if (reportEmails)
    invalid(
      "Unknown e-mail addresses",
      "--report-emails can't restore addresses that the jobs masked. Omit it here, and use it in the jobs.",
    );
}

export const historyLine = commandLine({
  name: "history",
  summary: "turn the drift reports of many runs into one page",
  description:
    "Reads JSON reports from `steward drift --report FILE.json` in a folder and its subfolders, and writes one HTML page. The page shows drift over time, the projects with the most drift, the age of open drift, and the time to repair. The times come from the reports, so file names do not matter. Steward leaves out reports from other commands. It warns about damaged files, and about files that are not reports. Sends no requests. Exit code 0, or 1 if there is no drift report or the page can't be written.",
  examples: {
    "steward history runs": "write runs/index.html",
    "steward drift --report runs/2026-11-23T0100.json": "in a scheduled job: write a report to keep",
    "steward history runs --out public/index.html": "write the page elsewhere",
    "steward history runs --json": "print the numbers as JSON events",
  },
  options: {
    file: option("--out <file>: page to write (default: index.html in the folder)", { file: "history" }),
    ...FORCE,
    ...VIEW,
  },
  operands: { folder: option("<dir>: folder with the JSON reports; subfolders are included") },
});
