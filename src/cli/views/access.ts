import { groupBy } from "../../engine";
import type { ReportAccess } from "../document/model";
import type { Style } from "../printing/style";
import { accessSentence, accessTotals, notCountedLine, quoted } from "./access-lines";
import { equalAccess, groupEqualAccess } from "./equal-access";
import { listLines } from "./equal-changes";

/**
 * Who gains and who loses access, for people. Equal changes in five places are one entry.
 *
 * @param isWhole false after an error
 */
export function renderAccess(access: readonly ReportAccess[], style: Style, isWhole = true): string[] {
  const total = `${style.bold("Access:")} ${accessSentence(accessTotals(access), isWhole)}`;
  if (access.length === 0)
    return [isWhole ? `${style.bold("Access:")} nobody gains or loses access.` : total];
  const groups = groupEqualAccess(access);
  const equal = groups
    .filter((group) => group.length > 1)
    .flatMap((group) => {
      const { text, names } = equalAccess(group);
      return [...listLines("  ", `${text}:`, names), ...notCounted(group[0], "      "), ""];
    });
  const single = groups.flatMap((group) => (group.length > 1 ? [] : [group[0]]));
  const isGeneral = ({ project, group }: ReportAccess) => (project ?? group) === undefined;
  const places = groupBy(
    single.filter((one) => !isGeneral(one)),
    ({ project, group }) =>
      project === undefined ? `group ${quoted(group!)}` : `project ${quoted(project)}`,
  );
  const general = single.filter(isGeneral).flatMap((one) => notCounted(one, "  "));
  return [
    style.bold("Access changes:"),
    "",
    ...equal,
    ...[...places].flatMap(([heading, entries]) => [
      `  ${style.bold(heading)}`,
      ...entries.flatMap((one) => {
        const [first, ...rest] = [...(one.text === "" ? [] : [one.text]), ...notCounted(one, "")];
        return [`    ${first}`, ...rest.map((line) => `      ${line}`)];
      }),
      "",
    ]),
    ...(general.length > 0 ? [...general, ""] : []),
    total,
  ];
}

const notCounted = ({ not_counted: all }: ReportAccess, indent: string): string[] =>
  all.map((one) => `${indent}${notCountedLine(one, quoted)}`);
