import { counted, type SensitiveTexts } from "../../text";
import type { Approval, readForComment } from "../approval/file";
import { accessHeadline } from "../document/access-entry";
import type { Report } from "../document/model";
import { Causes, Entries } from "../reports/formats/entries";
import { COMMENT_LIMIT, markdownReport } from "../reports/formats/markdown";
import { Anchors } from "../reports/formats/markdown-parts";
import { code } from "../reports/formats/markdown-text";
import { allObjects, headline, isWhole } from "../reports/formats/summary";
import { printableLines, printableReport } from "../reports/safe-report";
import type { CiRun } from "../terminal/ci-run";
import { accessSection } from "./access-section";
import { boundPart } from "./bound-part";
import { embeddedApproval } from "./embedded-approval";
import type { Platform } from "./platform";
import { problemLines, type SectionLines } from "./problem-lines";

/** The approval file with the changes that people should approve. */
type ToApproveInComment = Awaited<ReturnType<typeof readForComment>>;

/**
 * Returns the first line of a comment. A later run finds the comment by this line. The line contains the name of the app, because
 * a repository may have several apps.
 */
export const commentMarker = (name: string): string => `<!-- steward ci ${anchorOf(name)} -->`;

/** Returns the name of an app in the form that the markers of comments contain. */
export const anchorOf = (name: string): string => name.replace(/[^\w.-]/g, "_");

const APPROVAL = /^<!-- steward approval ([0-9a-f]{64}) (\S+) -->$/m;

/**
 * Returns the start of a comment that asks for this approval. The start depends only on the approval. If a comment has a
 * different start, a person edited the comment, or another release wrote it.
 */
export const startOfComment = (
  name: string,
  approval: Approval,
  digest: string,
  secrets: Pick<SensitiveTexts, "redactText">,
): string =>
  printableLines(secrets.redactText([commentMarker(name), ...boundPart(approval, digest)].join("\n")));

/** Returns true if the text of a comment starts with `start`, a result of `startOfComment`. */
export const startsAs = (body: string, start: string): boolean =>
  `${body.replaceAll("\r\n", "\n").trimEnd()}\n`.startsWith(`${start}\n`);

/**
 * Returns the digest and the commit that a comment asks to approve. Ignores the folded part, because it contains texts of other
 * people.
 */
export function approvalIn(body: string): { readonly digest: string; readonly commit: string } | undefined {
  const [, digest, commit] = APPROVAL.exec(body.split("\n<details>", 1)[0]!) ?? [];
  return digest === undefined ? undefined : { digest, commit: commit! };
}

/** Returns the hidden line with the copy of the approval, or no line. */
function embedded(text: string, key: string | undefined): readonly string[] {
  const line = embeddedApproval(text, key);
  return line === undefined ? [] : [line];
}

/**
 * The maximum number of problem lines that are not folded. The maximum does not apply to lines about more access, because these
 * lines are never folded.
 */
const SHOWN = 20;

/** The maximum number of lines about more access. There is a maximum, because the platform limits the length of a comment. */
const MOST_LOOSER = 300;

/** Returns a comment: totals, problems and access come first, and all other parts are folded. */
export function commentOf(
  report: Report,
  name: string,
  { pipeline, job, commit }: CiRun,
  approval: ToApproveInComment | undefined,
  secrets: Pick<SensitiveTexts, "redactText">,
  key?: string,
): string {
  const shown = printableReport(report);
  const causes = new Causes(shown);
  const problems = problemLines(causes);
  const places = shown.access ?? [];
  const app = anchorOf(name);
  const anchors = new Anchors(new Entries(shown, causes), places, app);
  const run = [
    ...(shown.run?.services ?? []).map((service) => `on ${code(service)}`),
    ...(commit === undefined ? [] : [`commit ${code(commit)}`]),
    ...(pipeline === undefined ? [] : [`pipeline ${pipeline}`]),
  ];
  const start =
    approval === undefined
      ? `${commentMarker(name)}\n## ${headline(shown)}`
      : startOfComment(name, approval.approval, approval.digest, secrets);
  const head = [
    start,
    ...(approval === undefined ? [] : embedded(approval.text, key)),
    ...(run.length > 0 ? ["", run.join(", ")] : []),
    ...(places.length > 0 ? ["", `Access: ${accessHeadline(places, isWhole(shown))}`] : []),
    ...section("Problems", problems),
    ...accessSection(places, anchors),
    "",
  ].join("\n");
  const page = job === undefined ? "the job's artifacts" : `[the job's artifacts](${job}/artifacts/browse)`;
  const limit = COMMENT_LIMIT - Buffer.byteLength(head);
  const whole = markdownReport(withoutRun(shown), limit, app).split("\n").slice(1).join("\n");
  const isCut = whole.includes("too many for a comment");
  const note = ["", `Not everything fits into a comment: ${page} have all of it.`];
  const details = [
    "",
    `<details><summary>${counted(allObjects(shown).length, "object")}</summary>`,
    "",
    whole,
    "",
    "</details>",
  ];
  const full = printableLines(secrets.redactText([head, ...details, ...(isCut ? note : [])].join("\n")));
  // If the comment is too long, keeps only the totals, problems and access, because people must see these before they approve.
  return Buffer.byteLength(full) <= COMMENT_LIMIT
    ? full
    : printableLines(secrets.redactText([head, ...note].join("\n")));
}

/**
 * Returns a report without the facts about its run. The head of the comment already names the run. The start time would
 * change the text in each run, and approvals that are older than the text do not count.
 */
const withoutRun = ({ run: _, ...report }: Report): Report => report;

function section(title: string, { looser, others }: SectionLines): string[] {
  if (looser.length + others.length === 0) return [];
  const shown = looser.slice(0, MOST_LOOSER);
  const rest = others.slice(0, Math.max(0, SHOWN - shown.length));
  const missing = looser.length - shown.length;
  const left = others.length - rest.length;
  return [
    "",
    `**${title}**`,
    "",
    ...shown,
    ...(missing > 0 ? [`- 🔓 and ${missing} more with more access, in the artifacts of the job`] : []),
    ...rest,
    ...(left > 0 ? [`- and ${left} more, below`] : []),
  ];
}

/**
 * Returns the newest comment of the token's user with this marker. Ignores comments of other users, which may forge or quote
 * the marker.
 */
async function findComment({ client, project, user }: Platform, iid: number, marker: string) {
  for await (const note of client.mergeRequests.notes(project, iid))
    if (note.author.id === user && note.body.startsWith(`${marker}\n`)) return note;
  return undefined;
}

/** Writes the comment, or replaces the text of the existing comment. */
export async function postComment(
  platform: Platform,
  iid: number,
  body: string,
): Promise<"created" | "updated" | "unchanged"> {
  const { client, project } = platform;
  const found = await findComment(platform, iid, body.split("\n", 1)[0]!);
  if (found === undefined) {
    await client.mergeRequests.comment(project, iid, { body });
    return "created";
  }
  // Steward does not edit a comment that would stay the same. After an edit, approvals that are older than the edit would not
  // count.
  if (found.body.trimEnd() === body.trimEnd()) return "unchanged";
  await client.mergeRequests.editComment(project, iid, found.id, { body });
  return "updated";
}
