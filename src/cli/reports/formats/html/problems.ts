import { counted } from "../../../../text";
import type { Report, ReportDiagnostic, ReportObject } from "../../../document/model";
import { type Content, html, type Markup } from "../../../html";
import { type Cause, Causes, type Entries } from "../entries";
import { tag } from "./entries";

const MAX_EXPANDED_OBJECTS = 10;

export const TITLES = { policies: "Policies", problems: "Errors and warnings" } as const;

const idOf = ({ index }: Cause): string => `p${index + 1}`;

/** The errors, warnings and violated policies of a report, each cause once. */
export class Problems {
  readonly causes: Causes;

  constructor(report: Report) {
    this.causes = new Causes(report);
  }

  /** The problem in the entry of an object, with a link to its text. */
  reference(diagnostic: ReportDiagnostic): Markup {
    const { severity, summary, attribute } = diagnostic;
    return html`<p class="problem">${tag(severity, severity)} <a href="#${idOf(this.causes.of(diagnostic))}">${summary}</a>${attribute !== undefined && html` (<code>${attribute}</code>)`}</p>
`;
  }

  /** The violated policies, or all other problems. */
  section(which: "policies" | "problems", entries: Entries, hasStacks: boolean): Content {
    const causes = this.causes.all.filter(
      ({ diagnostic }) => diagnostic.code.startsWith("policy_") === (which === "policies"),
    );
    if (causes.length === 0) return undefined;
    return html`<section id="${which}"><h2>${TITLES[which]}</h2>
${causes.map((cause) => causeCard(cause, entries, hasStacks))}</section>
`;
  }
}

function causeCard(cause: Cause, entries: Entries, hasStacks: boolean): Markup {
  const { diagnostic, stacks, objects } = cause;
  const { severity, code, summary, detail, attribute } = diagnostic;
  const links = objects.map((object) => html`<li>${nameOf(object, entries)}</li>\n`);
  const list = html`<ul class="objects">${links}</ul>\n`;
  return html`<div class="card problem ${severity}" id="${idOf(cause)}">
<p>${tag(severity, severity === "error" ? "✕ error" : "! warning")} <strong>${summary}</strong>${attribute !== undefined && html` <code>${attribute}</code>`} <span class="muted mono">${code}</span></p>
${detail !== "" && html`<pre class="plain">${detail}</pre>\n`}${
  hasStacks &&
  stacks.size > 0 &&
  html`<p class="muted">${stacks.size === 1 ? "Stack" : "Stacks"} ${[...stacks.keys()].join(", ")}</p>\n`
}${
  links.length > MAX_EXPANDED_OBJECTS
    ? html`<details><summary>${counted(links.length, "object")}</summary>${list}</details>\n`
    : links.length > 0 && list
}</div>
`;
}

/** The object's address, with a link to its entry if it has one. */
function nameOf(object: ReportObject, entries: Entries): Markup {
  const id = entries.idOf(object);
  return id === undefined
    ? html`<code>${object.address}</code>`
    : html`<a class="mono" href="#${id}">${object.address}</a>`;
}
