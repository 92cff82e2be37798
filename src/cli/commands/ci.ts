import { existsSync } from "node:fs";
import path from "node:path";
import type { Issue } from "../../api";
import { DiagnosticError } from "../../diagnostics";
import { decodeText } from "../../files";
import { counted } from "../../text";
import { readForComment } from "../approval/file";
import type { CommentArguments, ciIssuesLine } from "../arguments/ci";
import type { CommandFunction } from "../arguments/command-line";
import { requireReportOf } from "../ci/bound-part";
import { commentOf, postComment } from "../ci/comment";
import { addressKey } from "../ci/embedded-approval";
import { type IssueChange, type IssueChanges, issueChanges, LABEL } from "../ci/issues";
import { newerRun } from "../ci/newer-run";
import { readOwners, unmatchedOwners } from "../ci/owners";
import {
  notPosted,
  onPlatform,
  type Platform,
  postWebhook,
  required,
  webhookPayload,
  webhookUrl,
} from "../ci/platform";
import { waitingLines } from "../ci/waiting";
import type { Report } from "../document/model";
import { exitCodeOf, readReports } from "../reports/merge";
import { ciRun } from "../terminal/ci-run";
import { secretsOf } from "../terminal/redact";
import { readNamed, type Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/diagnostics";
import { jsonEvent, writeResult } from "../views/json/events";
import { comments } from "./ci-comments";

/**
 * Posts texts of a run: a comment or issues on the platform, and totals in a chat. `preview` returns the texts to send. `send`
 * sends these texts, and returns the outcome. A failed post causes only a warning, because the command ends with the exit code
 * of the reported run.
 */
async function post(
  what: string,
  report: Report,
  args: Pick<CommentArguments, "dryRun" | "webhookFile" | "json" | "color">,
  terminal: Terminal,
  { preview, send }: Readonly<{ preview(): readonly string[]; send(): Promise<readonly string[]> }>,
): Promise<number> {
  const url = webhookUrl(args.webhookFile, terminal);
  const payload = webhookPayload(report, terminal);
  const say = (lines: readonly string[]): void =>
    writeResult(
      terminal.out,
      args,
      lines.map((line) => jsonEvent("log", line)),
      lines,
    );
  if (args.dryRun) {
    say([...preview(), ...(url === undefined ? [] : [`Webhook: ${JSON.stringify(payload)}`])]);
    return exitCodeOf(report, false);
  }
  const attempt = async (name: string, work: () => Promise<readonly string[]>): Promise<void> => {
    try {
      say(await work());
    } catch (problem) {
      if (problem instanceof DiagnosticError) throw problem;
      reportDiagnostics([notPosted(name, problem)], terminal, args);
    }
  };
  await attempt(what, send);
  if (url !== undefined)
    await attempt("The totals", async () => {
      await postWebhook(url, payload);
      return ["The totals were posted to the chat."];
    });
  return exitCodeOf(report, false);
}

/** Writes the report of a run into the comment of its merge request. */
export async function comment(args: CommentArguments, terminal: Terminal): Promise<number> {
  if (args.requests) return comments(args, terminal);
  if (args.approval !== undefined && terminal.env["CI_PIPELINE_SOURCE"] === "merge_request_event")
    terminal.err.line(
      "Warning: the author of a merge request can edit this pipeline, and use its token for comments. Write the comments in a scheduled pipeline of the protected branch: add --requests.",
    );
  const report = await readReports(args.files, terminal);
  const approval = await toApprove(report, args, terminal);
  const body = commentOf(
    report,
    args.name,
    ciRun(terminal.env),
    approval,
    secretsOf(terminal.env),
    addressKey(terminal.env),
  );
  const iid = args.dryRun ? 0 : Number(required(terminal.env, "CI_MERGE_REQUEST_IID"));
  return post("The comment", report, args, terminal, {
    preview: () => body.split("\n"),
    send: () =>
      onPlatform(terminal, async (platform) => [
        `The comment was ${await postComment(platform, iid, body)}.`,
      ]),
  });
}

async function toApprove(report: Report, { approval: file }: CommentArguments, terminal: Terminal) {
  const hasFailed = report.result === "failed";
  if (file === undefined || (hasFailed && !existsSync(path.resolve(terminal.folder, file)))) return undefined;
  const found = await readForComment(file, terminal);
  // If the plan failed and the approval file does not list the failed stacks, the file belongs to another plan.
  if (hasFailed && found.approval.unplanned === undefined) return undefined;
  requireReportOf(found.approval, report, file);
  return found;
}

/** Opens, updates and closes issues: each project or stack with drift has one open issue. */
export const issues: CommandFunction<typeof ciIssuesLine> = async (args, terminal) => {
  const report = await readReports(args.files, terminal);
  const { owners: file, by, name: app } = args;
  const text =
    file === undefined ? "" : decodeText((await readNamed(file, "owners_invalid", terminal)).bytes);
  const owners = readOwners(text, file ?? "");
  reportDiagnostics(unmatchedOwners(text, file ?? "", report), terminal, args);
  const changesTo = (open: readonly Issue[]) =>
    limited(issueChanges(report, open, { app, by, owners, run: ciRun(terminal.env) }), args.maxNew);
  return post("The issues", report, args, terminal, {
    // A preview sends no requests, so it does not know the existing issues and shows all issues as new.
    preview: () => {
      const { shown, note } = changesTo([]);
      return [...shown.flatMap((one) => [describe(one), ...one.description.split("\n")]), ...note];
    },
    send: () =>
      onPlatform(terminal, async (platform) => {
        const newer = await newerRun(platform, terminal.env);
        if (newer !== undefined)
          return [`No issue was changed: pipeline ${newer} has a newer report.`, lastLine(report, [])];
        const { shown, note } = changesTo(await openIssues(platform));
        for (const change of shown) await send(platform, change);
        const waiting = await waitingLines(platform, app, terminal);
        return [...shown.map(describe), ...note, ...waiting, lastLine(report, shown)];
      }),
  });
};

const openIssues = ({ client, project, user }: Platform): Promise<Issue[]> =>
  client.issues.list(project, { state: "opened", author_id: user, labels: LABEL }).toArray();

const send = ({ client, project }: Platform, change: IssueChange): Promise<unknown> => {
  if (change.kind === "open") {
    const { title, description } = change;
    return client.issues.create(project, { title, description, labels: LABEL });
  }
  const { kind, issue, description } = change;
  return client.issues.edit(project, issue.iid, {
    description,
    ...(kind === "update" ? { title: change.title } : { state_event: "close" as const }),
  });
};

/** Returns the changes with at most `maxNew` new issues, and notes about the issues that are not opened or not closed. */
function limited({ changes, unchecked }: IssueChanges, maxNew: number) {
  const left = new Set(changes.filter(({ kind }) => kind === "open").slice(maxNew));
  const text = `${counted(left.size, "more issue")} will be opened by the next runs: --max-new allows ${maxNew} in one run.`;
  const open = `${counted(unchecked.length, "issue")} left open, because this run is older or did not check all objects.`;
  return {
    shown: changes.filter((change) => !left.has(change)),
    note: [...(left.size === 0 ? [] : [text]), ...(unchecked.length === 0 ? [] : [open])],
  };
}

/** Returns the last line of the output: the totals of the issues, and the exit code of the reported run. */
function lastLine(report: Report, changes: readonly IssueChange[]): string {
  const count = (of: IssueChange["kind"]) => changes.filter(({ kind }) => kind === of).length;
  const exit = exitCodeOf(report, false);
  const found = { 0: "no new drift", 2: "drift" }[exit] ?? "an error";
  return `Issues: ${count("open")} opened, ${count("update")} updated, ${count("close")} closed. The report has ${found}: exit code ${exit}.`;
}

function describe(change: IssueChange): string {
  if (change.kind === "open") return `Opened: ${change.title}`;
  if (change.kind === "update") return `Updated #${change.issue.iid}: ${change.title}`;
  return `Closed #${change.issue.iid}: ${change.issue.title}`;
}
