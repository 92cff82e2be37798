import { createHash } from "node:crypto";
import { type Content, html, type Markup, raw } from "./markup";

// The frame of all HTML pages. The frame contains styles for light and dark, phones and print. Its security policy permits no
// files from outside of the page. `markup.ts` makes the content: `html` escapes text, and `link` checks addresses.
// - The rows of `searchable` have a search and filters, which need the script. All other parts work without the script.
// - Classes of the styles: `card`, `tiles` (totals, as `<dl>`), `tag`, `muted`, `mono`, and `scroll` around wide
//   tables.
// - Classes of a `tag`: `create`, `update`, `delete`, `replace`, `error`, `warning` or `ok`. Each has a sign or a
//   word, because colour must never be the only difference.

/**
 * The script of every page. The script adds search and filters, and opens the target of a link within the page. Without the
 * script, the page has the same content. One listener serves all rows. The script reads the texts to search once, at the first
 * search.
 */
const SCRIPT = `"use strict";
(() => {
  const collator = new Intl.Collator("en", { numeric: true });
  const openAround = (element) => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  };

  for (const box of document.querySelectorAll("[data-searchable]")) {
    const form = box.querySelector("form");
    const search = form.querySelector("input");
    const selects = [...form.querySelectorAll("select")];
    const status = form.querySelector("[role=status]");
    const nothing = box.querySelector(".nothing");
    const openAll = form.querySelector("[data-open-all]");
    const groups = [...box.querySelectorAll("[data-group]")];
    const valuesOf = (element, name) => (element.getAttribute("data-" + name) || "").split("\\n");
    const rows = [...box.querySelectorAll("[data-row]")].map((element) => ({
      element,
      count: Number(element.getAttribute("data-row")),
      values: selects.map((select) => valuesOf(element, select.dataset.facet)),
    }));
    const total = rows.reduce((sum, row) => sum + row.count, 0);
    const details = () => box.querySelectorAll("[data-row]:not([hidden]) details, details[data-row]:not([hidden])");

    selects.forEach((select, at) => {
      const counts = new Map();
      for (const { values, count } of rows)
        for (const value of values[at])
          if (value) counts.set(value, (counts.get(value) || 0) + (values[at].length > 1 ? 1 : count));
      const options = [...counts].sort((one, other) => collator.compare(one[0], other[0]));
      for (const [value, count] of options) select.append(new Option(value + " (" + count + ")", value));
      select.closest("label").hidden = options.length < 2;
    });
    openAll.hidden = details().length === 0;

    const show = () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        let matches = selects.every((select, at) => !select.value || row.values[at].includes(select.value));
        if (matches && words.length > 0) {
          row.text ??= row.element.textContent.toLowerCase();
          matches = words.every((word) => row.text.includes(word));
        }
        if (row.element.hidden === matches) row.element.hidden = !matches;
        if (matches) shown += row.count;
      }
      for (const group of groups) group.hidden = !group.querySelector("[data-row]:not([hidden])");
      nothing.hidden = shown > 0;
      const some = shown === total ? String(total) : shown + " of " + total;
      status.textContent = some + " " + status.dataset.noun;
    };
    const clear = () => {
      form.reset();
      show();
    };
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const button of box.querySelectorAll("[data-clear]"))
      button.addEventListener("click", () => {
        clear();
        search.focus();
      });
    openAll.addEventListener("click", () => {
      for (const one of details()) one.open = true;
    });
    box.addEventListener("reveal", clear);
    form.hidden = rows.length < 2;
    show();
  }

  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) target.closest("[data-searchable]")?.dispatchEvent(new Event("reveal"));
    openAround(target);
    target.scrollIntoView();
    // Rows above it may get their height only now.
    requestAnimationFrame(() => requestAnimationFrame(() => target.scrollIntoView()));
  };
  addEventListener("hashchange", follow);
  follow();
})();
`;

/**
 * The styles of every page. Colours are pairs of text and ground with a contrast of at least 4.5 to 1 in both themes. Rows
 * outside the screen are not laid out (`content-visibility`), because a page can have thousands of changes.
 */
