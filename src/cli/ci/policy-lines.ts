import { groupBy } from "../../engine";
import { counted } from "../../text";
import type { PolicyResults } from "../policy/results";
import { code, prose } from "../reports/formats/markdown-text";

/** For each rule and each waiver: the maximum number of violations that get a separate line. */
const SHOWN = 5;
const MAX_LINE = 1_000;
/**
 * The maximum number of characters of all lines about policies. Beyond this limit, the lines give only the numbers of
 * violations.
 */
const MOST = 100_000;

/**
 * Returns lines about the results of the policies, for people who approve. Waivers come first, because they let violations pass.
 * Each rule and each waiver has a line with the number of its violations.
 */
export function policyLines(results: PolicyResults): string[] {
  const lines = linesOf(results, SHOWN);
  const fitting = lines.join("\n").length > MOST ? linesOf(results, 0) : lines;
  return fitting.length === 0 ? [] : ["", "**Policies**", "", ...fitting];
}

function linesOf({ violations = [], waivers = [] }: PolicyResults, most: number): string[] {
  const byRule = [...groupBy(violations, ({ rule }) => rule)];
  return [
    ...waivers.flatMap(({ rule, project, reason, owner, until, accepted }) => {
      const of = `${code(shortened(rule))} in ${code(shortened(project))}`;
      const facts = [
        prose(shortened(reason)),
        ...(owner === undefined ? [] : [`owner ${code(shortened(owner))}`]),
        until === undefined ? "for this run" : `until ${code(shortened(until))}`,
      ];
      const head = `- 🔓 waiver of ${of} accepts ${counted(accepted.length, "violation")}: ${facts.join(", ")}`;
      return [head, ...some(accepted, most)];
    }),
    ...byRule.flatMap(([rule, all]) => [
      `- ${code(shortened(rule))}: ${counted(all.length, "violation")}`,
      ...some(
        all.map(({ what }) => what),
        most,
      ),
    ]),
  ];
}

function some(texts: readonly string[], most: number): string[] {
  const shown = texts.slice(0, most).map((text) => `  - ${code(shortened(text))}`);
  const left = texts.length - shown.length;
  return left > 0 ? [...shown, `  - and ${left} more in the approval file`] : shown;
}

const shortened = (text: string): string =>
  text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE).replaceAll("`", "'")}… (shortened)`;
