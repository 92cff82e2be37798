import { fail } from "../../diagnostics";
import { mergeWaivers } from "../../provider";
import { compareNatural } from "../../text";
import { mergeAccess, mergeRights } from "../document/access";
import { sumOf } from "../document/counts";
import {
  FORMAT_VERSION,
  type Report,
  type ReportAccess,
  type ReportObject,
  type ReportStack,
} from "../document/model";
import { isUndeclared, UNMANAGED } from "../document/totals";
import { readNamed, type Terminal } from "../terminal/terminal";
import { waiverJson } from "../views/waivers";
import { allObjects, isStack } from "./formats/summary";
import { type NamedReport, requireFit, shardOf } from "./merge-fit";
import { readWholeReport, STACK_DEFAULTS, UnusableReport } from "./read-report";

/**
 * Joins the reports of the parts of a run, such as shards. The result is the report that a single run over all parts would
 * have written.
 *
 * @throws DiagnosticError `reports_do_not_fit`
 */
export function mergeReports(all: readonly [NamedReport, ...NamedReport[]]): Report {
  const [{ report: first }] = all;
  requireFit(all);
  const reports = all.map(({ report }) => report);
  const stacks = mergedStacks(reports);
  const missing = missingShards(reports);
  const limited = limitsOf(reports, missing.length > 0);
  const coverage = reports.flatMap((report) => report.coverage ?? []);
  const basis = reports.flatMap((report) => report.access_basis ?? []);
  const access = mergeAccess(reports.flatMap(accessIn), basis);
  const rights = mergeRights(reports.flatMap((report) => report.rights ?? []));
  const requests = reports.flatMap((report) => report.requests ?? []);
  const has = (part: keyof Report) => reports.some((report) => report[part] !== undefined);
  return {
    format_version: FORMAT_VERSION,
    steward_version: first.steward_version,
    command: first.command,
    started_at: sortedTexts(reports.map((report) => report.started_at))[0]!,
    finished_at: sortedTexts(reports.map((report) => report.finished_at)).at(-1)!,
    ...mergedRun(reports),
    result: missing.length > 0 ? "failed" : resultOf(reports, stacks),
    ...(limited && { limited_to: limited }),
    ...(has("coverage") && { coverage: [...new Set(coverage)].sort(compareNatural) }),
    stacks: missing.length > 0 ? [missingStack(missing, reports), ...stacks] : stacks,
    ...(has("access") && { access }),
    ...(has("access_basis") && { access_basis: basis }),
    ...(has("rights") && { rights }),
    ...(has("requests") && { requests }),
    ...(has("waivers") && { waivers: mergedWaivers(reports) }),
  };
}

/**
 * Returns the access changes of a report, each with its service. A report about one service does not name this service in
 * each change.
 */
function accessIn({ access = [], run }: Report): ReportAccess[] {
  const [service, ...others] = run?.services ?? [];
  if (service === undefined || others.length > 0) return access;
  return access.map((entry) => (entry.service === undefined ? { ...entry, service } : entry));
}

const mergedWaivers = (reports: readonly Report[]) =>
  mergeWaivers(
    reports.map(({ waivers = [] }) =>
      waivers.map(({ for_this_run: forThisRun, ...waiver }) => ({
        ...waiver,
        ...(forThisRun && { forThisRun }),
      })),
    ),
  ).map(waiverJson);

/** Returns the facts about the run that are equal in all reports. Leaves out the job, because each part ran in its own job. */
function mergedRun(reports: readonly Report[]): Pick<Report, "run"> {
  const common = (fact: "commit" | "pipeline") => {
    const [first, ...others] = new Set(reports.map(({ run }) => run?.[fact]));
    return first === undefined || others.length > 0 ? {} : { [fact]: first };
  };
  const services = [...new Set(reports.flatMap(({ run }) => run?.services ?? []))].sort();
  const run = { ...common("commit"), ...common("pipeline"), ...(services.length > 0 && { services }) };
  return Object.keys(run).length === 0 ? {} : { run };
}

const sortedTexts = (texts: readonly string[]): string[] => [...texts].sort();

/** Returns the shards without a report, such as `3/10`. */
function missingShards(reports: readonly Report[]): string[] {
  const shards = reports.flatMap((report) => shardOf(report) ?? []);
  const [first] = shards;
  if (first === undefined) return [];
  const present = new Set(shards.map(({ number }) => number));
  return Array.from({ length: first.of }, (_, at) => at + 1)
    .filter((number) => !present.has(number))
    .map((number) => `${number}/${first.of}`);
}

