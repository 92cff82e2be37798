import { oneLine } from "../../../text";
import { type Row, rowsOf } from "../../difference";
import { type Content, html, link, type Markup, row, searchable } from "../../reports/formats/html/markup";
import { diffBlock } from "../../reports/formats/html/rows";
import type { History } from "../history";
import type { Drift, Ending } from "../trace";
import { durationText, timeText } from "./time-text";

/** The maximum number of drifts that a list on the page shows. The numbers and charts count all drifts. */
const MAX_ROWS = 1000;

/** Returns the list of open drifts, the oldest first. */
export function openDrifts({ open, to, pages }: History): Markup {
  if (open.length === 0) return html`<p>No drift is open.</p>\n`;
  const rows = open.slice(0, MAX_ROWS).map(
    (drift) => html`<tr ${facetsOf(drift)}>
${whatCells(drift)}
<td class="nowrap"><span class="label">since</span> ${runAt(drift.openedAt, pages)}${drift.canBeOlder && earlier("or earlier")}${drift.seenAt < to && html`<div class="muted">last found ${runAt(drift.seenAt, pages)}</div>`}</td>
<td class="nowrap number"><span class="label">age</span> ${drift.canBeOlder && "≥ "}${durationText(to - drift.openedAt)}</td></tr>
`,
  );
  return table("open", ["Since (UTC)", "Age"], rows, open.length);
}

/** Returns the list of drifts that ended, the newest end first. */
export function endedDrifts({ ended, pages }: History): Markup {
  if (ended.length === 0) return html`<p>No drift has ended.</p>\n`;
  const rows = ended.slice(0, MAX_ROWS).map((drift) => {
    const { at, how } = drift.ended!;
    return html`<tr ${facetsOf(drift, how)}>
${whatCells(drift)}
<td class="nowrap"><span class="tag${how === "repaired" && " ok"}">${ENDINGS[how]}</span><div>${runAt(at, pages)}</div></td>
<td class="nowrap number"><span class="label">open for</span> ${drift.canBeOlder && "≥ "}${durationText(at - drift.openedAt)}</td></tr>
`;
  });
  return table("ended", ["Ended (UTC)", "Open for"], rows, ended.length);
}

/** Returns the time of a run, with a link to the page of its job or pipeline. */
export const runAt = (time: number, pages: History["pages"]): Markup => link(pages.get(time), timeText(time));

function table(
  which: "open" | "ended",
  [when, duration]: readonly [string, string],
  rows: readonly Markup[],
  count: number,
): Markup {
  const facets = [
    { name: "project", label: "Project" },
    { name: "type", label: "Type" },
    { name: "kind", label: "Kind" },
    ...(which === "ended" ? [{ name: "ending", label: "Ending" }] : []),
  ];
  const contents = html`<table class="drift"><caption class="unseen">${which === "open" ? "Open" : "Ended"} drifts</caption>
<thead><tr><th scope="col">Drift</th><th scope="col">Applied → live</th><th scope="col">${when}</th><th scope="col" class="number">${duration}</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
  return html`${count > rows.length && html`<p class="muted">The first ${rows.length} of ${count}; totals and plots count all.</p>\n`}${searchable({ id: `${which}-drifts`, noun: `${which} drifts`, facets, rows: contents })}`;
}

const facetsOf = ({ difference: { object, kind } }: Drift, how?: Ending): Markup => {
  const place = object.place.project ?? object.place.group;
  return row({
    ...(place !== undefined && { project: oneLine(place) }),
    type: oneLine(object.type),
    kind: KINDS[kind],
    ...(how !== undefined && { ending: ENDINGS[how] }),
  });
};

const KINDS = { changed: "changed", vanished: "vanished", undeclared: "unmanaged" };

const ENDINGS: Readonly<Record<Ending, string>> = {
  repaired: "repaired",
  ignored: "ignored",
  vanished: "object vanished",
  undeclared: "no longer declared",
};

/** Returns the table cells that show the drifted setting, and its values before and after the drift. */
function whatCells({ difference }: Drift): Markup {
  const { object, kind, attribute, fields } = difference;
  const { project, group, url } = object.place;
  const place = project ?? group;
  const stack = object.stack ? html` <span class="muted">stack ${oneLine(object.stack)}</span>` : undefined;
  return html`<th scope="row" class="what">${place !== undefined && link(url, oneLine(place))}${stack}<code>${oneLine(object.address)}${attribute !== undefined && `.${oneLine(attribute)}`}</code></th>
<td>${kind !== "changed" && html`<span class="tag ${kind === "vanished" ? "error" : "replace"}">${KINDS[kind]}</span>`}${differenceText(rowsOf(fields))}</td>`;
}

const [MAX_LINES, MAX_LENGTH] = [20, 200];

/** Returns the first lines of a difference, and the number of omitted lines, because a list may have thousands of entries. */
function differenceText(rows: readonly Row[]): Content {
  const short = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text);
  const shown = rows.slice(0, MAX_LINES).map((one) => ({ ...one, text: short(oneLine(one.text)) }));
  const more = rows.length - shown.length;
  return html`${diffBlock(shown, true)}${more > 0 && html`<div class="muted">and ${more} more lines</div>`}`;
}

const earlier = (text: string): Markup => html` <span class="muted">${text}</span>`;
