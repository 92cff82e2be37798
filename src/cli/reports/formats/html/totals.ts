import { groupBy } from "../../../../engine";
import { counted } from "../../../../text";
import type { Report, ReportObject } from "../../../document/model";
import { type Content, html, type Markup } from "../../../html";
import { actionCounts, allObjects, countOf, importedOf, isListed, moveCount, statusCounts } from "../summary";
import { labelOf, labelTag, outcomeOf } from "./entries";

/** The totals of the whole report, as tiles. A replacement counts as a create and a delete, as in the sentence above them. */
export function totals(report: Report): Markup {
  const objects = allObjects(report);
  const isDrift = report.command === "drift";
  const { create, update, delete: deleted } = actionCounts(objects);
  const statuses = statusCounts(objects);
  const found: readonly Tile[] = isDrift
    ? [
        ["changed", statuses.changed ?? 0, "update", true],
        ["vanished", statuses.vanished ?? 0, "delete", true],
        ["unmanaged", statuses.unmanaged ?? 0, "warning", report.coverage !== undefined],
      ]
    : [
        ["create", create, "create", true],
        ["update", update, "update", true],
        ["destroy", deleted, "delete", true],
        ["replace (in both)", countOf("replace", objects), "replace"],
        ["import", importedOf(objects).length, "create"],
        ["move", moveCount(objects), ""],
        ["forget", countOf("forget", objects), ""],
        ["done", statuses.done ?? 0, "create"],
      ];
  const outcomes = (which: string) => objects.filter((one) => outcomeOf(one) === which).length;
  const tiles: readonly Tile[] = [
    ...found,
    [isDrift ? "not checked" : "failed", outcomes("failed"), "error"],
    ["violates a policy", outcomes("violates a policy"), "error"],
    ["not started", statuses.not_done ?? 0, "warning"],
    [isDrift ? "in sync" : "unchanged", objects.filter((one) => !isListed(one)).length, "", isDrift],
  ];
  return html`<dl class="tiles">${tiles
    .filter(([, count, , isAlways]) => count > 0 || isAlways)
    .map(
      ([name, count, kind]) => html`
<div><dt>${name}</dt><dd${count > 0 && html` class="${kind}"`}>${count}</dd></div>`,
    )}
</dl>
`;
}

type Tile = readonly [name: string, count: number, kind: string, isAlways?: boolean];

/** The totals by type and action. */
export function typeTable(report: Report): Content {
  const objects = allObjects(report).filter(isListed);
  const labels = new Map(objects.map((object) => labelOf(object)).map((label) => [label.word, label]));
  const types = groupBy(objects, ({ type }) => type);
  if (types.size < 2) return undefined;
  const countIn = (of: readonly ReportObject[], word: string) =>
    of.filter((one) => labelOf(one).word === word).length || "";
  return html`<section id="types"><h2>By type</h2>
<details open><summary>${counted(types.size, "type")}</summary>
<div class="scroll" role="region" aria-label="Totals by type" tabindex="0"><table>
<thead><tr><th scope="col">Type</th>${[...labels.values()].map((label) => html`<th scope="col" class="number">${labelTag(label)}</th>`)}</tr></thead>
<tbody>${[...types].sort().map(
    ([type, of]) => html`
<tr><th scope="row" class="mono">${type}</th>${[...labels.keys()].map((word) => html`<td class="number">${countIn(of, word)}</td>`)}</tr>`,
  )}
</tbody></table></div></details></section>
`;
}