const missingStack = (missing: readonly string[], reports: readonly Report[]): ReportStack => ({
  ...emptyStack(null),
  diagnostics: [
    {
      severity: "error",
      code: "shard_missing",
      summary: "Missing report of a shard",
      detail: `${missing.length === 1 ? "The report of shard" : "The reports of the shards"} ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing from the ${reports.length} merged reports, so the result lacks the stacks of ${missing.length === 1 ? "that shard" : "those shards"}. Check the job that should have written it, and merge again.`,
    },
  ],
});

const emptyStack = (name: string | null): ReportStack => ({ name, objects: [], ...STACK_DEFAULTS });

/** Returns the stacks of all reports in natural order, and one list of all undeclared objects. */
function mergedStacks(reports: readonly Report[]): ReportStack[] {
  const undeclared = undeclaredInAll(reports);
  const stacks = reports.flatMap((report) => report.stacks);
  const own = joinedParts(
    stacks.filter(isStack).map((stack) => ({
      ...stack,
      objects: stack.objects.filter((object) => !isUndeclared(object)),
    })),
  );
  const beside = stacks.filter((stack) => !isStack(stack));
  const general = beside.filter(({ name, diagnostics }) => name === null && diagnostics.length > 0);
  const suppressed = beside.filter(({ name }) => name === UNMANAGED);
  const unmanaged: ReportStack = {
    ...emptyStack(UNMANAGED),
    objects: undeclared,
    ignored: uniqueBy(
      suppressed.flatMap(({ ignored }) => ignored),
      ({ object }) => object,
    ),
    known_fingerprints: [...new Set(suppressed.flatMap((stack) => stack.known_fingerprints))],
    diagnostics: suppressed.flatMap(({ diagnostics }) => diagnostics),
  };
  const rest = { ...unmanaged, known: unmanaged.known_fingerprints.length };
  const isEmpty = [rest.objects, rest.ignored, rest.known_fingerprints, rest.diagnostics].every(
    ({ length }) => length === 0,
  );
  return [
    ...general,
    ...own.sort((one, other) => compareNatural(one.name ?? "", other.name ?? "")),
    ...(isEmpty ? [] : [rest]),
  ];
}

/** Joins the parts of each stack that several shards share. */
function joinedParts(stacks: readonly ReportStack[]): ReportStack[] {
  const byName = new Map<string | null, ReportStack>();
  for (const stack of stacks) {
    const before = byName.get(stack.name);
    if (before === undefined) byName.set(stack.name, stack);
    else
      byName.set(stack.name, {
        ...before,
        ...joinedPlans(before, stack),
        objects: [...before.objects, ...stack.objects].sort((one, other) =>
          compareNatural(one.address, other.address),
        ),
        outputs: uniqueBy([...before.outputs, ...stack.outputs], ({ name }) => name),
        unchecked: before.unchecked + stack.unchecked,
        ignored: [...before.ignored, ...stack.ignored],
        known: before.known + stack.known,
        known_fingerprints: [...before.known_fingerprints, ...stack.known_fingerprints],
        diagnostics: uniqueBy([...before.diagnostics, ...stack.diagnostics], (one) => JSON.stringify(one)),
      });
  }
  return [...byName.values()];
}

/** Joins the facts about the plans of two parts of one stack. */
function joinedPlans(one: ReportStack, other: ReportStack): Pick<ReportStack, "plan" | "outside"> {
  const outside = [...(one.outside ?? []), ...(other.outside ?? [])];
  const [plan, next] = [one.plan ?? other.plan, other.plan ?? one.plan];
  if (plan === undefined || next === undefined) return {};
  return {
    plan: {
      mode: plan.mode,
      applicable: plan.applicable && next.applicable,
      has_changes: plan.has_changes || next.has_changes,
      counts: sumOf([one.plan?.counts ?? {}, other.plan?.counts ?? {}]),
    },
    ...(outside.length > 0 && { outside }),
  };
}

/**
 * Returns the undeclared objects of all reports. An object has to be undeclared in each run that searched its project or group.
 * If one of these runs knows the declaration of an object, the object is left out.
 */
