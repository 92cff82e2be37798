import type { CoverageScan } from "../../engine";
import { compareNatural, type SensitiveTexts } from "../../text";
import type { Destination, ReportArguments } from "../arguments/reports";
import type { RunArguments } from "../arguments/shared-options";
import { FORMAT_VERSION, type Report, type ReportCommand, type ReportStack } from "../document/model";
import { resultOf, UNMANAGED } from "../document/totals";
import { type OutputPlace, writeOutput } from "../outputs/write-output";
import { ciRun } from "../terminal/ci-run";
import { secretsOf } from "../terminal/redact";
import type { NamedSource, Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";
import { type Described, type EventHandlers, handle, type Renderer, type RunEvent } from "../views/run-view";
import { servicesOf } from "./formats/summary";
import { FORMATS } from "./report-formats";
import { StackCollector } from "./stack-collector";

/** Collects the events of a run, and makes one report from them. Writes this report in every requested format. */
export class ReportCollector implements Renderer {
  readonly isWhole = true;
  readonly #started: Date;
  readonly #stacks: StackCollector[] = [];
  /** The projects and groups that the run searched for undeclared objects. */
  readonly #searched = new Set<string>();
  #hasCoverage = false;
  #unmanaged = 0;
  #described: Described = {};
  #requests: NonNullable<Report["requests"]> | undefined;
  #waivers: NonNullable<Report["waivers"]> = [];

  constructor(
    private readonly command: ReportCommand,
    private readonly finish: (report: Report) => Promise<void>,
    private limitedTo: Report["limited_to"] = undefined,
    private readonly now = () => new Date(),
    private readonly run: NonNullable<Report["run"]> = {},
    private readonly source?: NamedSource,
  ) {
    this.#started = now();
  }

  readonly #on: Partial<EventHandlers<RunEvent>> = {
    shard: ({ shard: { number, total: of, ofStacks: of_stacks, divided } }) => {
      const shard = { number, of, of_stacks, ...(divided.length > 0 && { divided: [...divided] }) };
      this.limitedTo = { ...this.limitedTo, shard };
    },
    stack: ({ name }) => this.#stack(name),
    // Diagnostics before the first stack belong to the whole run. A stack without a name collects these diagnostics.
    diagnostics: ({ diagnostics }) => {
      if (this.#stacks.length === 0 && diagnostics.length > 0) this.#stack(undefined);
    },
    planned: ({ requests }) => {
      if (requests !== undefined) this.#requests = [...(this.#requests ?? []), ...requests];
    },
    drifted: ({ model }) => {
      for (const name of model.scans.flatMap(searchedIn)) this.#searched.add(name);
    },
    // Undeclared objects belong to no stack. A run over one stack lists these objects with that stack.
    unmanaged: ({ found: { objects }, suppressed: { ignored, known } }) => {
      this.#hasCoverage = true;
      this.#unmanaged += objects.length;
      const isEmpty = objects.length + ignored.length + known.length === 0;
      if (this.#stacks.length > 1 && !isEmpty) this.#stack(UNMANAGED);
    },
    described: ({ whole }) => {
      this.#described = whole;
    },
    waivers: ({ waivers }) => {
      this.#waivers = [...waivers];
    },
  };

  on(event: RunEvent): void {
    handle(this.#on, event);
    this.#stacks.at(-1)?.on(event);
  }

  #stack(name: string | undefined): void {
    this.#stacks.push(new StackCollector(name, this.command, this.source));
  }

  end(): Promise<void> {
    const stacks = this.#stacks.map((stack) => stack.finish());
    return this.finish({
      format_version: FORMAT_VERSION,
      steward_version: packageVersion(),
      command: this.command,
      started_at: this.#started.toISOString(),
      finished_at: this.now().toISOString(),
      ...runOf(
        this.run,
        stacks.map(({ stack }) => stack),
      ),
      result: resultOf({
        stacks: stacks.map(({ result }) => ({
          hasFindings: result === "found",
          hasFailed: result === "failed",
        })),
        unmanaged: this.#unmanaged,
      }),
      ...(this.limitedTo !== undefined && { limited_to: this.limitedTo }),
      ...(this.#hasCoverage && { coverage: [...this.#searched].sort(compareNatural) }),
      stacks: stacks.map(({ stack }): ReportStack => stack),
      ...this.#described,
      ...(this.#requests !== undefined && { requests: this.#requests }),
      ...(this.#waivers.length > 0 && { waivers: this.#waivers }),
    });
  }
}

/**
 * Returns the facts about the run, and the services of the objects in the stacks. Steward finds the services in the addresses
 * of the objects' web pages.
 */
function runOf(run: NonNullable<Report["run"]>, stacks: readonly ReportStack[]): Pick<Report, "run"> {
  const services = servicesOf(stacks);
  const found = { ...run, ...(services.length > 0 && { services }) };
  return Object.keys(found).length === 0 ? {} : { run: found };
}

/**
 * Returns the searched projects and groups in which the search found all undeclared objects. Leaves out archived projects, and
 * all projects and groups with a list that Steward could not read.
 */
function searchedIn({ containers, listing: { archived, failures } }: CoverageScan): string[] {
  const skipped = [...archived, ...failures.map(({ container }) => container)];
  const names = new Set(skipped.map(({ kind, id }) => `${kind} ${id}`));
  return containers.filter((name) => !names.has(name));
}

interface WriteOptions extends OutputPlace {
  readonly hasEmails: boolean;
  /** The secrets to remove from diagnostics, because diagnostics can contain texts of other programs. */
  readonly secrets: SensitiveTexts;
}

/**
 * Writes a report to all destinations.
 *
 * @throws DiagnosticError `report_unwritable`
 */
export async function writeReport(
  report: Report,
  destinations: readonly Destination[],
  { hasEmails, secrets, ...place }: WriteOptions,
): Promise<void> {
  // The module is loaded on use: most runs write no report.
  const safe: typeof import("./safe-report") = require("./safe-report");
  const { maskEmails, printableLines, printableReport } = safe;
  const shown = hasEmails ? report : maskEmails(report);
  for (const { file, format } of destinations) {
    const { load, isData, reader: loadReader } = FORMATS[format]!;
    const text = printableLines(secrets.redactText(load()(isData ? shown : printableReport(shown))));
    const read = loadReader?.();
    const reader = read === undefined ? "text" : (content: Buffer) => read(content.toString("utf8"));
    await writeOutput({ kind: "report", file, text, reader, audience: "anyone" }, place);
  }
}

type Limits = Pick<RunArguments, "stacks" | "targets" | "excludes" | "containers">;

/** Returns the observers that write the reports which the command line asks for. */
export function reportObservers(
  command: ReportCommand,
  args: ReportArguments & Partial<Limits>,
  terminal: Terminal,
): Renderer[] {
  const { reports, reportEmails: hasEmails } = args;
  if (reports.length === 0) return [];
  const { folder, env, outputs } = terminal;
  const finish = async (report: Report): Promise<void> => {
    await writeReport(report, reports, { folder, outputs, hasEmails, secrets: secretsOf(env) });
  };
  // Usually, the web pages of objects show the service. For a run without objects, the report contains the service that the
  // environment names.
  const service = env["STEWARD_BASE_URL"]?.trim() ?? "";
  const run = { ...ciRun(env), ...(URL.canParse(service) && { services: [new URL(service).origin] }) };
  return [new ReportCollector(command, finish, limitedTo(args), () => new Date(), run, terminal.source)];
}

/** Returns the options that limit a run; undefined if no option limits it. */
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
