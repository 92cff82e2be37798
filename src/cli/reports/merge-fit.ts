import { fail } from "../../diagnostics";
import type { Report } from "../document/model";
import { isStack, servicesOf } from "./formats/summary";

/** A report, and the name of its file. */
export interface NamedReport {
  readonly file: string;
  readonly report: Report;
}

const doNotFit = (
  why: string,
  remedy = "Pass only reports of the same run, and exactly one report for each part of that run.",
): never =>
  fail({
    code: "reports_do_not_fit",
    summary: "Reports can't be merged",
    detail: `${why} Nothing was written. ${remedy}`,
  });

/** @throws DiagnosticError `reports_do_not_fit` unless the reports are parts of one run */
export function requireFit(all: readonly [NamedReport, ...NamedReport[]]): void {
  requireSame(all, "command", ({ command }) => command);
  requireSame(all, "version of Steward", ({ steward_version: version }) => version);
  requireSame(all, "format version", ({ format_version: version }) => version);
  requireSameService(all);
  requireOtherStacks(all);
  requireOneApp(all);
}

function requireSame(
  [first, ...others]: readonly [NamedReport, ...NamedReport[]],
  what: string,
  of: (report: Report) => string,
): void {
  const other = others.find(({ report }) => of(report) !== of(first.report));
  if (other !== undefined)
    doNotFit(
      `The ${what} differs: ${of(first.report)} in ${quoted(first.file)}, ${of(other.report)} in ${quoted(other.file)}.`,
    );
}

function requireSameService(all: readonly NamedReport[]): void {
  const known = all
    .map(({ file, report }) => ({ file, services: servicesOf(report.stacks) }))
    .filter(({ services }) => services.length > 0);
  const [first, ...others] = known;
  const other = others.find(({ services }) => !services.some((each) => first!.services.includes(each)));
  if (other !== undefined)
    doNotFit(
      `${quoted(first!.file)} is a report about ${first!.services.join(", ")}, but ${quoted(other.file)} is about ${other.services.join(", ")}.`,
    );
}

function requireOtherStacks(all: readonly NamedReport[]): void {
  const files = new Map<string | null, string>();
  for (const { file, report } of all) {
    for (const stack of report.stacks.filter(isStack)) {
      const { name } = stack;
      const other = files.get(name);
      if (other !== undefined && !isDivided(report, name))
        doNotFit(
          ...bothOf(
            other,
            file,
            `both contain the ${name === null ? "configuration" : `stack ${quoted(name)}`}`,
          ),
        );
      files.set(name, file);
    }
  }
}

/** Returns true if several shards share the stack. Each of these shards has some of the stack's projects. */
const isDivided = (report: Report, name: string | null): boolean =>
  name !== null && shardOf(report)?.divided?.includes(name) === true;

export const shardOf = ({ limited_to: limited }: Report) => limited?.shard;

/**
 * Refuses to merge reports of shards from different apps, or with different numbers of shards. Also refuses to merge reports of
 * shards with reports of whole runs.
 */
function requireOneApp(all: readonly NamedReport[]): void {
  const shards = all.flatMap(({ file, report }) => {
    const shard = shardOf(report);
    const own = report.stacks.filter((one) => isStack(one) && !isDivided(report, one.name));
    return shard === undefined ? [] : [{ file, ...shard, stacks: own.length }];
  });
  const [first, ...others] = shards;
  if (first === undefined) return;
  const whole = all.find(({ report }) => shardOf(report) === undefined);
  if (whole !== undefined)
    doNotFit(
      `${quoted(first.file)} is the report of shard ${first.number}/${first.of}, but ${quoted(whole.file)} is not the report of a shard.`,
    );
  const other = others.find((one) => one.of !== first.of || one.of_stacks !== first.of_stacks);
  if (other !== undefined)
    doNotFit(
      `${quoted(first.file)} is one of ${first.of} shards of ${first.of_stacks} stacks, but ${quoted(other.file)} is one of ${other.of} shards of ${other.of_stacks} stacks.`,
    );
  const divided = new Set(all.flatMap(({ report }) => shardOf(report)?.divided ?? []));
  const count = divided.size + shards.reduce((sum, { stacks }) => sum + stacks, 0);
  const isWhole = shards.length === first.of && all.every(({ report }) => report.result !== "failed");
  const numbers = new Map<number, string>();
  for (const { number, file } of shards) {
    const same = numbers.get(number);
    if (same !== undefined)
      doNotFit(...bothOf(same, file, `are both reports of shard ${number}/${first.of}`));
    numbers.set(number, file);
  }
  // The numbers of stacks differ if the jobs ran on different versions of the app.
  if (isWhole && count !== first.of_stacks)
    doNotFit(`The shards contain ${count} stacks, but the app has ${first.of_stacks} stacks.`);
}

/**
 * Returns the reason why two reports about the same part of a run can't be merged, and the remedy. Both reports are the same
 * file if the command line names the file twice.
 */
const bothOf = (one: string, other: string, what: string): readonly [why: string, remedy?: string] =>
  one === other
    ? [`${quoted(one)} was passed twice.`, "Pass each report once."]
    : [`${quoted(one)} and ${quoted(other)} ${what}.`];

const quoted = (text: string): string => JSON.stringify(text);
