import { createHash } from "node:crypto";
import type { Issue } from "../../api";
import { fail } from "../../diagnostics";
import { groupBy } from "../../engine";
import { counted, oneLine, wildcard } from "../../text";
import { diffOf } from "../document/describe";
import { looserFirst } from "../document/equal";
import type { Report, ReportObject } from "../document/model";
import { driftCommands, ignoreEntry } from "../drift/manage-commands";
import { code, fence, linked, STRICTNESS_LABELS } from "../reports/formats/markdown-text";
import { printableLines, printableReport } from "../reports/safe-report";
import type { CiRun } from "../terminal/ci-run";

/** Finds who looks after a project or group. */
type Owners = (path: string) => readonly string[];

/**
 * Reads a file of owners: on each line a path, with `*` for any text, and names such as `@maya` or `@acme/platform`; the last
 * line that matches wins.
 *
 * @throws DiagnosticError `owners_invalid`
 */
export function readOwners(text: string, file: string): Owners {
  const rules = text.split(/\r?\n/).flatMap((line, at) => {
    const [pattern, ...names] = line
      .replace(/(^|\s)#.*$/, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    if (pattern === undefined) return [];
    if (names.length === 0 || !names.every((name) => /^@[\w.-]+(\/[\w.-]+)*$/.test(name)))
      return fail({
        code: "owners_invalid",
        summary: "Invalid file of owners",
        detail: `${file}, line ${at + 1}: a line is a path and names, such as \`acme/web-* @maya @acme/platform\`. Nothing was posted. Correct the line.`,
      });
    return [{ pattern: wildcard(pattern), names }];
  });
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.names ?? [];
}

export const LABEL = "steward-drift";

/** What an issue is about: a project or group, or a stack. */
export type IssueScope = "project" | "stack";

/** What is sent for one issue. */
export type IssueChange =
  | { readonly kind: "open"; readonly title: string; readonly description: string }
  | { readonly kind: "update"; readonly issue: Issue; readonly title: string; readonly description: string }
  | { readonly kind: "close"; readonly issue: Issue; readonly description: string };

interface Drifted {
  readonly stack: string | null;
  readonly object: ReportObject;
}

const MARKER = /^<!-- steward drift ([0-9a-f]{64}) ([0-9a-f]{64}) -->$/m;
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Drift that stays until somebody handles it, also if an earlier run reported it. */
const isOpen = ({ status, known, repaired }: ReportObject): boolean =>
  known === true ||
  ((status === "changed" || status === "vanished" || status === "unmanaged") && repaired !== true);

const subjectOf = ({ stack, object }: Drifted, by: IssueScope): string => {
  if (by === "stack" && stack !== null) return `stack ${stack}`;
  const { project, group, container } = object;
  if (project !== undefined) return `project ${project}`;
  return group === undefined
    ? (container ?? (stack === null ? "the configuration" : `stack ${stack}`))
    : `group ${group}`;
};

/** The most characters of an issue's description, with room for what the platform adds. */
const MAX_DESCRIPTION = 900_000;

/**
 * What to change so that each project or stack with drift has one issue, and no other has one.
 *
 * @param issues the open issues of the token's user with the label
 */
export function issueChanges(
  report: Report,
  issues: readonly Issue[],
  { by, owners, run }: { readonly by: IssueScope; readonly owners: Owners; readonly run: CiRun },
): IssueChange[] {
  const shown = printableReport(report);
  const all = shown.stacks.flatMap(({ name, objects }) => objects.map((object) => ({ stack: name, object })));
  const drifted = groupBy(
    all.filter(({ object }) => isOpen(object)),
    (one) => subjectOf(one, by),
  );
  const seen = groupBy(all, (one) => subjectOf(one, by));
  const byKey = new Map(issues.flatMap((issue) => keyed(issue)));
  const changes: IssueChange[] = [];
  for (const [subject, objects] of drifted) {
    const key = hash(subject);
    const prints = objects.map(
      ({ object }) => object.fingerprint ?? `${object.status} ${object.address} ${diffOf(object)}`,
    );
    const content = hash(prints.sort().join("\n"));
    const issue = byKey.get(key);
    byKey.delete(key);
    if (issue !== undefined && issue.content === content) continue;
    const title = `Drift in ${oneLine(subject)}: ${counted(objects.length, "object")}`.slice(0, 250);
    const description = `<!-- steward drift ${key} ${content} -->\n${describe(subject, objects, owners, run)}`;
    changes.push(
      issue === undefined
        ? { kind: "open", title, description }
        : { kind: "update", issue: issue.issue, title, description },
    );
  }
  // What the run did not look at, or could not check, may drift still.
  const isWhole = report.result !== "failed" && report.limited_to === undefined;
  const checked = new Set(
    [...seen]
      .filter(([, objects]) => objects.every(({ object }) => object.status !== "failed"))
      .map(([subject]) => hash(subject)),
  );
  for (const [key, { issue }] of byKey) {
    if (!isWhole && !checked.has(key)) continue;
    const where = run.pipeline === undefined ? "" : ` (${run.pipeline})`;
    const description = `${(issue.description ?? "").trimEnd()}\n\nNo difference any more${where}: it was repaired or accepted.\n`;
    changes.push({ kind: "close", issue, description });
  }
  return changes;
}

function keyed(issue: Issue): [string, { readonly issue: Issue; readonly content: string }][] {
  const [, key, content] = MARKER.exec(issue.description ?? "") ?? [];
  return key === undefined ? [] : [[key, { issue, content: content! }]];
}

function describe(subject: string, drifted: readonly Drifted[], owners: Owners, { pipeline }: CiRun): string {
  const mentioned = owners(subject.replace(/^(project|group|stack) /, ""));
  const url = drifted.find(({ object }) => object.url !== undefined)?.object.url;
  const head = [
    `Somebody changed settings of ${linked(subject, url)} by hand (applied → live).`,
    ...(mentioned.length > 0 ? ["", `Owners: ${mentioned.join(" ")}`] : []),
    ...(pipeline === undefined ? [] : ["", `Found by ${pipeline}`]),
  ];
  const parts: string[] = [];
  let length = 0;
  for (const [at, one] of looserFirst(drifted, ({ object }) => object.strictness).entries()) {
    const part = describeOne(one);
    length += Buffer.byteLength(part);
    if (length > MAX_DESCRIPTION) {
      parts.push(`\n${drifted.length - at} more: too many for an issue. The JSON report has them all.`);
      break;
    }
    parts.push(part);
  }
  return printableLines([...head, ...parts, ""].join("\n"));
}

function describeOne({ stack, object }: Drifted): string {
  const { address, status, known, strictness, commands } = object;
  const diff = diffOf(object);
  const { repair, accept, ignore } =
    status === "unmanaged"
      ? { repair: undefined, accept: undefined, ignore: ignoreEntry(address, object.project ?? object.group) }
      : driftCommands(object, status === "vanished" ? "vanished" : "changed", stack ?? undefined);
  const toPaste = [
    ...(repair === undefined ? [] : ["# repair: restores what was applied", repair]),
    ...(accept === undefined
      ? []
      : ["# accept: write the live value into the code, and apply it when it is merged", accept]),
    ...[commands?.import, commands?.adopt].filter((one) => one !== undefined),
  ];
  return [
    "",
    `### ${code(address)}: ${known === true ? "known from an earlier run" : status}${strictness === undefined ? "" : `, ${STRICTNESS_LABELS[strictness]}`}`,
    ...(diff === "" ? [] : ["", `${fence(diff)}diff`, diff, fence(diff)]),
    "",
    "```sh",
    ...toPaste,
    "```",
    "",
    "```yaml",
    "# ignore: an entry of the file of --ignore",
    ignore,
    "```",
  ].join("\n");
}
