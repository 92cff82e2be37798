// The HTML page of `steward history`. `../load.ts` reads the reports, and `../history.ts` counts drifts.

import { counted, oneLine } from "../../../text";
import { type Content, factList, html, link, type Markup } from "../../reports/formats/html/markup";
import { page } from "../../reports/formats/html/page";
import { classify, type History, openAt, timeToRepair } from "../history";
import { barChart, legend, overTimeChart, overTimeTable } from "./chart";
import { endedDrifts, openDrifts } from "./drift-rows";
import { durationText, timeText } from "./time-text";

/**
 * The styles of the history page that other pages do not need. The colours of the chart's areas have a contrast of at least 3
 * to 1.
 */
export const HISTORY_STYLE = `
:root{--c-changed:#bf8700;--c-vanished:#cf222e;--c-undeclared:#8250df;--c-undescribed:#6e7781;--c-done:#2da44e}
@media(prefers-color-scheme:dark){:root{--c-changed:#d29922;--c-vanished:#f85149;--c-undeclared:#a371f7;--c-undescribed:#8b949e;--c-done:#3fb950}}
.changed{fill:var(--c-changed)}.vanished{fill:var(--c-vanished)}.undeclared{fill:var(--c-undeclared)}.undescribed{fill:var(--c-undescribed)}
.done{fill:var(--c-done)}.open{fill:var(--c-changed)}
.chart{display:block;overflow:visible}.chart path{fill-opacity:.85}
.chart text{fill:var(--muted);paint-order:stroke;stroke:var(--bg);stroke-width:3px;stroke-linejoin:round;font-size:12px;font-variant-numeric:tabular-nums}
.chart .grid{stroke:var(--line)}
.chart .total{fill:none;stroke:var(--text);stroke-width:1.5;vector-effect:non-scaling-stroke}
.chart .hover{fill:transparent}.chart .hover:hover{fill:var(--text);fill-opacity:.12}
.failed path{fill:var(--red)}
.chart .run{fill:var(--text);stroke:var(--bg)}
.chart .narrow{display:none}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:13px;color:var(--muted)}
.legend svg{vertical-align:-1px}
.bars th,.bars td{border:0;padding:.2rem 0}
.bars th{font-weight:400;width:1%;white-space:nowrap;padding-right:1rem}
.bars .bar{width:auto}.bars .bar svg{display:block;margin-top:.2rem;border-radius:3px}
.bars .number{width:1%;padding-left:1rem;color:var(--muted);font-size:13px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 3rem}
.drift td,.drift th{font-size:13px}
.drift .what{font-weight:400;white-space:normal}.drift .what code{display:block}
.drift .nowrap{white-space:nowrap}.drift .what{min-width:12rem}.drift .label{display:none}
@media(max-width:40rem){
.pair{display:block}
.chart .wide{display:none}.chart .narrow{display:inline}
.bars.long th{white-space:normal;width:45%}
.drift thead{display:block;position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.drift,.drift tbody,.drift tr,.drift td,.drift th{display:block;width:auto}
.drift tr{border-bottom:1px solid var(--line);padding:.6rem 0}
.drift td,.drift th{border:0;padding:.1rem 0}.drift td.number{text-align:left}.drift .label{display:inline;color:var(--muted)}}
@media print{.chart .hover{display:none}}
`;

/**
 * Returns the history as one self-contained page. All times on the page come from the reports, so the same reports always give
 * the same bytes.
 */
export const historyPage = (history: History): string =>
  page({
    title: "Drift history",
    header: html`<h1>Drift history</h1>
${facts(history)}${tiles(history)}`,
    content: html`${filesNotUsed(history)}<section id="open"><h2>Open drifts</h2>
${openDrifts(history)}</section>
<section><h2>Drift over time</h2>
${legend(history)}${overTimeChart(history)}${overTimeTable(history)}</section>
<section><h2>Projects that drift most</h2>
${containers(history)}</section>
<div class="pair"><section><h2>Age of open drifts</h2>
${ages(history)}</section>
<section><h2>Time to repair</h2>
${repairTimes(history)}</section></div>
<section><h2>Ended drifts</h2>
${endedDrifts(history)}</section>
${howCounted()}`,
    skipTo: { id: "open", label: "Skip to the open drifts" },
    style: HISTORY_STYLE,
  });

