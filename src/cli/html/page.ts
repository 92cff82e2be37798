import { createHash } from "node:crypto";
import { type Content, html, type Markup, raw } from "./markup";
import { SCRIPT } from "./script";
import { STYLE } from "./style";

interface Page {
  /** The name of the page in a browser's tab. */
  readonly title: string;
  /** Above the content: `<h1>`, and facts of the run. */
  readonly header: Content;
  /** Elements at the level of sections, with `<h2>` as their headings. */
  readonly content: Content;
  /** The id of the element where the skip link leads. */
  readonly skipTo: { readonly id: string; readonly label: string };
  /** More styles for this page. */
  readonly style?: string;
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * A self-contained page: it loads nothing from anywhere, and its policy permits no script and no style but its own, so
 * that text that some mistake lets through still can't run. Attributes such as `style` and `onclick` have no effect.
 */
export function page({ title, header, content, skipTo, style = "" }: Page): string {
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
<main>
${content}
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`;
  return markup.text;
}
