import type { Report, ReportAccess } from "../../../document/model";
import { type Content, html, type Markup } from "../../../html";
import { phraseOf } from "../../../views/access-lines";
import { tag } from "./labels";

/** Who gains and who loses access, by project or group: it is what a reviewer approves. */
export function accessSection({ access }: Report): Content {
  if (access === undefined) return undefined;
  const places = new Map<string, ReportAccess[]>();
  for (const one of access) {
    const place = one.project ?? one.group ?? "";
    const known = places.get(place);
    if (known === undefined) places.set(place, [one]);
    else known.push(one);
  }
  return html`<section id="access"><h2>Access</h2>
${access.length === 0 && html`<p>Nobody gains or loses access.</p>\n`}<div class="places-grid">
${[...places].map(([place, entries]) => placeCard(place, entries))}</div></section>
`;
}

const placeCard = (place: string, entries: readonly ReportAccess[]): Markup => html`<div class="card access">
<h3>${place === "" ? "Not assigned to a project or group" : place}</h3>
${entries.map(accessEntry)}</div>
`;

function accessEntry(entry: ReportAccess): Markup {
  const { gains, loses, notes = [], rules, not_counted: notCounted } = entry;
  const noted = (name: string) =>
    [name, ...notes.filter((one) => one.name === name).map(({ note }) => note)].join(" ");
  const abilities = [...new Set([...Object.keys(gains), ...Object.keys(loses)])];
  const lines = abilities.flatMap((name) => [
    ...names("gain", "+", phraseOf(name), gains[name]?.map(noted)),
    ...names("lose", "−", phraseOf(name), loses[name]?.map(noted)),
  ]);
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

const KNOWN = new Set([
  "stack",
  "project",
  "group",
  "gains",
  "loses",
  "notes",
  "rules",
  "not_counted",
  "text",
]);

/** The provider's kind and name of the place within the project or group, such as an environment. */
function targetOf(entry: ReportAccess): { readonly kind: string; readonly name: string } | undefined {
  const found = Object.entries(entry).find(([key, value]) => !KNOWN.has(key) && typeof value === "string");
  return found === undefined ? undefined : { kind: found[0].replaceAll("_", " "), name: String(found[1]) };
}
