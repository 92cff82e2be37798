import { type Content, html, type Markup } from "../../html";

/** A row of a bar chart. */
export interface Bar {
  readonly label: Content;
  /** The parts of the bar from left to right, by the class of their colour. */
  readonly parts: readonly (readonly [className: string, count: number])[];
  /** The text beside the bar. */
  readonly text: string;
}

interface BarChart {
  readonly caption: string;
  /** Of the labels and of the numbers. */
  readonly heads: readonly [string, string];
  readonly bars: readonly Bar[];
  /** Labels may be long. */
  readonly isLong?: boolean;
}

/** A bar chart that is a table: the numbers stand beside the bars, and it fits any width. */
export function barChart({ caption, heads, bars, isLong = false }: BarChart): Markup {
  const highest = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, [, count]) => sum + count, 0)));
  return html`<table class="bars${isLong && " long"}"><caption class="unseen">${caption}</caption>
<thead class="unseen"><tr><th scope="col">${heads[0]}</th><th scope="col">Bar</th><th scope="col">${heads[1]}</th></tr></thead>
<tbody>
${bars.map(
  ({ label, parts, text }) =>
    html`<tr><th scope="row">${label}</th><td class="bar">${barOf(parts, highest)}</td><td class="number">${text}</td></tr>\n`,
)}</tbody></table>
`;
}

function barOf(parts: Bar["parts"], highest: number): Markup {
  let x = 0;
  const rects = parts.map(([className, count]) => {
    const width = (count / highest) * 100;
    const rect = html`<rect class="${className}" x="${percent(x)}" width="${percent(width)}" height="100%"/>`;
    x += width;
    return count > 0 && rect;
  });
  return html`<svg width="100%" height="14" aria-hidden="true">${rects}</svg>`;
}

const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;
