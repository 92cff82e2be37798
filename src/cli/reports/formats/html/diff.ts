import type { Row } from "../../../difference";
import { lineOf } from "../../../document/differences";
import { html, type Markup } from "../../../html";

const CLASSES: Readonly<Record<Row["tone"], string | undefined>> = {
  "+": "a",
  "-": "d",
  "~": "u",
  "#": "c",
  " ": undefined,
};

/** A difference in the format of a plan: each line with its mark, and coloured by what it belongs to. */
export function diffBlock(rows: readonly Row[], isDrift = false): Markup | undefined {
  if (rows.length === 0) return undefined;
  const lines = rows.map((row) => {
    // What was added by hand is not good for that.
    const kind = isDrift && (row.tone === "+" || row.tone === "-") ? CLASSES["~"] : CLASSES[row.tone];
    return kind === undefined
      ? html`<span>${lineOf(row)}</span>\n`
      : html`<span class="${kind}">${lineOf(row)}</span>\n`;
  });
  return html`<pre class="diff">${lines}</pre>\n`;
}
