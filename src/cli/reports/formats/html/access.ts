import { counted } from "../../../../text";
import type { Report } from "../../../document/model";
import { type Content, html, joined, type Markup, tag } from "../../../html";
import { type AccessItem, accessHeadline, accessItems } from "../../../views/access";
import { type Entries, MAX_SOURCES, sourceName } from "../entries";
import { isWhole } from "../summary";

/** Who gains and who loses access: it is what a reviewer approves. */
export const accessSection = (report: Report, entries: Entries): Content =>
  report.access &&
  html`<p>${accessHeadline(report.access, isWhole(report))}</p>
${accessItems(report.access).map((item) => accessCard(item, entries))}`;

const accessCard = (item: AccessItem, entries: Entries): Markup => html`<div class="card">
<p>${item.place.map(([kind, name]) => html`${kind} <strong>${name}</strong> `)}${item.text}</p>
${item.notCounted.map(({ what, why }) => html`<p>${tag("warning", "! not counted")} ${what} <span class="muted">(${why})</span></p>\n`)}${sourcesOf(item, entries)}${
  item.names.length > 0 &&
  html`<details class="list"><summary>${counted(item.names.length, "place")}</summary><p>${item.names.join(", ")}</p></details>\n`
}</div>
`;

/** Links to the entries of the objects that an access change comes from. */
function sourcesOf({ entries: access }: AccessItem, entries: Entries): Content {
  const found = entries.sourcesOf(access);
  if (found.length === 0) return undefined;
  const links = found
    .slice(0, MAX_SOURCES)
    .map((source) => html`<a class="mono" href="#${source.id}">${sourceName(source)}</a>`);
  const more = found.length - links.length;
  return html`<p class="muted">by ${joined(links, ", ")}${more > 0 && ` and ${more} more`}</p>
`;
}
