import { html, type Markup } from "../../../html";

const CLASSES: Readonly<Record<string, string>> = { "+": "a", "-": "d", "~": "u", "#": "c" };

/** A difference in the format of a plan: each line with its mark, and coloured by it. */
export function diffBlock(diff: string): Markup | undefined {
  if (diff === "") return undefined;
  const lines = diff.split("\n").map((line) => {
    const mark = /^\s*([-+~#])(?: |$)/.exec(line)?.[1];
    return mark === undefined
      ? html`<span>${line}</span>\n`
      : html`<span class="${CLASSES[mark]}">${line}</span>\n`;
  });
  return html`<pre class="diff">${lines}</pre>\n`;
}

export const lineCount = (diff: string): number => (diff === "" ? 0 : diff.split("\n").length);
