import { oneLine } from "../../../text";
import { type Content, html, link, type Markup, page } from "../../html";
import { type History, openAt } from "../history";
import { classify, timeToRepair } from "../statistics";
import { barChart } from "./bars";
import { legend, overTimeChart, overTimeTable } from "./chart";
import { endedDrifts, openDrifts } from "./drift-rows";
import { HISTORY_STYLE } from "./style";
import { durationText, timeText } from "./time-text";

/** The history as one self-contained page. It has no time but those of reports: the same reports give the same bytes. */
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

function facts({ from, to, points, applies, copies }: History): Markup {
  const failed = points.filter(({ hasFailed }) => hasFailed).length;
  const entries: readonly (readonly [string, string] | undefined)[] = [
    ["From", `${timeText(from)} UTC`],
    ["To", `${timeText(to)} UTC`],
    ["Drift runs", `${points.length}${failed > 0 ? `, ${failed} with errors` : ""}`],
    applies > 0 ? ["Applies", String(applies)] : undefined,
    copies > 0 ? ["Copies left out", String(copies)] : undefined,
  ];
  return html`<dl class="facts">${entries.map((entry) => entry && html`<div><dt>${entry[0]}</dt><dd>${entry[1]}</dd></div>`)}</dl>
`;
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
/** A longer list is folded. */
const MAX_OPEN = 5;

function filesNotUsed({ skipped }: History): Content {
  if (skipped.length === 0) return undefined;
  const count = skipped.length === 1 ? "1 file is not used" : `${skipped.length} files are not used`;
  const files = skipped.slice(0, MAX_FILES);
  return html`<details class="card"${skipped.length <= MAX_OPEN && " open"}><summary><span class="tag warning">! ${count}</span> Runs whose reports are damaged are missing here.</summary>
<ul>${files.map(({ file, reason }) => html`<li><code>${oneLine(file)}</code>: ${oneLine(reason)}</li>\n`)}</ul>
${skipped.length > files.length && html`<p class="muted">And ${skipped.length - files.length} more.</p>\n`}</details>
`;
}

const howCounted = (): Markup => html`<section><h2>How this is counted</h2>
<ul class="muted">
<li>A drift is one attribute that differs, an object that vanished, or an object that is not declared. It is the same drift in all runs that find it, also if the live value changes or the object is renamed.</li>
<li>A drift is open from the first run that finds it. “≥” marks a drift that the first check of its object found: it may be older.</li>
<li>It is repaired at the first later run that checks the object and finds no difference. A run that failed, left the object out or could not read it repairs nothing.</li>
<li>Times are those of runs: a repair may be older by the time between two runs.</li>
</ul></section>
`;
