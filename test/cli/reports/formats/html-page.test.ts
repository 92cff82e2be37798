import fc from "fast-check";
import { HISTORY_STYLE } from "../../../../src/cli/history/page";
import { STYLE as REPORT_STYLE } from "../../../../src/cli/reports/formats/html";
import { html, joined, link, row, searchable } from "../../../../src/cli/reports/formats/html/markup";
import { page, STYLE } from "../../../../src/cli/reports/formats/html/page";
import { printableLines } from "../../../../src/cli/reports/safe-report";
import { runs, seed } from "../../../support/capabilities";
import { codePoint } from "../../../support/code-points";
import { HOSTILE } from "../../../support/hostile";
import { parsePage, problemsOf } from "../../support/html";

const MARKUP =
  "<script>alert(1)</script><img src=x onerror=alert(1)> --> ]]> </style></title> &amp; \"'` ${x}";

/**
 * Generates URLs with any character. This generator replaces `webUrl` of fast-check, which keeps a table of 85 MB in memory
 * until the process ends.
 */
const address = fc
  .string({ unit: codePoint, maxLength: 8 })
  .map((path) => `https://git.example.com/${encodeURIComponent(path)}`);

const pageOf = (text: string): string =>
  page({
    title: text,
    header: html`<h1 id="top">${text}</h1>`,
    skipTo: { id: "rows", label: text },
    content: html`<section title="${text}">${searchable({
      id: "rows",
      noun: "changes",
      facets: [{ name: "project", label: "Project" }],
      rows: html`<ul>${[text, text].map((one) => html`<li ${row({ project: [one, "other"] })}>${one}</li>`)}</ul>`,
    })}${link(text, text)}</section>`,
  });

describe("an HTML page", () => {
  test("an HTML page has no markup errors", () => {
    expect(problemsOf(pageOf("a change"))).toEqual([]);
  });

  test.each([MARKUP, HOSTILE, `javascript:alert("x")`, "a".repeat(10_000)])(
    "the page shows markup in the service's texts as text: sample %#",
    (text) => {
      const contents = pageOf(text);
      expect(problemsOf(contents).filter((one) => !/control|noncharacter/.test(one))).toEqual([]);
      const { elements } = parsePage(contents);
      const shown = text.replaceAll("\r", "\n");
      expect(elements.find(({ name }) => name === "h1")?.text).toBe(shown);
      expect(elements.find(({ name }) => name === "li")?.attributes["data-project"]).toBe(`${shown}\nother`);
    },
  );

  test("the heading of the page shows any ASCII text unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), address, (text, url) => {
        const contents = pageOf(text);
        expect(problemsOf(contents)).toEqual([]);
        expect(parsePage(contents).elements.find(({ name }) => name === "h1")?.text).toBe(text);
        expect(link(url, text).text).toContain('rel="noopener noreferrer"');
      }),
      { numRuns: runs(6, 300), seed },
    );
  });

  test("an HTML page contains no control characters for terminals", () => {
    const contents = pageOf("a change");
    expect(printableLines(contents)).toBe(contents);
  });
});

test("outside a fixed set of elements, the style sheets allow line breaks in long names", () => {
  const rules = [...`${STYLE}${REPORT_STYLE}${HISTORY_STYLE}`.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  const body = rules.filter(([, selector]) => selector!.trim() === "body").map(([, , style]) => style);
  expect(body[0]).toContain("overflow-wrap:anywhere");
  const unbroken = rules.filter(([, , style]) =>
    /nowrap|white-space:pre(;|$)|overflow-wrap:(?!anywhere)/.test(style!),
  );
  expect(unbroken.map(([, selector]) => selector!.trim())).toEqual([
    ".unseen",
    "tbody th",
    "thead th",
    "td.number,th.number",
    ".access td .tag",
    ".bars th",
    ".drift .nowrap",
  ]);
});

describe("a link", () => {
  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "//evil.example",
    "https://user@evil.example",
    " ",
    "/a",
  ])("if the address of a link is not a web address, the link becomes text: %s", (url) => {
    expect(link(url, "here").text).toBe("here");
  });

  test("Steward percent-encodes a quote and a tag in the address of a link", () => {
    expect(link(`https://a.example/"><script>`, "b").text).toBe(
      '<a href="https://a.example/%22%3E%3Cscript%3E" rel="noopener noreferrer">b</a>',
    );
  });
});

test("an HTML template escapes the plain texts in a joined list", () => {
  expect(html`${joined(["<a>", html`<b>${2}</b>`], ", ")}${undefined}${false}`.text).toBe(
    "&lt;a&gt;, <b>2</b>",
  );
});
