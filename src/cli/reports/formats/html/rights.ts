import type { Report } from "../../../document/model";
import { type Content, html } from "../../../html";
import { rightsLines } from "../../../views/rights";

/** The scopes and roles that a token needs to apply the plan. */
export function rightsSection({ rights }: Report): Content {
  if (rights === undefined) return undefined;
  const lines = rightsLines(rights, (name) => name);
  return html`<section id="rights"><h2>Rights</h2>
<ul>
${lines.map((line) => html`<li>${line}</li>\n`)}</ul></section>
`;
}
