import { readForComment } from "../../approval/file";
import type { CommentArguments } from "../../arguments/ci";
import { commentOf, postComment } from "../../ci/comment";
import { onPlatform, required } from "../../ci/platform";
import type { Report } from "../../document/model";
import { readReports } from "../../run/read-reports";
import { ciRun } from "../../terminal/ci-run";
import { redactor } from "../../terminal/redact";
import type { Terminal } from "../../terminal/terminal";
import { post } from "./post";

/** Writes the report of a run into its merge request. */
export async function comment(args: CommentArguments, terminal: Terminal): Promise<number> {
  const report = await readReports(args.files, terminal);
  // A failed plan has nothing to approve.
  const approval = await toApprove(report, args, terminal);
  const body = commentOf(report, args.name, ciRun(terminal.env), approval, redactor(terminal.env));
  const iid = args.dryRun ? 0 : Number(required(terminal.env, "CI_MERGE_REQUEST_IID"));
  return post("The comment", report, args, terminal, {
    preview: () => body.split("\n"),
    send: () =>
      onPlatform(terminal, async (platform) => [
        `The comment was ${await postComment(platform, iid, body)}.`,
      ]),
  });
}

const toApprove = (report: Report, { approval: file }: CommentArguments, terminal: Terminal) =>
  file === undefined || report.result === "failed" ? undefined : readForComment(file, terminal);
