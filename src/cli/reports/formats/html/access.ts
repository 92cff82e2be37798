import { counted } from "../../../../text";
import type { Report } from "../../../document/model";
import { type Content, html, joined, type Markup, tag } from "../../../html";
import { accessHeadline } from "../../../views/access";
import { type AccessCard, type AccessRow, accessCards } from "../../../views/access-table";
import { type Entries, MAX_SOURCES, sourceName } from "../entries";
import { isWhole } from "../summary";
import { strictnessTag } from "./rows";

/** The styles of the tables. */
export const ACCESS_STYLE = `
.card.access{padding:0;overflow:clip}
.card.access h3{margin:0;padding:.6rem 1rem;font-size:14px;display:flex;flex-wrap:wrap;gap:.15rem .6rem;align-items:baseline}
.card.access>p,.card.access>details{margin:.5rem 1rem .6rem}
.card.access.loosens{border-left:3px solid var(--red)}
.access table{border-top:1px solid var(--line)}
.access td,.access th{padding:.3rem .5rem;font-size:13px;font-weight:400;white-space:normal}
.access td:first-child{width:7.5rem;padding-left:1rem}
.access th{width:38%}
.access td:last-child{padding-right:1rem;font-weight:600}
.access td .tag{min-width:5.8rem;text-align:center;white-space:nowrap;max-width:none}
.card.access h3 .muted{margin:0}
.access .gain{color:var(--green)}.access .loss{color:var(--red)}
@media(max-width:40rem){.access td:first-child{width:1%;padding-right:0}.access th{width:36%}.access td .tag{min-width:0}}
`;

/** Who gains and who loses access: it is what a reviewer approves. */
export const accessSection = (report: Report, entries: Entries): Content =>
  report.access &&
  html`<p>${accessHeadline(report.access, isWhole(report))}</p>
${accessCards(report.access).map((card) => accessCard(card, entries))}`;

const KINDS: Readonly<Record<AccessRow["kind"], readonly [kind: string, sign: string, value?: string]>> = {
  gains: ["create", "+", "gain"],
  loses: ["delete", "−", "loss"],
  loosens: ["error", "!"],
  tightens: ["ok", "✓"],
  changes: ["update", "~"],
};

function accessCard(card: AccessCard, entries: Entries): Markup {
  const { place, heading, names, rows, direction } = card;
  const isLooser = direction === "looser" || direction === "mixed";
  const title =
    names.length > 0
      ? [heading]
      : place.map(([kind, name]) => html`<span class="muted">${kind}</span> ${name} `);
  return html`<div class="card access${isLooser && " loosens"}">
${title.length > 0 && html`<h3><span>${title}</span>${strictnessTag(direction)}</h3>\n`}${
  rows.length > 0 &&
  html`<table><tbody>${rows.map(accessRow)}
</tbody></table>\n`
}${notCounted(card)}${sourcesOf(card, entries)}${
  names.length > 0 &&
  html`<details class="list"><summary>${counted(names.length, "place")}</summary><p>${names.join(", ")}</p></details>\n`
}</div>
`;
}

function accessRow({ kind, what, values }: AccessRow): Markup {
  const [tagKind, sign, value] = KINDS[kind];
  return html`
<tr><td>${tag(tagKind, `${sign} ${kind}`)}</td><th scope="row">${what}</th><td${value !== undefined && html` class="${value}"`}>${values.join(", ")}</td></tr>`;
}

const notCounted = ({ notCounted: all }: AccessCard): Content =>
  all.map(
    ({ what, why }) =>
      html`<p>${tag("warning", "! not counted")} ${what} <span class="muted">(${why})</span></p>\n`,
  );

/** Links to the entries of the objects that an access change comes from. */
function sourcesOf({ entries: access }: AccessCard, entries: Entries): Content {
  const found = entries.sourcesOf(access);
  if (found.length === 0) return undefined;
  const links = found
    .slice(0, MAX_SOURCES)
    .map((source) => html`<a class="mono" href="#${source.id}">${sourceName(source)}</a>`);
  const more = found.length - links.length;
  return html`<p class="muted">by ${joined(links, ", ")}${more > 0 && ` and ${more} more`}</p>
`;
}
