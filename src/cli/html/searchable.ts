import { type Content, html, type Markup, valueList } from "./markup";

/** A property of rows to filter by, such as the project. */
export interface Facet {
  /** Lower-case letters: the part of the attribute's name. */
  readonly name: string;
  readonly label: string;
}

interface Searchable {
  /** Unique within the page. */
  readonly id: string;
  /** What the rows are, in plural: `changes`. */
  readonly noun: string;
  readonly facets: readonly Facet[];
  /** Elements with the attributes of `row`, at any depth: list items, table rows, `<details>`. */
  readonly rows: Content;
}

/**
 * Rows with a search over their text and a filter for each facet. Without scripts all rows are shown and the controls are not.
 * An element with `data-group` around rows is hidden while none of its rows is shown.
 */
export const searchable = ({ id, noun, facets, rows }: Searchable): Markup => html`
<div class="searchable" id="${id}" data-searchable>
<form class="controls" role="search" aria-label="Search ${noun}" hidden>
<label class="search"><span class="unseen">Search ${noun}</span><input type="search" placeholder="Search ${noun}" autocomplete="off" spellcheck="false" aria-controls="${id}-rows"></label>
${facets.map(
  ({
    name,
    label,
  }) => html`<label><span class="unseen">${label}</span><select data-facet="${name}" aria-controls="${id}-rows"><option value="">${label}: all</option></select></label>
`,
)}<button type="button" data-clear>Clear</button>
<button type="button" data-open-all>Expand all</button>
<p role="status" data-noun="${noun}"></p>
</form>
<div id="${id}-rows">
${rows}
</div>
<p class="nothing" hidden>No ${noun} match. <button type="button" data-clear>Clear the filters</button></p>
</div>
`;

/**
 * The attributes of a row of `searchable`, for an element's start tag: ``html`<tr ${row({ project: "acme/web" })}>` ``.
 *
 * @param values a value, or several, by the name of the facet
 * @param count how many objects the row stands for
 */
export function row(values: Readonly<Record<string, string | readonly string[]>>, count = 1): Markup {
  const lists = Object.entries(values).map(([name, value]) => [name, [value].flat()] as const);
  const attributes = lists
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => html` data-${name}="${valueList(list)}"`);
  return html`data-row="${count}"${attributes}`;
}
