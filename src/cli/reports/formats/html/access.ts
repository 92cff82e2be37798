import { counted } from "../../../../text";
import { accessHeadline } from "../../../document/access-entry";
import type { Report } from "../../../document/model";
import { type AccessCard, type AccessRow, accessCards } from "../../../views/access";
import { type Entries, MAX_SOURCES, sourceName } from "../entries";
import { isWhole } from "../summary";
import { type Content, html, joined, type Markup, tag } from "./markup";
import { strictnessTag } from "./rows";

/** Writes the access changes first, because reviewers approve them first. */
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

/** Links to the entries of the objects that cause an access change. */
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
