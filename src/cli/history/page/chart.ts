import { type Content, html, type Markup } from "../../reports/formats/html/markup";
import { type History, openAt } from "../history";
import type { Point } from "../trace";
import { runAt } from "./drift-rows";
import { type Tick, timeText, timeTicks } from "./time-text";

/** The kinds of drift, from the bottom of the chart to the top. */
const SERIES = [
  ["changed", "changed"],
  ["vanished", "vanished"],
  ["undeclared", "unmanaged"],
  ["undescribed", "known, report missing"],
] as const;

/** A period in the chart. If the period has several runs, the chart shows the run with the most open drifts. */
interface Slice {
  readonly from: number;
  readonly to: number;
  readonly point: Point;
  /** The number of runs with errors in this slice of the chart. */
  readonly failed: number;
}

/** The maximum number of slices in the chart. A screen could not show more slices separately. */
const MAX_SLICES = 240;
/** The width and height of the drawing, in SVG units. The page stretches the drawing, but not the width of its lines. */
const [WIDTH, HEIGHT] = [1000, 200];
/** The heights, in pixels, of the space above the drawing (for the highest label) and below the drawing (for the times). */
const [ABOVE, BELOW] = [18, 34];

/**
 * Draws the open drifts over time. Each step shows one run. If there are many runs, a step represents several runs, and shows
 * the run with the most open drifts.
 */
export function overTimeChart({ points, from, to }: History): Markup {
  const slices = slicesOf(points);
  const end = slices.at(-1)!.to;
  const x = (time: number) => ((time - from) / (end - from)) * WIDTH;
  const shown = SERIES.filter(([key]) => slices.some(({ point }) => point[key] > 0));
  const levels = valueTicks(Math.max(...slices.map(({ point }) => openAt(point))));
  const y = (value: number) => round(HEIGHT - (value / levels.at(-1)!) * HEIGHT);
  const xOf = (slice: Slice) => [round(x(slice.from)), round(x(slice.to))] as const;
  const highest = slices.reduce((one, other) => (openAt(other.point) > openAt(one.point) ? other : one));
  const last = points.at(-1)!;
  return html`<svg class="chart" width="100%" height="${ABOVE + HEIGHT + BELOW}" role="img" aria-labelledby="chart-title chart-text">
<title id="chart-title">Open drifts over time</title>
<desc id="chart-text">From ${timeText(from)} to ${timeText(to)} UTC. At most ${openAt(highest.point)} drifts were open, at ${timeText(highest.point.time)}; after the last run ${openAt(last)}. The table below has the values.</desc>
${levels.map((level) => html`<line class="grid" x1="0" x2="100%" y1="${ABOVE + y(level)}" y2="${ABOVE + y(level)}"/>\n`)}<svg y="${ABOVE}" overflow="visible" width="100%" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
${shown.map(([key], at) => {
  const below = (point: Point) => shown.slice(0, at).reduce((sum, [name]) => sum + point[name], 0);
  return html`<path class="${key}" d="${areaOf(slices, xOf, (point) => [y(below(point)), y(below(point) + point[key])])}"/>\n`;
})}<path class="total" d="${lineOf(slices, xOf, (point) => y(openAt(point)))}"/>
${slices.map((slice) => {
  const [left, right] = xOf(slice);
  return html`<rect class="hover" x="${left}" width="${round(right - left)}" y="0" height="${HEIGHT}"><title>${sliceText(slice)}</title></rect>\n`;
})}</svg>
${levels.map(
  (level) =>
    html`<text x="0" y="${ABOVE + y(level) - 4}">${level === levels.at(-1) ? `${level} open drifts` : level}</text>\n`,
)}${slices
  .filter(({ failed }) => failed > 0)
  .map(
    (slice) =>
      html`<svg class="failed" x="${percent(xOf(slice)[0])}" y="${ABOVE + HEIGHT}" overflow="visible"><path d="M-4 8h8l-4 -7z"/></svg>\n`,
  )}${points.length < FEW_RUNS && slices.map((slice) => marker(xOf(slice)[0], y(openAt(slice.point))))}${timeLabels(from, to, x)}</svg>
`;
}

/** A chart with at least this number of runs does not mark each run. */
const FEW_RUNS = 10;

const marker = (x: number, y: number): Markup =>
  html`<circle class="run" cx="${percent(x)}" cy="${ABOVE + y}" r="3.5"/>\n`;

/** Returns the legend, which explains the colours and signs of the chart. */
export function legend({ points }: History): Markup {
  const shown = SERIES.filter(([key]) => points.some((point) => point[key] > 0));
  const hasFailed = points.some((point) => point.hasFailed);
  return html`<p class="legend">${shown.map(([key, name]) => html`<span><svg width="12" height="12" aria-hidden="true"><rect class="${key}" width="12" height="12"/></svg> ${name}</span> `)}${hasFailed && html`<span><svg class="failed" width="12" height="12" aria-hidden="true"><path d="M2 10h8l-4 -7z"/></svg> run with errors</span>`}</p>
`;
}

