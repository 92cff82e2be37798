import type { Issue } from "../../api";
import { groupBy } from "../../engine";
import { counted } from "../../text";
import { looserFirst } from "../document/equal";
import type { Report, ReportObject } from "../document/model";
import { printableReport } from "../reports/safe-report";
import type { CiRun } from "../terminal/ci-run";
import {
  type Drifted,
  hash,
  headOf,
  type IssueText,
  objectKey,
  readIssue,
  type Section,
  sectionOf,
  titleOf,
  writeIssue,
} from "./issue-text";
import type { Owners } from "./owners";

export const LABEL = "steward-drift";

/** The subject of each issue: one project or group, or one stack. */
export type IssueScope = "project" | "stack";

/** A change of one issue. */
export type IssueChange =
  | { readonly kind: "open"; readonly title: string; readonly description: string }
  | { readonly kind: "update"; readonly issue: Issue; readonly title: string; readonly description: string }
  | { readonly kind: "close"; readonly issue: Issue; readonly description: string };

/**
 * The changes that a run makes to issues. `unchecked` contains open issues that stay open, because the run did not check all
 * objects of these issues.
 */
export interface IssueChanges {
  readonly changes: readonly IssueChange[];
  readonly unchecked: readonly Issue[];
}

/**
 * The name of the app if `--name` is not given. Issues from earlier releases of Steward contain no app name. Such issues count
 * as issues of the app `steward`.
 */
const UNNAMED = "steward";

interface IssueOptions {
  /** The name of the app. The name distinguishes the issues of several apps in one repository. */
  readonly app: string;
  readonly by: IssueScope;
  readonly owners: Owners;
  readonly run: CiRun;
}

/**
 * Returns true if an object still drifts: the drift is neither repaired nor accepted. Also returns true for drift that an
 * earlier run reported.
 */
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

/** The drifted objects of a run. Also decides, for each object of an open issue, whether the object is free of drift. */
class Findings {
  readonly open: ReadonlyMap<string, readonly Drifted[]>;
  readonly time: number;
  readonly #inOrder = new Set<string>();
  readonly #searched: ReadonlySet<string>;
  readonly #unmanaged = new Set<string>();
  readonly #knownPrints: ReadonlySet<string>;
  /** The subjects (projects, groups or stacks) of the run, by their keys. */
  readonly subjects: ReadonlyMap<string, string>;
  /** The keys of the projects, groups and stacks whose objects were all checked and do not drift. */
  readonly #clean = new Set<string>();
  readonly #isWhole: boolean;

  constructor(report: Report, { app, by }: IssueOptions) {
    const all = report.stacks.flatMap(({ name, objects }) =>
      objects.map((object) => ({ stack: name, object })),
    );
    const isDrift = report.command === "drift";
    this.time = Date.parse(report.started_at);
    this.open = groupBy(isDrift ? all.filter(({ object }) => isOpen(object)) : [], (one) =>
      subjectOf(one, by),
    );
    this.#searched = new Set(isDrift ? report.coverage : []);
    this.#knownPrints = new Set(report.stacks.flatMap(({ known_fingerprints: prints }) => prints.map(hash)));
    this.#isWhole =
      isDrift &&
      report.coverage !== undefined &&
      report.limited_to === undefined &&
      report.result !== "failed";
    this.subjects = new Map(
      all.map((one) => subjectOf(one, by)).map((subject) => [keyOf(app, subject), subject]),
    );
    for (const one of all) if (one.object.status === "unmanaged") this.#unmanaged.add(objectKey(app, one));
    if (!isDrift) return;
    for (const one of all) if (isInOrder(one.object)) this.#inOrder.add(objectKey(app, one));
    for (const { name: stack, ignored } of report.stacks)
      for (const { object: address } of ignored)
        this.#inOrder.add(objectKey(app, { stack, object: { address } as ReportObject }));
    for (const [subject, objects] of groupBy(all, (one) => subjectOf(one, by)))
      if (objects.every(({ object }) => isInOrder(object))) this.#clean.add(keyOf(app, subject));
  }

  /**
   * Returns true if this run found no drift of the object. The run must have checked the object in the same way as the earlier
   * run that found the drift.
   */
  isResolved({ object, way, print }: Section): boolean {
    if (way.kind === "drift") return this.#inOrder.has(object);
    return this.#searched.has(way.container) && !this.#unmanaged.has(object) && !this.#knownPrints.has(print);
  }

  /**
   * Returns true if Steward may close an issue without a list of objects. The run must have checked everything, and must have
   * found no drift in the project or stack.
   */
  isCleanOf(key: string): boolean {
    return this.#isWhole && this.#clean.has(key);
  }
}

const isInOrder = ({ status, known, repaired }: ReportObject): boolean =>
  (status === "in_sync" && known !== true) || repaired === true;

/**
 * Returns the key of a project, group or stack in an app. If the app has the name `UNNAMED`, the key contains only the project,
 * group or stack, as in issues of earlier releases.
 */
const keyOf = (app: string, subject: string): string =>
  hash(app === UNNAMED ? subject : `${app}\n${subject}`);

/**
 * Compares the open issues with the drift of a run. Each project or stack with drift has one issue. A run closes an issue
 * only if the text of the issue is older than the run. The run must also have checked each object in the same way as the
 * earlier run that found the drift.
 *
 * @param issues the open issues of the token's user with the label
 */
