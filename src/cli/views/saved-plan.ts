import { printable } from "./printable";
import type { Style } from "./style";

/** Where a plan was saved, and what to do with it. */
export function renderSaved(file: string, { bold }: Style, options: readonly string[] = []): string[] {
  const command = ["steward", "apply", file, ...options].map(asWord).join(" ");
  return [
    `Saved the plan to: ${printable(file)}`,
    "",
    "To perform exactly these actions, run the following command to apply:",
    `    ${bold(command)}`,
  ];
}

function asWord(text: string): string {
  const word = printable(text);
  return /^[\w./-]+$/.test(word) ? word : JSON.stringify(word);
}
