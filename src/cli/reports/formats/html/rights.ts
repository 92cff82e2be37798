import type { Report } from "../../../document/model";
import { type Content, html } from "../../../html";
import { rightsLines } from "../rights";

/** The scopes and roles that a token needs to apply the plan. */
export function rightsSection(report: Report): Content {
  const lines = rightsLines(report, (name) => name);
  if (lines === undefined) return undefined;
  return html`<section id="rights"><h2>Rights</h2>
<ul>
${lines.map((line) => html`<li>${line}</li>\n`)}</ul></section>
`;
}
