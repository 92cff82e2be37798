import { oneLine, shellWord } from "../../text";
import type { Style } from "../printing/style";

/** Where a plan was saved, and what to do with it. */
export function renderSaved(file: string, { bold }: Style, options: readonly string[] = []): string[] {
  const command = ["steward", "apply", file, ...options].map(shellWord).join(" ");
  return [
    `Saved the plan to: ${oneLine(file)}`,
    "",
    "To perform exactly these actions, run the following command to apply:",
    `    ${bold(command)}`,
  ];
}