export const STYLE = `
:root{color-scheme:light dark;
--bg:#fff;--soft:#f6f8fa;--line:#d8dee4;--text:#1f2328;--muted:#57606a;--link:#0860ca;--focus:#0860ca;
--green:#116329;--green-bg:#dafbe1;--red:#a40e26;--red-bg:#ffebe9;--amber:#7a4a00;--amber-bg:#fff4cf;--violet:#6034ad;--violet-bg:#f4ecff;--mark:#fffbe0}
@media(prefers-color-scheme:dark){:root{
--bg:#0d1117;--soft:#151b23;--line:#30363d;--text:#e6edf3;--muted:#9ba4ae;--link:#6cb1ff;--focus:#6cb1ff;
--green:#5fd37a;--green-bg:#12301c;--red:#ff9790;--red-bg:#3c1618;--amber:#e6b450;--amber-bg:#33270b;--violet:#c9a6ff;--violet-bg:#2b1f45;--mark:#2b2611}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:6rem;-webkit-text-size-adjust:100%}
body{margin:0;overflow-wrap:anywhere;background:var(--bg);color:var(--text);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main{max-width:76rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:1.75rem}
main{padding-bottom:4rem}
nav{position:sticky;top:0;z-index:3;margin-top:1rem;background:var(--bg);border-bottom:1px solid var(--line)}
nav p{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;max-width:76rem;margin:0 auto;padding:.45rem 1.5rem;font-size:13px}
h1,h2,h3{line-height:1.25;margin:0}
h1{font-size:1.6rem;font-weight:650;letter-spacing:-.01em}
h2{font-size:1.1rem;font-weight:650;margin:2.25rem 0 .75rem}
h3{font-size:.95rem;font-weight:600;margin:1.5rem 0 .5rem}
p{margin:.5rem 0}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:2px}
a:not(:hover){text-decoration-color:color-mix(in srgb,currentcolor 40%,transparent)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:12.5px}
pre{margin:0;padding:.6rem 0;line-height:1.55;white-space:pre-wrap;background:var(--soft);border:1px solid var(--line);border-radius:6px}
pre.plain{padding:.6rem .8rem}
.diff span{display:inline-block;width:100%;padding:0 .8rem 0 calc(.8rem + 2ch);text-indent:-2ch}
.diff .a{background:var(--green-bg);color:var(--green)}
.diff .d{background:var(--red-bg);color:var(--red)}
.diff .u{background:var(--amber-bg);color:var(--amber)}
.diff .c{color:var(--muted)}
.muted{color:var(--muted)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-999rem;top:.5rem;padding:.5rem 1rem;background:var(--bg);border:1px solid var(--line);border-radius:6px;z-index:9}
.skip:focus{left:1rem}
.facts{display:flex;flex-wrap:wrap;gap:.15rem 1.25rem;margin:.5rem 0 0;color:var(--muted);font-size:13px}
.facts div{display:flex;gap:.4rem;min-width:0}
.facts dt{flex:none}
.facts dd{margin:0;color:var(--text);min-width:0}
.tiles{display:flex;flex-wrap:wrap;margin:1.25rem 0 0;border:1px solid var(--line);border-radius:8px;overflow:hidden}
.tiles div{flex:1 1 7rem;padding:.7rem 1rem;box-shadow:-1px -1px 0 var(--line);display:flex;flex-direction:column-reverse}
.tiles dt{color:var(--muted);font-size:13px}
.tiles dd{margin:0;font-size:1.5rem;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums}
.tiles dd.create{color:var(--green)}.tiles dd.update,.tiles dd.warning{color:var(--amber)}
.tiles dd.delete,.tiles dd.error{color:var(--red)}.tiles dd.replace{color:var(--violet)}
.tag{display:inline-block;padding:0 .5em;border-radius:1em;font-size:12px;line-height:1.6;font-weight:550;max-width:100%;background:var(--soft);color:var(--muted);border:1px solid var(--line)}
.tag.create,.tag.ok{background:var(--green-bg);color:var(--green);border-color:transparent}
.tag.update,.tag.warning{background:var(--amber-bg);color:var(--amber);border-color:transparent}
.tag.delete,.tag.error{background:var(--red-bg);color:var(--red);border-color:transparent}
.tag.replace{background:var(--violet-bg);color:var(--violet);border-color:transparent}
.card{border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;margin:.75rem 0}
.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
.controls{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;padding:.6rem 0;background:var(--bg)}
nav+main .controls{top:2.3rem}
.controls label{display:flex;min-width:0}
.controls .search{flex:1 1 12rem}
.controls [role=status]{margin:0 0 0 auto;color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}
input,select,button{font:inherit;font-size:13px;color:inherit;background:var(--bg);border:1px solid color-mix(in srgb,var(--line),var(--muted) 45%);border-radius:6px;padding:.3rem .6rem;min-height:2.1rem;max-width:100%}
input{width:100%}
input::placeholder{color:var(--muted);opacity:1}
select{max-width:10.5rem}
button{background:var(--soft);cursor:pointer}
button:hover{border-color:var(--muted)}
.nothing{padding:1.5rem;text-align:center;color:var(--muted);border:1px dashed var(--line);border-radius:8px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;font-size:13px}
tbody th{white-space:nowrap}
thead th{color:var(--muted);white-space:nowrap;overflow-wrap:normal}
td.number,th.number{text-align:right;white-space:nowrap}
summary{cursor:pointer}
:target{scroll-margin-top:2.5rem}
@media(max-width:40rem){
header,main,nav p{padding-left:1rem;padding-right:1rem}header{padding-top:1.25rem}nav{position:static}
h1{font-size:1.35rem}
.tiles div{flex-basis:6rem;padding:.55rem .8rem}
.controls{position:static}.controls .search{flex-basis:100%}.controls label:not(.search){flex:1 1 8rem}.controls select{width:100%;max-width:none}
input,select,button{font-size:16px}
html{scroll-padding-top:1rem}}
@media print{
:root{--bg:#fff;--soft:#fff;--line:#bbb;--text:#000;--muted:#444;--link:#000;--green:#0b4d1e;--red:#8b0a1d;--amber:#5c3800;--violet:#4b278a;--green-bg:#fff;--red-bg:#fff;--amber-bg:#fff;--violet-bg:#fff;--mark:#fff}
body{font-size:10pt}header,main{max-width:none;padding:0}
.controls,.skip,button,nav{display:none!important}
.tag{border-color:currentcolor!important}
details::details-content{content-visibility:visible!important;block-size:auto!important}
[data-row]{content-visibility:visible!important}
h2,h3{break-after:avoid}}
`;

