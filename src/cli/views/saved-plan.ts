import { printable } from "./printable";
import type { Style } from "./style";

/** Where a plan was saved, and what to do with it. */
export function renderSaved(file: string, { bold }: Style): string {
  const name = printable(file);
  return [
    `Saved the plan to: ${name}`,
    "",
    "To perform exactly these actions, run the following command to apply:",
    `    ${bold(`steward apply ${/^[\w./-]+$/.test(name) ? name : JSON.stringify(name)}`)}`,
    "",
  ].join("\n");
}
