import type { Row } from "../../../difference";
import { lineOf, rowsIn } from "../../../document/describe";
import { attributesOf, type Equal, placesOf, reasonText } from "../../../document/equal";
import type { ReportObject } from "../../../document/model";
import { type Content, factList, html, joined, link, type Markup, row, tag } from "../../../html";
import { ACTIONS, type Causes, type Entry, type Label, STATUSES } from "../entries";
import { hasPolicyViolation, isChangedOutside } from "../summary";
import { problemReference } from "./problems";

const UNKNOWN: Label = { kind: "unknown", sign: "!", word: "not planned" };
const UNCHECKED: Label = { kind: "unknown", sign: "!", word: "not checked" };

/** What happens to an object, or what a drift report found of it. */
export function labelOf({ action, status, unchecked }: ReportObject): Label {
  if (action !== undefined) return ACTIONS[action];
  return STATUSES[status] ?? (unchecked === true ? UNCHECKED : UNKNOWN);
}

/** What a change or drift means for access. */
const STRICTNESS = {
  looser: { kind: "error", word: "loosens" },
  mixed: { kind: "error", word: "loosens and tightens" },
  tighter: { kind: "ok", word: "tightens" },
};

const OUTCOMES = { failed: "error", "violates a policy": "error", "not started": "warning", done: "ok" };

/** What became of a change in an apply, and whether it could be planned or checked. */
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

/** A difference in the format of a plan: each line with its mark, and coloured by what it belongs to. */
export function diffBlock(rows: readonly Row[], isDrift = false): Markup | undefined {
  if (rows.length === 0) return undefined;
  const lines = rows.map((row) => {
    // What was added by hand is not good for that.
    const kind = isDrift && (row.tone === "+" || row.tone === "-") ? CLASSES["~"] : CLASSES[row.tone];
    return kind === undefined
      ? html`<span>${lineOf(row)}</span>\n`
      : html`<span class="${kind}">${lineOf(row)}</span>\n`;
  });
  return html`<pre class="diff">${lines}</pre>\n`;
}

/** What rows can be filtered by. */
export const FACETS = [
  { name: "stack", label: "Stack" },
  { name: "project", label: "Project or group" },
  { name: "type", label: "Type" },
  { name: "action", label: "Action" },
  { name: "outcome", label: "Outcome" },
  { name: "outside", label: "Changed outside" },
  { name: "risk", label: "Access" },
] as const;

/** An object, or equal changes, as a collapsible row. */
export function entryRow({ id, objects, stacks }: Entry, causes: Causes, isOpen: boolean): Markup {
  const [first] = objects;
  const label = labelOf(first);
  const outcome = outcomeOf(first);
  const outside =
    first.deleted_outside === true
      ? "deleted outside"
      : isChangedOutside(first)
        ? "changed outside"
        : undefined;
  const risk = first.strictness && STRICTNESS[first.strictness];
  const places = [...new Set(objects.flatMap(({ project, group }) => project ?? group ?? []))];
  const values = {
    stack: stacks,
    project: places,
    type: first.type,
    action: label.word,
    ...(outcome !== undefined && { outcome }),
    ...(outside !== undefined && { outside }),
    ...(risk !== undefined && { risk: risk.word }),
  };
  const tags = [
    // "not planned" and "not checked" say it already.
    outcome !== undefined && label.kind !== "unknown" && html` ${tag(OUTCOMES[outcome], outcome)}`,
    first.repaired === true && html` ${tag("ok", "✓ repaired")}`,
    outside !== undefined && html` ${tag("warning", `! ${outside}`)}`,
    risk !== undefined && html` ${tag(risk.kind, risk.word)}`,
  ];
  const [name, where] =
    objects.length === 1
      ? [first.address, first.project ?? first.group]
      : [first.type, `${objects.length} × ${placesOf(objects, stacks.length).heading}`];
  return html`<details class="change" id="${id}" ${row(values, objects.length)}${isOpen && OPEN}>
<summary>${tag(label.kind, `${label.sign} ${label.word}`)} <span class="name">${name}</span>${tags}${where !== undefined && html` <span class="where">${where}</span>`}</summary>
${objects.length === 1 ? objectBody(first, causes) : equalBody(objects)}</details>
`;
}

const OPEN = html` open`;

function objectBody(object: ReportObject, causes: Causes): Content {
  const { project, group, url, id, construct, file, line, commands } = object;
  const facts = {
    project: project !== undefined && link(url, project),
    group: group !== undefined && link(url, group),
    id: id !== undefined && html`<code>${id}</code>`,
    construct: construct !== undefined && html`<code>${construct}</code>`,
    "declared in": file !== undefined && html`<code>${file}:${line}</code>`,
    "moved from": object.previous_address !== undefined && html`<code>${object.previous_address}</code>`,
    "left over from a replacement": object.deposed,
    "imported from": object.import_id !== undefined && html`<code>${object.import_id}</code>`,
    why: reasonText([object]),
    "not repaired": object.not_repaired,
    "live values not known": object.live_not_known,
    note: object.stays_on_service === true && "the settings stay on the service as they are",
  };
  return [
    factList(facts),
    diffBlock(rowsIn(object), object.status === "changed"),
    commands !== undefined &&
      html`<pre class="plain">${joined(
        [
          commands.import,
          commands.adopt,
          commands.repair && `# repair: restores what was applied\n${commands.repair}`,
          commands.accept && `# accept: writes the live value into the code\n${commands.accept}`,
          commands.ignore && `# ignore: an entry of the file of --ignore\n${commands.ignore}`,
        ].filter(isPresent),
        "\n",
      )}</pre>\n`,
    object.diagnostics.map((one) => problemReference(one, causes)),
  ];
}

const isPresent = (text: string | undefined): text is string => text !== undefined;

/** Equal changes: what changes, once, and where. */
function equalBody(objects: Equal<ReportObject>): Content {
  return [
    factList({ why: reasonText(objects) }),
    diffBlock(rowsIn({ ...objects[0], attributes: attributesOf(objects) }), objects[0].status === "changed"),
    html`<ul class="places">${objects.map(
      ({ project, group, url, name, address }) => html`
<li>${link(url, project ?? group)}${name !== undefined && ` ${name}`} <code>${address}</code></li>`,
    )}
</ul>
`,
  ];
}

/** The number of lines that an entry has when it is open. */
export const linesOf = ({ objects }: Entry): number => rowsIn(objects[0]).length + 1;
