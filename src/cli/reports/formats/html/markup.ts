/** HTML whose texts are all escaped. Only `html`, `raw` and `joined` create objects of this class. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** A value in a template. The template escapes texts, inserts markup unchanged, and adds nothing for `undefined` and `false`. */
export type Content = string | number | Markup | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** An escaped line end for attributes. This line end separates values, but adds no new line to the file. */
const LINE_END = new Markup("&#10;");

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/**
 * Returns markup from a template: ``html`<b title="${name}">${name}</b>` ``. Text enters a page only through this function.
 * `html` escapes texts and numbers for elements and for attributes in double quotes, and joins lists. Never put text into the
 * name of a tag, an attribute without quotes, a script or a style. Put an address only into `link`.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = parts[0]!;
  for (const [index, value] of values.entries()) text += textOf(value) + parts[index + 1]!;
  return new Markup(text);
}

function textOf(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number") return String(value);
  if (value === undefined || value === false) return "";
  return value.map(textOf).join("");
}

/** Joins contents, with a separator between them. */
export const joined = (contents: readonly Content[], separator: Content): Markup =>
  new Markup(contents.map(textOf).join(textOf(separator)));

/**
 * Returns a text as markup without escaping it. Use `raw` only for Steward's own styles and scripts, never for any other text.
 */
export const raw = (text: string): Markup => new Markup(text);

/** Returns the address if its scheme is http or https; undefined for `javascript:` and other schemes. */
function webAddress(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isWeb = parsed?.protocol === "https:" || parsed?.protocol === "http:";
  // An address with a user name is refused, because such a name can only disguise the host.
  return isWeb && parsed.username === "" && parsed.password === "" ? parsed.href : undefined;
}

/** Returns a link to a page of the service. Without an http(s) address, returns only the content. */
export function link(url: string | undefined, content: Content): Markup {
  const address = url === undefined ? undefined : webAddress(url);
  return address === undefined
    ? html`${content}`
    : html`<a href="${address}" rel="noopener noreferrer">${content}</a>`;
}

/** Returns a word on a coloured ground. `kind` is one of the CSS classes in `page.ts`. */
export const tag = (kind: string, content: Content) => html`<span class="tag ${kind}">${content}</span>`;

/** Returns a list of names and values, with the class `facts`. Absent values are left out. */
export function factList(facts: Readonly<Record<string, Content>>): Content {
  const present = Object.entries(facts).filter(([, content]) => content !== undefined && content !== false);
  if (present.length === 0) return undefined;
  return html`<dl class="facts">${present.map(([name, content]) => html`<div><dt>${name}</dt><dd>${content}</dd></div>`)}</dl>
`;
}

/** A property by which readers can filter rows, such as the project. */
export interface Facet {
  /** The name of the property, in lower-case letters. Rows have their value of the property in the attribute `data-NAME`. */
  readonly name: string;
  readonly label: string;
}

interface Searchable {
  /** The id of the element with the controls. The id is unique in the page. */
  readonly id: string;
  /** The plural noun for the rows, such as `changes`. */
  readonly noun: string;
  readonly facets: readonly Facet[];
  /**
   * Markup that contains the rows at any depth. A row is a list item, a table row or a `<details>` element with the
   * attributes that `row` returns.
   */
  readonly rows: Content;
}

/**
 * Renders rows with a search over their text and a filter for each facet. Without scripts, the page shows all rows and no
 * controls. The script hides an element with the attribute `data-group` while all rows within the element are hidden.
 */
export const searchable = ({ id, noun, facets, rows }: Searchable): Markup => html`
<div class="searchable" id="${id}" data-searchable>
<form class="controls" role="search" aria-label="Search ${noun}" hidden>
<label class="search"><span class="unseen">Search ${noun}</span><input type="search" placeholder="Search ${noun}" autocomplete="off" spellcheck="false" aria-controls="${id}-rows"></label>
${facets.map(
  (
    facet,
  ) => html`<label><span class="unseen">${facet.label}</span><select data-facet="${facet.name}" aria-controls="${id}-rows"><option value="">${facet.label}: all</option></select></label>
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
 * Returns the attributes of a row of `searchable`, for an element's start tag: ``html`<tr ${row({ project:
 * "acme/web" })}>` ``.
 *
 * @param values one or several values for each facet, by the name of the facet
 * @param count the number of objects that the row represents
 */
export function row(values: Readonly<Record<string, string | readonly string[]>>, count = 1): Markup {
  const lists = Object.entries(values).map(([name, value]) => [name, [value].flat()] as const);
  const attributes = lists
    .filter(([, list]) => list.length > 0)
    // If a facet has several values, a line end separates these values, because the script of `searchable` expects this.
    .map(([name, list]) => html` data-${name}="${joined(list, LINE_END)}"`);
  return html`data-row="${count}"${attributes}`;
}
