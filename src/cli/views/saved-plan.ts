import { oneLine, shellWord } from "../../text";
import type { Style } from "../printing/style";

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
