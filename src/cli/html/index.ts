/**
 * The shell of every HTML page. Text enters a page by `html` alone, which escapes it; addresses by `link`.
 *
 * - `page` is the document: styles for light and dark, phones and print, a policy that permits nothing from elsewhere.
 * - `searchable` with `row` adds search and filters to rows, for which a script is needed; all else works without.
 * - Classes of the styles: `card`, `tiles` (totals, as `<dl>`), `tag` with `create`, `update`, `delete`, `replace`,
 *   `error`, `warning` or `ok` (with a sign or a word: never colour alone), `muted`, `mono`, `scroll` around wide tables.
 */
export { type Content, factList, html, joined, link, type Markup, row, searchable, tag } from "./markup";
export { page } from "./page";
