import { groupAlike } from "../../../../diagnostics";
import type { ReportDiagnostic, ReportObject } from "../../../document/model";
import type { Cause, Causes, Entries } from "../entries";
import { type Content, html, type Markup, tag } from "./markup";

const idOf = ({ index }: Cause): string => `p${index + 1}`;

/** Renders a problem in the entry of an object: a link to the section that contains the text of the problem. */
export function problemReference(diagnostic: ReportDiagnostic, causes: Causes): Markup {
  const { severity, summary, attribute } = diagnostic;
  return html`<p class="problem">${tag(severity, severity)} <a href="#${idOf(causes.of(diagnostic))}">${summary}</a>${attribute !== undefined && html` (<code>${attribute}</code>)`}</p>
`;
}

/** Renders the section with the errors, warnings and policy violations of a report. Each cause occurs once. */
export function problemsSection(causes: Causes, entries: Entries, hasStacks: boolean): Content {
  return groupAlike(causes.all, ({ diagnostic }) => diagnostic).map((all) =>
    all.length === 1 ? causeCard(all[0]!, entries, hasStacks) : warningsCard(all, entries, hasStacks),
  );
}

function warningsCard(all: readonly Cause[], entries: Entries, hasStacks: boolean): Markup {
  const { diagnostic } = all[0]!;
  return html`<div class="card problem warning">
<p>${tag("warning", "! warning")} <strong>${diagnostic.summary}</strong> <span class="muted mono">${diagnostic.code}</span></p>
<details class="list"><summary>${all.length} warnings</summary>
${all.map(
  (cause) => html`<div id="${idOf(cause)}">
${causeBody(cause, entries, hasStacks)}</div>
`,
)}</details></div>
`;
}

function causeCard(cause: Cause, entries: Entries, hasStacks: boolean): Markup {
  const { severity, code, summary, attribute } = cause.diagnostic;
  return html`<div class="card problem ${severity}" id="${idOf(cause)}">
<p>${tag(severity, severity === "error" ? "✕ error" : "! warning")} <strong>${summary}</strong>${attribute !== undefined && html` <code>${attribute}</code>`} <span class="muted mono">${code}</span></p>
${causeBody(cause, entries, hasStacks)}</div>
`;
}

/** Renders the detail of a problem, and the stacks and objects that the problem concerns. */
function causeBody({ diagnostic, stacks, objects }: Cause, entries: Entries, hasStacks: boolean): Markup {
  const { detail } = diagnostic;
  return html`${detail !== "" && html`<pre class="plain">${detail}</pre>\n`}${
    hasStacks &&
    stacks.size > 0 &&
    html`<p class="muted">${stacks.size === 1 ? "Stack" : "Stacks"} ${[...stacks.keys()].join(", ")}</p>\n`
  }${
    objects.length > 0 &&
    html`<ul class="objects">${objects.map((object) => html`<li>${nameOf(object, entries)}</li>\n`)}</ul>\n`
  }`;
}

/** Renders the address of an object, with a link to its entry if the object has one. */
function nameOf(object: ReportObject, entries: Entries): Markup {
  const id = entries.idOf(object);
  return id === undefined
    ? html`<code>${object.address}</code>`
    : html`<a class="mono" href="#${id}">${object.address}</a>`;
}