interface Page {
  /** The name of the page in a browser's tab. */
  readonly title: string;
  /** The elements above the content: `<h1>`, and facts about the run. */
  readonly header: Content;
  /** The links to sections of the page. These links stay visible on wide screens. */
  readonly navigation?: readonly { readonly id: string; readonly title: string }[];
  /** Elements at the level of sections, with `<h2>` as their headings. */
  readonly content: Content;
  /** The id and the title of the element to which the skip link leads. */
  readonly skipTo: { readonly id: string; readonly label: string };
  /** Additional styles for this page. */
  readonly style?: string;
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Returns a self-contained page. The page loads no other files, and its security policy permits only its own script and style.
 * Therefore, not even an unescaped text could run as a script. Attributes such as `style` and `onclick` have no effect.
 */
export function page({ title, header, navigation = [], content, skipTo, style = "" }: Page): string {
  const css = STYLE + style;
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(css)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const markup: Markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${raw(css)}</style>
</head>
<body>
<a class="skip" href="#${skipTo.id}">${skipTo.label}</a>
<header>
${header}
</header>
${navigation.length > 0 && html`<nav aria-label="Sections"><p>${navigation.map((one) => html`<a href="#${one.id}">${one.title}</a> `)}</p></nav>\n`}<main>
${content}
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`;
  return markup.text;
}
