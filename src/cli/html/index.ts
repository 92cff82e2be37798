/**
 * The shell of every HTML page. Text enters a page only by `html`, which escapes it; addresses by `link`.
 *
 * - `page` is the document: styles for light and dark, phones and print, and a policy that permits nothing from
 *   elsewhere.
 * - `searchable` with `row` adds search and filters to rows, for which a script is needed. All other parts work
 *   without it.
 * - Classes of the styles: `card`, `tiles` (totals, as `<dl>`), `tag`, `muted`, `mono`, and `scroll` around wide
 *   tables.
 * - Classes of a `tag`: `create`, `update`, `delete`, `replace`, `error`, `warning` or `ok`, each with a sign or a
 *   word. Colour must never be the only difference.
 */
export { type Content, factList, html, joined, link, type Markup, row, searchable, tag } from "./markup";
export { page } from "./page";