export function issueChanges(report: Report, issues: readonly Issue[], options: IssueOptions): IssueChanges {
  const { app, owners, run } = options;
  const findings = new Findings(printableReport(report), options);
  const changes: IssueChange[] = [];
  const unchecked: Issue[] = [];
  const written = new Map(
    issues.flatMap((issue) => {
      const text = readIssue(issue.description ?? "");
      return text === undefined ? [] : [[text.key, { issue, text }] as const];
    }),
  );
  for (const [subject, objects] of findings.open) {
    const key = keyOf(app, subject);
    const found = written.get(key) ?? renamed(issues, subject);
    written.delete(key);
    if (found !== undefined && found.text.time > findings.time) {
      unchecked.push(found.issue);
      continue;
    }
    const fresh = looserFirst(objects, ({ object }) => object.strictness).map((one) =>
      withFirstHeading(sectionOf(app, one), found?.text),
    );
    const sections = [...fresh, ...remaining(found?.text, fresh, findings)];
    const names = owners(subject.replace(/^(project|group|stack) /, ""));
    const head = headOf(subject, objects, names, foundBy(found?.text, fresh) ?? run);
    const title = titleOf(subject, sections.length);
    const time = isSame(found?.text, sections) ? found!.text.time : findings.time;
    const description = writeIssue({ key, time, head, sections });
    if (found === undefined) changes.push({ kind: "open", title, description });
    else if (!isWritten(found.issue, title, description))
      changes.push({ kind: "update", issue: found.issue, title, description });
  }
  for (const { issue, text } of written.values()) {
    const change = text.time > findings.time ? undefined : withoutResolved(issue, text, findings, run);
    if (change !== undefined) changes.push(change);
    if (change?.kind !== "close") unchecked.push(issue);
  }
  return { changes, unchecked };
}

/** Finds an issue by its title, because a person may have replaced the text with the marker. */
function renamed(issues: readonly Issue[], subject: string) {
  const start = titleOf(subject, 1).replace(/: 1 object$/, ": ");
  const issue = issues.find(
    ({ title, description }) => title.startsWith(start) && readIssue(description ?? "") === undefined,
  );
  return issue && { issue, text: { key: "", time: 0, head: "", sections: [] } };
}

const HEADING = /^### .+: (?:changed|vanished|unmanaged)(?:, .+)?$/;

/**
 * Returns a section with the heading from the existing issue. The first run that found the drift wrote the differences into
 * this heading. A report with `--since` does not contain the differences of a known object.
 */
function withFirstHeading(section: Section, text: IssueText | undefined): Section {
  const first = text?.sections.find(
    ({ object, print }) => object === section.object && print === section.print,
  );
  const heading = first?.text.split("\n", 1)[0] ?? "";
  if (!HEADING.test(heading)) return section;
  return { ...section, text: [heading, ...section.text.split("\n").slice(1)].join("\n") };
}

/** Returns the sections that stay in an issue: this run found their objects neither drifted nor free of drift. */
const remaining = (
  text: IssueText | undefined,
  fresh: readonly Section[],
  findings: Findings,
): readonly Section[] => {
  const seen = new Set(fresh.map(({ object }) => object));
  return (text?.sections ?? []).filter((one) => !seen.has(one.object) && !findings.isResolved(one));
};

const isSame = (text: IssueText | undefined, sections: readonly Section[]): boolean =>
  text !== undefined && printsOf(text.sections) === printsOf(sections);

const printsOf = (sections: readonly Section[]): string =>
  sections
    .map(({ object, print }) => `${object} ${print}`)
    .sort()
    .join("\n");

/** Returns the pipeline that first found the drift in an issue; undefined if the drift has changed since then. */
function foundBy(text: IssueText | undefined, fresh: readonly Section[]): CiRun | undefined {
  if (text === undefined) return undefined;
  const before = new Map(text.sections.map(({ object, print }) => [object, print]));
  if (!fresh.every(({ object, print }) => before.get(object) === print)) return undefined;
  const [, pipeline] = /^Found by (.+)$/m.exec(text.head) ?? [];
  return pipeline === undefined ? undefined : { pipeline };
}

/**
 * Returns true if the issue already has this title and description. Ignores line ends and whitespace at the ends, because the
 * platform may change these characters.
 */
const isWritten = (issue: Issue, title: string, description: string): boolean =>
  issue.title === title && normal(issue.description ?? "") === normal(description);

const normal = (text: string): string => text.replaceAll("\r\n", "\n").trim();

/**
 * Returns the change of an issue for which the run found no drift. Closes the issue if all its objects are resolved;
 * otherwise, removes the sections of the resolved objects. Also restores a changed title.
 */
function withoutResolved(
  issue: Issue,
  text: IssueText,
  findings: Findings,
  { pipeline }: CiRun,
): IssueChange | undefined {
  const isUnnamed = text.time === 0;
  const left = text.sections.filter((one) => !findings.isResolved(one));
  if (isUnnamed ? findings.isCleanOf(text.key) : left.length === 0) {
    const where = pipeline === undefined ? "" : ` (${pipeline})`;
    const end = `No difference any more${where}: it was repaired or accepted.`;
    return { kind: "close", issue, description: `${(issue.description ?? "").trimEnd()}\n\n${end}\n` };
  }
  const subject = findings.subjects.get(text.key);
  const { length: count } = left;
  const title =
    subject === undefined
      ? issue.title.replace(/: \d+ objects?$/, `: ${counted(count, "object")}`)
      : titleOf(subject, count);
  const isSameText = isUnnamed || count === text.sections.length;
  if (isSameText && (isUnnamed || title === issue.title)) return undefined;
  const time = isSameText ? text.time : findings.time;
  return { kind: "update", issue, title, description: writeIssue({ ...text, time, sections: left }) };
}
