import { defined } from "../../../../json";
import { counted } from "../../../../text";
import type { Row } from "../../../difference";
import { accessHeadline } from "../../../document/access-entry";
import { isChangedOutside } from "../../../document/describe";
import { type Equal, lineOf, rowsIn } from "../../../document/equal";
import type { Report, ReportObject } from "../../../document/model";
import { type AccessCard, type AccessRow, accessCards } from "../../../views/access";
import {
  ACTIONS,
  type Causes,
  decidingValues,
  type Entries,
  type Entry,
  factsOf,
  type Label,
  MAX_SOURCES,
  rowsOfEntry,
  STATUSES,
  sourceName,
  titleOf,
  titleOfMany,
} from "../entries";
import { hasPolicyViolation, isListed, isWhole } from "../summary";
import type { GraphObject } from "./graph";
import { type Content, factList, html, joined, link, type Markup, row, tag } from "./markup";
import { problemReference } from "./parts";

const UNKNOWN: Label = { kind: "unknown", sign: "!", word: "not planned" };
const UNCHECKED: Label = { kind: "unknown", sign: "!", word: "not checked" };

/** Returns the label for the action on an object, or for the finding of a drift report. */
function labelOf({ action, status, unchecked }: ReportObject): Label {
  if (action !== undefined) return ACTIONS[action];
  return STATUSES[status] ?? (unchecked === true ? UNCHECKED : UNKNOWN);
}

/** Returns the facts about an object for the graph. */
export const graphObject = (object: ReportObject, entries: Entries): GraphObject => ({
  address: object.address,
  label: labelOf(object),
  isChanged: isListed(object) && object.status !== "unmanaged",
  dependsOn: object.depends_on,
  id: entries.idOf(object),
});

/** The labels for the effect of a change or drift on access. */
const STRICTNESS = {
  looser: { kind: "error", word: "loosens" },
  mixed: { kind: "error", word: "loosens and tightens" },
  tighter: { kind: "ok", word: "tightens" },
};

/** Returns a badge with the effect of a change on access. */
function strictnessTag(direction: ReportObject["strictness"]): Content {
  const risk = direction && STRICTNESS[direction];
  return risk && html` ${tag(risk.kind, risk.word)}`;
}

/** Returns an address as markup. Browsers can break the line between the parts of this address. */
const breakable = (address: string): Content =>
  joined(
    address.split(/(?<=[_.\-/])/).map((part) => html`${part}`),
    html`<wbr>`,
  );

const OUTCOMES = { failed: "error", "violates a policy": "error", "not started": "warning", done: "ok" };

/** Returns the outcome of a change: failed, not started or done. Returns undefined before an apply. */
function outcomeOf(object: ReportObject): keyof typeof OUTCOMES | undefined {
  const { status } = object;
  if (status === "failed") return hasPolicyViolation(object) ? "violates a policy" : "failed";
  if (status === "not_done") return "not started";
  return status === "done" ? "done" : undefined;
}

const CLASSES: Readonly<Record<Row["tone"], string | undefined>> = {
  "+": "a",
  "-": "d",
  "~": "u",
  "#": "c",
  " ": undefined,
};

/** Renders a difference in the format of a plan. Each line has a mark, and a colour for the kind of the line. */
export function diffBlock(rows: readonly Row[], isDrift = false): Markup | undefined {
  if (rows.length === 0) return undefined;
  const lines = rows.map((row) => {
    // Drift has no green lines, because green would present a manual addition as something good.
    const kind = isDrift && row.tone === "+" ? CLASSES["~"] : CLASSES[row.tone];
    return kind === undefined
      ? html`<span>${lineOf(row)}</span>\n`
      : html`<span class="${kind}">${lineOf(row)}</span>\n`;
  });
  return html`<pre class="diff">${lines}</pre>\n`;
}

/** The properties by which readers can filter the rows. */
export const FACETS = [
  { name: "stack", label: "Stack" },
  { name: "project", label: "Project or group" },
  { name: "type", label: "Type" },
  { name: "action", label: "Action" },
  { name: "outcome", label: "Outcome" },
  { name: "outside", label: "Changed outside" },
  { name: "risk", label: "Access" },
] as const;

