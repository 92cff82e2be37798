import type { Cause, Causes } from "../reports/formats/entries";
import { code, prose } from "../reports/formats/markdown-text";

/** The lines of a section in a comment. `looser` are lines about more access: they come first, and are never folded. */
export interface SectionLines {
  readonly looser: readonly string[];
  readonly others: readonly string[];
}

/** The maximum number of characters that a line shows of one text. A text about access may name thousands of people. */
const MAX_LINE = 1_000;
/** The maximum number of characters of an error's detail. The folded details contain the whole text. */
const MAX_DETAIL = 300;
/** The maximum number of projects that one line about a problem names. */
const MAX_NAMED = 3;

const shortened = (text: string, length = MAX_LINE): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (shortened)`;

/**
 * Returns a line for each cause. The line of an error is not folded. Therefore, this line also contains projects, files and the
 * detail of the error.
 */
export function problemLines({ all }: Causes): SectionLines {
  const isLooser = ({ objects }: Cause): boolean =>
    objects.some(({ strictness }) => strictness === "looser" || strictness === "mixed");
  const looser = new Set(all.filter(isLooser).map(lineOf));
  const others = new Set(all.map(lineOf).filter((line) => !looser.has(line)));
  return { looser: [...looser], others: [...others] };
}

function lineOf(cause: Cause): string {
  const { severity, summary, detail, rule } = cause.diagnostic;
  const ofRule = rule === undefined ? "" : `: ${code(shortened(rule))}`;
  if (severity !== "error") return `- ⚠️ ${prose(shortened(summary))}${ofRule}`;
  const text = `: ${prose(shortened(detail.replace(/\s+/g, " ").trim(), MAX_DETAIL))}`;
  return `- ❌ ${prose(shortened(summary))}${placesOf(cause)}${ofRule}${detail === "" ? "" : text}`;
}

/** Returns the projects and the lines of code that a cause affects, such as ` in acme/web (web.ts:12)`. */
function placesOf({ objects, diagnostic }: Cause): string {
  const projects = named(objects.map(({ project, group }) => project ?? group));
  const ofObjects = objects.flatMap(({ diagnostics }) => diagnostics);
  const alike = ofObjects.filter(({ code: other }) => other === diagnostic.code);
  const files = named([diagnostic, ...alike].map(({ position }) => position));
  return `${projects === "" ? "" : ` in ${projects}`}${files === "" ? "" : ` (${files})`}`;
}

function named(texts: readonly (string | undefined)[]): string {
  const all = [...new Set(texts.filter((one) => one !== undefined))];
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : "";
  return `${all
    .slice(0, MAX_NAMED)
    .map((one) => code(shortened(one)))
    .join(", ")}${more}`;
}
