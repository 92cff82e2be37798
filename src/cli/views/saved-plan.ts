import { oneLine, shellWord } from "../../text";
import type { Style } from "../printing/style";
import type { ToApprove } from "./run-view";

/** Where the plan was saved, and the command that applies it. */
export function renderSaved(file: string, { bold }: Style, options: readonly string[] = []): string[] {
  const command = ["steward", "apply", file, ...options].map(shellWord).join(" ");
  return [
    `Saved the plan to: ${oneLine(file)}`,
    "",
    "To perform exactly these actions, run the following command to apply:",
    `    ${bold(command)}`,
  ];
}

/** Where the changes to approve are, and the command that applies them once they are approved. */
export function renderToApprove({ file, digest, changes, planJson }: ToApprove, { bold }: Style): string[] {
  const verb = planJson === undefined ? ["apply"] : ["report", "--plan-json", planJson];
  const command = ["steward", ...verb, "--approved", file, "--digest", digest].map(shellWord).join(" ");
  return [
    `Wrote ${changes} ${changes === 1 ? "change" : "changes"} to approve to: ${oneLine(file)}`,
    `Digest: ${bold(digest)}`,
    "",
    planJson === undefined
      ? "Once they are approved, the following command applies these changes and no others:"
      : "Once they are approved, the following command fails if a plan has other changes; run it before the apply:",
    `    ${bold(command)}`,
  ];
}