/** Renders an entry as a collapsible row. */
export function entryRow({ id, objects, stacks }: Entry, causes: Causes, isOpen: boolean): Markup {
  const [first] = objects;
  const isOne = objects.length === 1;
  const label = labelOf(first);
  const outcome = outcomeOf(first);
  const changedOutside = isChangedOutside(first) ? "changed outside" : undefined;
  const outside = first.deleted_outside ? "deleted outside" : changedOutside;
  const risk = first.strictness && STRICTNESS[first.strictness];
  const facets = {
    stack: stacks,
    project: [...new Set(objects.flatMap(({ project, group }) => project ?? group ?? []))],
    type: first.type,
    action: label.word,
    ...defined({ outcome, outside, risk: risk?.word }),
  };
  const tags = [
    // For these labels ("not planned", "not checked"), the row shows no outcome, because the label already contains it.
    outcome !== undefined && label.kind !== "unknown" && html` ${tag(OUTCOMES[outcome], outcome)}`,
    first.repaired === true && html` ${tag("ok", "✓ repaired")}`,
    outside !== undefined && html` ${tag("warning", `! ${outside}`)}`,
    strictnessTag(first.strictness),
  ];
  const title = isOne ? titleOf(first) : titleOfMany(objects, stacks.length);
  const address = isOne ? first.address : first.type;
  const values = decidingValues(objects);
  return html`<details class="change" id="${id}" ${row(facets, objects.length)}${isOpen && OPEN}>
<summary>${tag(label.kind, `${label.sign} ${label.word}`)} <span class="name">${title}</span>${tags}${values.length > 0 && html` <span class="value">${values.join(", ")}</span>`}${title !== address && html` <span class="address">${breakable(address)}</span>`}</summary>
${facts(objects)}${diffBlock(rowsOfEntry(objects), first.status === "changed")}${!isOne && placesList(objects)}${first.diagnostics.map((one) => problemReference(one, causes))}</details>
`;
}

const OPEN = html` open`;

const facts = (objects: Equal<ReportObject>): Content =>
  factList(
    Object.fromEntries(
      factsOf(objects).map(({ name, text, url, isSentence }) => {
        const linked = url === undefined ? html`<code>${text}</code>` : link(url, text);
        return [name, isSentence ? text : linked];
      }),
    ),
  );

/**
 * The maximum number of objects in an entry whose list of objects is open. Entries that loosen access are open from the start,
 * and a longer list would make them very long.
 */
const MAX_PLACES = 10;

function placesList(objects: Equal<ReportObject>): Markup {
  const list = html`<ul class="places">${objects.map(
    ({ project, group, url, name, address }) => html`
<li>${link(url, project ?? group)}${name !== undefined && ` ${name}`} <code>${address}</code></li>`,
  )}
</ul>
`;
  if (objects.length <= MAX_PLACES) return list;
  return html`<details class="list"><summary>${counted(objects.length, "object")}</summary>${list}</details>\n`;
}

/** Returns the number of lines of an open entry. */
export const linesOf = ({ objects }: Entry): number => rowsIn(objects[0]).length + 1;

/** Renders the section about access. This section comes before all other changes, because reviewers approve access first. */
export const accessSection = (report: Report, entries: Entries): Content =>
  report.access &&
  html`<p>${accessHeadline(report.access, isWhole(report))}</p>
${accessCards(report.access).map((card) => accessCard(card, entries))}`;

const ACCESS_KINDS: Readonly<
  Record<AccessRow["kind"], readonly [kind: string, sign: string, value?: string]>
> = {
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
  const [tagKind, sign, value] = ACCESS_KINDS[kind];
  return html`
<tr><td>${tag(tagKind, `${sign} ${kind}`)}</td><th scope="row">${what}</th><td${value !== undefined && html` class="${value}"`}>${values.join(", ")}</td></tr>`;
}

const notCounted = ({ notCounted: all }: AccessCard): Content =>
  all.map(
    ({ what, why }) =>
      html`<p>${tag("warning", "! not counted")} ${what} <span class="muted">(${why})</span></p>\n`,
  );

/** Returns links to the entries of the objects that cause an access change. */
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