function facts({ from, to, points, copies }: History): Content {
  const failed = points.filter(({ hasFailed }) => hasFailed).length;
  return factList({
    From: `${timeText(from)} UTC`,
    To: `${timeText(to)} UTC`,
    "Drift runs": `${points.length}${failed > 0 ? `, ${failed} with errors` : ""}`,
    "Copies left out": copies > 0 && copies,
  });
}

function tiles({ drifts, points, repairs }: History): Markup {
  const open = openAt(points.at(-1)!);
  const entries: readonly (readonly [label: string, value: Content, className?: string])[] = [
    ["open now", open, open > 0 ? "warning" : "create"],
    ["found in total", drifts.length],
    ["repaired", repairs?.count ?? 0],
    ["median time to repair", repairs === undefined ? "–" : durationText(repairs.median)],
    ["90 % repaired within", repairs === undefined ? "–" : durationText(repairs.p90)],
  ];
  return html`<dl class="tiles">${entries.map(
    ([label, value, className]) =>
      html`<div><dt>${label}</dt><dd class="${className ?? ""}">${value}</dd></div>`,
  )}</dl>
`;
}

const MAX_BARS = 15;

function containers({ containers: all }: History): Content {
  if (all.length === 0) return html`<p>Nothing has drifted.</p>\n`;
  const bars = all.slice(0, MAX_BARS).map(({ name, url, total, open }) => ({
    label: name === "" ? "(no project)" : link(url, oneLine(name)),
    parts: [
      ["done", total - open],
      ["open", open],
    ] as const,
    text: open > 0 ? `${total} (${open} open)` : String(total),
  }));
  return html`<p class="legend"><span><svg width="12" height="12" aria-hidden="true"><rect class="done" width="12" height="12"/></svg> ended</span> <span><svg width="12" height="12" aria-hidden="true"><rect class="open" width="12" height="12"/></svg> open</span></p>
${barChart({ caption: "Drifts found by project", heads: ["Project or group", "Drifts"], bars, isLong: true })}${all.length > MAX_BARS && html`<p class="muted">${all.length - MAX_BARS} more projects with fewer drifts.</p>\n`}`;
}

function ages({ open, to }: History): Content {
  if (open.length === 0) return html`<p>No drift is open.</p>\n`;
  const classes = classify(open.map(({ openedAt }) => to - openedAt));
  return html`${histogram("Open drifts by age", ["Age", "Drifts"], classes, "open")}<p class="muted">Counted to the last run, ${timeText(to)} UTC.</p>
`;
}

function repairTimes({ drifts, repairs }: History): Content {
  if (repairs === undefined) return html`<p>No drift was repaired.</p>\n`;
  const classes = classify(drifts.flatMap(timeToRepair));
  return html`${histogram("Repaired drifts by the time to repair", ["Time to repair", "Drifts"], classes, "done")}<p class="muted">Median ${durationText(repairs.median)}; nine of ten within ${durationText(repairs.p90)}.</p>
`;
}

const histogram = (
  caption: string,
  heads: readonly [string, string],
  classes: ReturnType<typeof classify>,
  className: string,
): Markup =>
  barChart({
    caption,
    heads,
    bars: classes.map(({ name, count }) => ({
      label: name,
      parts: [[className, count]],
      text: String(count),
    })),
  });

const MAX_FILES = 100;
/** The page shows a list unfolded if the list has at most this number of items. */
const MAX_OPEN = 5;

function filesNotUsed({ skipped }: History): Content {
  if (skipped.length === 0) return undefined;
  const count = counted(skipped.length, "file is not used", "files are not used");
  const files = skipped.slice(0, MAX_FILES);
  return html`<details class="card"${skipped.length <= MAX_OPEN && " open"}><summary><span class="tag warning">! ${count}</span> Runs whose reports are damaged are missing here.</summary>
<ul>${files.map(({ file, reason }) => html`<li><code>${oneLine(file)}</code>: ${oneLine(reason)}</li>\n`)}</ul>
${skipped.length > files.length && html`<p class="muted">And ${skipped.length - files.length} more.</p>\n`}</details>
`;
}

const howCounted = (): Markup => html`<section><h2>How this is counted</h2>
<ul class="muted">
<li>A drift is one attribute that differs, an object that vanished, or an object that is not declared. It is the same drift in all runs that find it, also if the live value changes.</li>
<li>A drift is open from the first run that finds it. “≥” marks a drift that the first check of its object found: it may be older.</li>
<li>It is repaired at the first later run that checks the object and finds no difference. A run that failed, left the object out or could not read it repairs nothing.</li>
<li>Times are times of runs: a repair may be older by the time between two runs.</li>
</ul></section>
`;
