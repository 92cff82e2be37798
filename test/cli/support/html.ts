import { createHash } from "node:crypto";
import { type DefaultTreeAdapterMap, parse } from "parse5";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

/** A page as the HTML parser of a browser would read it. */
export interface ParsedPage {
  /** The codes of the errors that the parser found. */
  readonly errors: readonly string[];
  readonly elements: readonly PageElement[];
  /** The visible text, without scripts and styles. */
  readonly text: string;
}

interface PageElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

function textOf(node: Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

export function parsePage(contents: string): ParsedPage {
  const errors: string[] = [];
  const document = parse(contents, { onParseError: ({ code }) => errors.push(code) });
  const elements: Element[] = [];
  const visit = (node: Node): void => {
    if ("tagName" in node) elements.push(node);
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(document);
  const seen = elements.filter(({ tagName }) => tagName === "header" || tagName === "main");
  return {
    errors,
    elements: elements.map((element) => ({
      name: element.tagName,
      attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
      text: textOf(element),
    })),
    text: seen.map(textOf).join("\n"),
  };
}

const ELEMENTS = new Set(
  (
    "html head meta title style body a header main time nav figure figcaption script section nav h1 h2 h3 h4 p div span ul ol li dl dt dd details summary " +
    "pre code b strong wbr table caption thead tbody tr th td form label input select option button svg g path rect circle text line " +
    "polyline desc"
  ).split(" "),
);

/**
 * Matches attributes whose value a browser executes or loads. A page must not have such attributes, because text from
 * outside could get into their values.
 */
const ACTIVE = /^(?:on|style$|src|action$|formaction$|background$|data$|http-equiv$|xlink|xml|target$|ping$)/;

/**
 * Returns the errors of a page: broken markup, active elements and attributes, external links, duplicate ids, and scripts
 * and styles that the page's policy forbids.
 */
export function problemsOf(contents: string): string[] {
  const { errors, elements } = parsePage(contents);
  const policy = elements.find(({ attributes }) => attributes["http-equiv"] === "Content-Security-Policy");
  const hashes = new Set(policy?.attributes["content"]?.match(/(?<='sha256-)[^']+/g));
  const ids = elements.flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));
  const idCounts = new Map<string, number>();
  for (const id of ids) idCounts.set(id, (idCounts.get(id) ?? 0) + 1);
  return [
    ...errors,
    ...(policy?.attributes["content"]?.startsWith("default-src 'none'; ") ? [] : ["no policy"]),
    ...[...idCounts].filter(([, count]) => count > 1).map(([id]) => `id ${id} twice`),
    ...elements.flatMap(({ name, attributes, text }) => {
      const isOwn = hashes.has(createHash("sha256").update(text).digest("base64"));
      return [
        ...(ELEMENTS.has(name) ? [] : [`element ${name}`]),
        ...((name === "script" || name === "style") && !isOwn ? [`${name} without a hash`] : []),
        ...Object.entries(attributes).flatMap(([attribute, value]) => [
          ...(ACTIVE.test(attribute) && name !== "meta" ? [`attribute ${attribute} of ${name}`] : []),
          ...(attribute === "href" && !isLink(name, value, idCounts) ? [`link to ${value}`] : []),
        ]),
      ];
    }),
  ];
}

const isLink = (name: string, value: string, ids: ReadonlyMap<string, number>): boolean =>
  name === "a" && (/^https?:\/\//.test(value) || (value.startsWith("#") && ids.has(value.slice(1))));

/** Returns a page without its styles and its script, because these are the same in all pages. */
export const withoutAssets = (contents: string): string =>
  contents.replace(/(?<=<(style|script)>)[\s\S]*?(?=<\/\1>)/g, "…").replaceAll(/(?<='sha256-)[^']+/g, "…");
