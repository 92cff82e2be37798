import { groupBy } from "../../../../engine";
import { noteOf, phraseOf, targetOf } from "../../../document/access-text";
import type { Equal } from "../../../document/equal";
import type { Report, ReportAccess } from "../../../document/model";
import { type Content, html, joined, type Markup, tag } from "../../../html";
import { accessSentence, accessTotals, equalAccess, groupEqualAccess } from "../../../views/access";
import { type Entries, MAX_SOURCES, sourceName } from "../entries";
import { isWhole } from "../summary";

/** Who gains and who loses access, by project or group: it is what a reviewer approves. */
export function accessSection(report: Report, entries: Entries): Content {
  const { access } = report;
  if (access === undefined) return undefined;
  const sources = sourcesIn(entries);
  const groups = groupEqualAccess(access);
  const equal = groups.filter(({ length }) => length > 1);
  const places = groupBy(
    groups.flatMap((group) => (group.length > 1 ? [] : [group[0]])),
    ({ project, group }) => project ?? group ?? "",
  );
  return html`<section id="access"><h2>Access</h2>
<p>${access.length === 0 && isWhole(report) ? "Nobody gains or loses access." : accessSentence(accessTotals(access), isWhole(report))}</p>
<div class="places-grid">
${equal.map((group) => equalCard(group, sources))}${[...places].map(([place, of]) => placeCard(place, of, sources))}</div></section>
`;
}

/** The same change in many places, once, and where. */
function equalCard(entries: Equal<ReportAccess>, sources: Sources): Markup {
  const { text, names } = equalAccess(entries);
  // The heading names the place.
  const { gains, loses, notes, rules, not_counted } = entries[0];
  const first = { gains, loses, ...(notes && { notes }), rules, not_counted, text: "" };
  return html`<div class="card access">
<h3>${text}</h3>
${accessEntry(first)}${sources(entries)}<details class="list"><summary>${entries.length} places</summary><p>${names.join(", ")}</p></details>
</div>
`;
}

const placeCard = (
  place: string,
  entries: readonly ReportAccess[],
  sources: Sources,
): Markup => html`<div class="card access">
<h3>${place === "" ? "Not assigned to a project or group" : place}</h3>
${entries.map((entry) => [accessEntry(entry), sources([entry])])}</div>
`;

function accessEntry(entry: ReportAccess): Markup {
  const { gains, loses, rules, not_counted: notCounted } = entry;
  const abilities = [...new Set([...Object.keys(gains), ...Object.keys(loses)])];
  const lines = abilities.flatMap((ability) => {
    const noted = (name: string) => [name, noteOf(entry, ability, name) ?? ""].join(" ").trimEnd();
    return [
      ...names("gain", "+", phraseOf(ability), gains[ability]?.map(noted)),
      ...names("lose", "−", phraseOf(ability), loses[ability]?.map(noted)),
    ];
  });
  const changed = rules.map(
    ({ name, before, after }) =>
      html`<li>${tag("update", `~ ${name}`)} ${String(before)} → <strong>${String(after)}</strong></li>\n`,
  );
  const uncounted = notCounted.map(
    ({ what, why }) =>
      html`<li>${tag("warning", "! not counted")} ${what} <span class="muted">(${why})</span></li>\n`,
  );
  const target = targetOf(entry);
  return html`${target !== undefined && html`<p class="target">${target.kind} <strong>${target.name}</strong></p>\n`}<ul class="gains">
${lines}${changed}${uncounted}</ul>
`;
}

const names = (kind: string, sign: string, phrase: string, people: readonly string[] = []): Markup[] =>
  people.length === 0 ? [] : [html`<li>${tag(kind, `${sign} ${phrase}`)} ${people.join(", ")}</li>\n`];

type Sources = (access: readonly ReportAccess[]) => Content;

/** Links from access changes to the entries of the objects that they come from. */
const sourcesIn =
  (entries: Entries): Sources =>
  (access) => {
    const found = entries.sourcesOf(access);
    if (found.length === 0) return undefined;
    const links = found
      .slice(0, MAX_SOURCES)
      .map((source) => html`<a class="mono" href="#${source.id}">${sourceName(source)}</a>`);
    const more = found.length - links.length;
    return html`<p class="muted">by ${joined(links, ", ")}${more > 0 && ` and ${more} more`}</p>
`;
  };