/** Returns the numbers of the chart as a table. */
export function overTimeTable({ points, pages }: History): Markup {
  const slices = slicesOf(points, 60);
  const shown = SERIES.filter(([key]) => points.some((point) => point[key] > 0));
  return html`<details><summary>Values of the chart as a table</summary>
${slices.length < points.length && html`<p class="muted">Each row is the run with most open drifts in its part of the time.</p>\n`}<div class="scroll" tabindex="0" role="region" aria-label="Values of the chart"><table>
<thead><tr><th scope="col">Run (UTC)</th><th scope="col" class="number">Open</th>${shown.map(([, name]) => html`<th scope="col" class="number">${name}</th>`)}<th scope="col">Result</th></tr></thead>
<tbody>
${slices.map(
  ({ point, failed }) =>
    html`<tr><th scope="row">${runAt(point.time, pages)}</th><td class="number">${openAt(point)}</td>${shown.map(([key]) => html`<td class="number">${point[key]}</td>`)}<td>${failed > 0 ? "with errors" : "complete"}</td></tr>\n`,
)}</tbody>
</table></div></details>
`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
const percent = (x: number): string => `${round((x / WIDTH) * 100)}%`;

/**
 * Divides the time into slices. A slice ends where the next slice begins; the last slice has the average length. A slice with
 * several runs shows the run with the most open drifts, so that the chart contains all peaks.
 */
function slicesOf(points: readonly Point[], most = MAX_SLICES): Slice[] {
  const from = points[0]!.time;
  const span = points.at(-1)!.time - from;
  const groups = new Map<number, Point[]>();
  for (const [at, point] of points.entries()) {
    const place =
      points.length <= most ? at : Math.min(most - 1, Math.floor(((point.time - from) / span) * most));
    groups.set(place, [...(groups.get(place) ?? []), point]);
  }
  const all = [...groups.values()];
  const usual = all.length === 1 ? 1 : span / (all.length - 1);
  return all.map((group, at) => ({
    from: group[0]!.time,
    to: all[at + 1]?.[0]?.time ?? group[0]!.time + usual,
    point: group.reduce((one, other) => (openAt(other) > openAt(one) ? other : one)),
    failed: group.filter(({ hasFailed }) => hasFailed).length,
  }));
}

function sliceText({ point, failed }: Slice): string {
  const parts = SERIES.filter(([key]) => point[key] > 0).map(([key, name]) => `${point[key]} ${name}`);
  const errors = failed > 0 ? "; with errors" : "";
  return `${timeText(point.time)} UTC: ${openAt(point)} open${parts.length > 1 ? ` (${parts.join(", ")})` : ""}${errors}`;
}

type Horizontal = (slice: Slice) => readonly [left: number, right: number];

/** Returns the SVG path of an area between a lower and an upper height. Both heights change in steps. */
function areaOf(
  slices: readonly Slice[],
  xOf: Horizontal,
  heights: (point: Point) => readonly [bottom: number, top: number],
): string {
  const upper = slices.map((slice) => {
    const [[left, right], [, top]] = [xOf(slice), heights(slice.point)];
    return `L${left} ${top}H${right}`;
  });
  const lower = [...slices].reverse().map((slice) => {
    const [[left, right], [bottom]] = [xOf(slice), heights(slice.point)];
    return `L${right} ${bottom}H${left}`;
  });
  return `M${upper.join("").slice(1)}${lower.join("")}Z`;
}

const lineOf = (slices: readonly Slice[], xOf: Horizontal, height: (point: Point) => number): string =>
  `M${slices
    .map((slice) => {
      const [left, right] = xOf(slice);
      return `L${left} ${height(slice.point)}H${right}`;
    })
    .join("")
    .slice(1)}`;

/** Returns four or five round numbers for the axis, from 0 to at least the highest value. */
function valueTicks(highest: number): number[] {
  const raw = Math.max(highest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw)!);
  return Array.from({ length: Math.ceil(Math.max(highest, 1) / step) + 1 }, (_, at) => at * step);
}

/** Returns the text anchor for a label at a position from 0 (left) to 1 (right). Labels near an edge stay inside the chart. */
function anchorAt(share: number): "start" | "middle" | "end" {
  if (share < 0.05) return "start";
  return share > 0.95 ? "end" : "middle";
}

/** Returns the labels with times below the chart. On a narrow screen, a second set with fewer labels replaces these labels. */
function timeLabels(from: number, to: number, x: (time: number) => number): Markup {
  const label =
    (className: string) =>
    ({ time, text }: Tick) => {
      const at = x(time) / WIDTH;
      const anchor = anchorAt(at);
      return html`<text class="${className}" x="${percent(x(time))}" y="${ABOVE + HEIGHT + 26}" text-anchor="${anchor}">${text}</text>\n`;
    };
  if (from === to) return label("")({ time: from, text: timeText(from) });
  return html`${timeTicks(from, to, 8).map(label("wide"))}${timeTicks(from, to, 4).map(label("narrow"))}`;
}

/** A row of a bar chart. */
export interface Bar {
  readonly label: Content;
  /** The parts of the bar from left to right, each with the CSS class of its colour. */
  readonly parts: readonly (readonly [className: string, count: number])[];
  /** The text next to the bar of this row. */
  readonly text: string;
}

interface BarChart {
  readonly caption: string;
  /** The headings of the two columns of the chart: one for the labels, one for the numbers. */
  readonly heads: readonly [string, string];
  readonly bars: readonly Bar[];
  /** Whether labels may be long, such as paths of projects. */
  readonly isLong?: boolean;
}

/** Returns a bar chart in the form of a table: the numbers are next to the bars, and the table fits any width. */
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
    const rect = html`<rect class="${className}" x="${inPercent(x)}" width="${inPercent(width)}" height="100%"/>`;
    x += width;
    return count > 0 && rect;
  });
  return html`<svg width="100%" height="14" aria-hidden="true">${rects}</svg>`;
}

const inPercent = (value: number): string => `${Math.round(value * 100) / 100}%`;
