import { DiagnosticError } from "../../../diagnostics";
import type { CommentArguments } from "../../arguments/ci";
import { notPosted } from "../../ci/platform";
import { postWebhook, webhookPayload, webhookUrl } from "../../ci/webhook";
import type { Report } from "../../document/model";
import { exitCodeOf } from "../../run/read-reports";
import type { Terminal } from "../../terminal/terminal";
import { reportDiagnostics } from "../../views/failure";
import { jsonEvent } from "../../views/json/events";

interface Posting {
  /** What would be sent. */
  preview(): readonly string[];
  /** Sends, and says what was done. */
  send(): Promise<readonly string[]>;
}

/** Posts, and tells a chat. Whatever fails is a warning: the exit code is that of the reported run. */
export async function post(
  what: string,
  report: Report,
  args: Pick<CommentArguments, "dryRun" | "webhookFile" | "json" | "color">,
  terminal: Terminal,
  { preview, send }: Posting,
): Promise<number> {
  const url = webhookUrl(args.webhookFile, terminal);
  const payload = webhookPayload(report, terminal);
  const say = (lines: readonly string[]): void => {
    if (!args.json) terminal.out.lines(lines);
    else for (const line of lines) terminal.out.line(JSON.stringify(jsonEvent("log", line)));
  };
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