function undeclaredInAll(reports: readonly Report[]): ReportObject[] {
  const listed = reports.map((report) => ({
    coverage: new Set(report.coverage),
    objects: new Map(
      report.stacks.flatMap(({ objects }) =>
        objects.filter(isUndeclared).map((object) => [object.address, object] as const),
      ),
    ),
    suppressed: new Set(
      report.stacks.flatMap(({ ignored, known_fingerprints: known }) => [
        ...ignored.map(({ object }) => object),
        ...known,
      ]),
    ),
  }));
  const all = uniqueBy(
    listed.flatMap(({ objects }) => [...objects.values()]),
    ({ address }) => address,
  );
  return all
    .filter((object) =>
      listed.every(
        ({ coverage, objects, suppressed }) =>
          !coverage.has(object.container ?? "") ||
          objects.has(object.address) ||
          suppressed.has(object.address) ||
          suppressed.has(object.fingerprint ?? ""),
      ),
    )
    .sort((one, other) => compareNatural(one.address, other.address));
}

function uniqueBy<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const byKey = new Map<string, T>();
  for (const one of all) if (!byKey.has(keyOf(one))) byKey.set(keyOf(one), one);
  return [...byKey.values()];
}

/** Returns the worst result of the reports. Undeclared objects that the merge left out are not findings. */
function resultOf(reports: readonly Report[], stacks: readonly ReportStack[]): Report["result"] {
  if (reports.some(({ result }) => result === "failed")) return "failed";
  const hasUndeclared = stacks.some(({ objects }) => objects.some(isUndeclared));
  const hasOther = reports.some(
    ({ result, command, stacks: own }) =>
      result === "found" &&
      (command !== "drift" ||
        own.some(({ objects }) =>
          objects.some(({ status }) => status === "changed" || status === "vanished"),
        )),
  );
  return hasUndeclared || hasOther ? "found" : "clean";
}

/** Returns the options that limit the joined run. Contains a shard only if the reports of other shards are missing. */
function limitsOf(reports: readonly Report[], isIncomplete: boolean): Report["limited_to"] {
  const limits = reports.flatMap((report) => report.limited_to ?? []);
  const names = (option: "stacks" | "targets" | "excludes") => {
    // If a part of the run does not have the limit, that part covers everything. The joined report then does not have the limit
    // either.
    const isLimit = option === "excludes" || reports.every((report) => report.limited_to?.[option]);
    const all = [...new Set(limits.flatMap((limit) => limit[option] ?? []))].sort(compareNatural);
    return isLimit && all.length > 0 ? { [option]: all } : {};
  };
  const merged = { ...names("stacks"), ...names("targets"), ...names("excludes") };
  const missing = isIncomplete ? { shard: limits.find(({ shard }) => shard)!.shard! } : {};
  const found = { ...merged, ...missing };
  return Object.keys(found).length === 0 ? undefined : found;
}

/**
 * Reads the JSON reports of one run, and joins them into one report.
 *
 * @throws DiagnosticError `report_unusable`, `reports_do_not_fit`
 */
export async function readReports(
  [first, ...more]: readonly [string, ...string[]],
  terminal: Terminal,
): Promise<Report> {
  return mergeReports([
    await read(first, terminal),
    ...(await Promise.all(more.map((file) => read(file, terminal)))),
  ]);
}

/** Reads the content of one report. @throws DiagnosticError `report_unusable` */
export const readReportOf = (bytes: Buffer, name: string): Report => mergeReports([reportIn(bytes, name)]);

async function read(file: string, terminal: Terminal): Promise<NamedReport> {
  const { bytes, name } = await readNamed(file, "report_unusable", terminal);
  return reportIn(bytes, name);
}

function reportIn(bytes: Buffer, name: string): NamedReport {
  try {
    return { file: name, report: readWholeReport(bytes.toString("utf8")) };
  } catch (problem) {
    if (!(problem instanceof UnusableReport)) throw problem;
    return fail({
      code: "report_unusable",
      summary: "Report can't be merged",
      detail: `${JSON.stringify(name)} can't be merged: ${problem.message}. Pass JSON reports that \`steward plan\` or \`steward drift\` wrote with --report FILE.json.`,
    });
  }
}

/** Returns the exit code of the reported run. */
export function exitCodeOf(report: Report, detailedExitCode: boolean): number {
  const { command, result } = report;
  if (result === "failed") return 1;
  if (result === "clean" || command === "apply" || command === "destroy") return 0;
  if (command === "plan") return detailedExitCode ? 2 : 0;
  return allObjects(report).some(isOpenDrift) ? 2 : 0;
}

const isOpenDrift = ({ status, repaired }: ReportObject): boolean =>
  status === "unmanaged" || ((status === "changed" || status === "vanished") && repaired !== true);
