import { type Content, html, type Markup } from "../../../html";
import type { Report, ReportDiagnostic, ReportObject } from "../../model";
import { plural } from "../summary";
import type { Entries } from "./entries";
import { tag } from "./labels";

/** One cause with everything that it concerns. */
interface Cause {
  readonly id: string;
  readonly diagnostic: ReportDiagnostic;
  readonly stacks: Set<string>;
  readonly objects: ReportObject[];
}

const MAX_EXPANDED_OBJECTS = 10;

export const TITLES = { policies: "Policies", problems: "Errors and warnings" } as const;

/** The errors, warnings and violated policies of a report, each cause once. */
export class Problems {
  readonly #causes = new Map<string, Cause>();

  constructor(report: Report) {
    for (const { name, diagnostics, objects } of report.stacks) {
      const add = (diagnostic: ReportDiagnostic, object?: ReportObject) => {
        const cause = this.#cause(diagnostic);
        if (name !== null) cause.stacks.add(name);
        if (object !== undefined) cause.objects.push(object);
      };
      for (const one of diagnostics) add(one);
      for (const object of objects) for (const one of object.diagnostics) add(one, object);
    }
  }

  /** The problem in the entry of an object, with a link to its text. */
  reference(diagnostic: ReportDiagnostic): Markup {
    const { severity, summary, attribute } = diagnostic;
    return html`<p class="problem">${tag(severity, severity)} <a href="#${this.#cause(diagnostic).id}">${summary}</a>${attribute !== undefined && html` (<code>${attribute}</code>)`}</p>
`;
  }

  /** The violated policies, or all other problems. */
  section(which: "policies" | "problems", entries: Entries, showsStacks: boolean): Content {
    const causes = this.#all.filter(
      ({ diagnostic }) => diagnostic.code.startsWith("policy_") === (which === "policies"),
    );
    if (causes.length === 0) return undefined;
    return html`<section id="${which}"><h2>${TITLES[which]}</h2>
${causes.map((cause) => causeCard(cause, entries, showsStacks))}</section>
`;
  }

  get #all(): Cause[] {
    const causes = [...this.#causes.values()];
    const ofSeverity = (severity: string) =>
      causes.filter(({ diagnostic }) => diagnostic.severity === severity);
    return [...ofSeverity("error"), ...ofSeverity("warning")];
  }

  #cause(diagnostic: ReportDiagnostic): Cause {
    const { severity, code, summary, detail } = diagnostic;
    const key = JSON.stringify([severity, code, summary, detail]);
    const known = this.#causes.get(key);
    if (known !== undefined) return known;
    const cause = { id: `p${this.#causes.size + 1}`, diagnostic, stacks: new Set<string>(), objects: [] };
    this.#causes.set(key, cause);
    return cause;
  }
}

function causeCard(
  { id, diagnostic, stacks, objects }: Cause,
  entries: Entries,
  showsStacks: boolean,
): Markup {
  const { severity, code, summary, detail, attribute } = diagnostic;
  const links = objects.map(
    (object) => html`<li><a class="mono" href="#${entries.idOf(object)}">${object.address}</a></li>\n`,
  );
  const list = html`<ul class="objects">${links}</ul>\n`;
  return html`<div class="card problem ${severity}" id="${id}">
<p>${tag(severity, severity === "error" ? "✕ error" : "! warning")} <strong>${summary}</strong>${attribute !== undefined && html` <code>${attribute}</code>`} <span class="muted mono">${code}</span></p>
${detail !== "" && html`<pre class="plain">${detail}</pre>\n`}${
  showsStacks &&
  stacks.size > 0 &&
  html`<p class="muted">${stacks.size === 1 ? "Stack" : "Stacks"} ${[...stacks].join(", ")}</p>\n`
}${
  links.length > MAX_EXPANDED_OBJECTS
    ? html`<details><summary>${plural(links.length, "object")}</summary>${list}</details>\n`
    : links.length > 0 && list
}</div>
`;
}
