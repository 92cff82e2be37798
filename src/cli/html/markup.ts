/** Markup of our own, in which all text is escaped. Only `html`, `raw` and `joined` make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What a template takes: text is escaped, markup is taken as it is, and nothing is written for an absent value. */
export type Content = string | number | Markup | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  // In an attribute several lines would be lines of the file.
  "\n": "&#10;",
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/**
 * Markup from a template: ``html`<b title="${name}">${name}</b>` ``. This is the only way in which text enters a page.
 * Texts and numbers are escaped for elements and for attributes in double quotes; lists are joined. Text never belongs
 * into a tag's name, an attribute without quotes, a script or a style; an address only into `link`.
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

/** Contents with a separator between them. */
export const joined = (contents: readonly Content[], separator: Content): Markup =>
  new Markup(contents.map(textOf).join(textOf(separator)));

/** An attribute with several values, one a line, as `searchable` reads facets. */
export const valueList = (values: readonly string[]): Markup =>
  new Markup(values.map(escapeText).join(ENTITIES["\n"]));

/** Our own text as it is: styles and scripts. Never for text from elsewhere. */
export const raw = (text: string): Markup => new Markup(text);
