import { html, type Markup } from "../../../html";

const CLASSES: Readonly<Record<string, string>> = { "+": "a", "-": "d", "~": "u", "#": "c" };

/** A difference in the format of a plan: each line with its mark, and coloured by it. */
export function diffBlock(diff: string): Markup | undefined {
  if (diff === "") return undefined;
  // A line without a mark belongs to what was added or removed around it, such as its closing bracket.
  const around: { readonly column: number; readonly mark: string }[] = [];
  const lines = diff.split("\n").map((line) => {
    const column = /^ */.exec(line)![0].length;
    while (column <= (around.at(-1)?.column ?? -1)) around.pop();
    const own = /^ *([-+~#])(?: |$)/.exec(line)?.[1];
    if (own === "+" || own === "-") around.push({ column, mark: own });
    const mark = own ?? around.at(-1)?.mark;
    return mark === undefined
      ? html`<span>${line}</span>\n`
      : html`<span class="${CLASSES[mark]}">${line}</span>\n`;
  });
  return html`<pre class="diff">${lines}</pre>\n`;
}

export const lineCount = (diff: string): number => (diff === "" ? 0 : diff.split("\n").length);
