import { counted, namesUpTo } from "../../../text";
import type { Equal } from "../../document/equal";
import type { ReportAccess } from "../../document/model";
import { accessSentence, accessTotals, equalAccess, groupEqualAccess } from "../../views/access";
import { type Entries, type Entry, MAX_SOURCES, sourceName } from "./entries";
import { type Budget, code, details, MAX_EXPANDED_NAMES, placeNames, prose } from "./markdown-text";

/** Anchors of the entries that access changes come from. The platform keeps `name` of `<a>`, and no other id. */
export class Anchors {
  readonly #linked: ReadonlySet<string>;
  readonly #prefix: string;

  /** @param app what sets the anchors apart from those of other comments of the page */
  constructor(
    private readonly entries: Entries,
    access: readonly ReportAccess[] = [],
    app = "",
  ) {
    this.#linked = new Set(entries.sourcesOf(access).map(({ id }) => id));
    this.#prefix = `${app === "" ? "steward" : app}-`;
  }

  /** The anchor of an entry, if something links it. */
  at({ id }: Entry): string {
    return this.#linked.has(id) ? `<a name="${this.#prefix}${id}"></a>` : "";
  }

  /** Links to the entries of the objects that access changes come from, behind them. */
  to(access: readonly ReportAccess[]): string {
    const found = this.entries.sourcesOf(access);
    if (found.length === 0) return "";
    const links = found.map((source) => `[${code(sourceName(source))}](#${this.#prefix}${source.id})`);
    return `, by ${namesUpTo(MAX_SOURCES, links)}`;
  }
}

/** Who gains and who loses access, before the changes themselves: it is what a reviewer approves. */
export function writeAccess(
  access: readonly ReportAccess[],
  isWhole: boolean,
  anchors: Anchors,
  budget: Budget,
): void {
  budget.must("\n### Access\n\n");
  budget.must(
    access.length === 0 && isWhole
      ? "Nobody gains or loses access.\n"
      : `${accessSentence(accessTotals(access), isWhole)}\n\n`,
  );
  let omitted = 0;
  for (const group of groupEqualAccess(access)) {
    const whole = group.length > 1 ? renderEqualAccess(group, anchors) : renderAccess(group[0], anchors);
    if (!budget.try(whole)) omitted += group.length;
  }
  if (omitted > 0)
    budget.must(
      `\n${counted(omitted, "more place")}: too many for a comment. The JSON report has them all.\n`,
    );
}

function renderEqualAccess(entries: Equal<ReportAccess>, anchors: Anchors): string {
  const { text, names, items } = equalAccess(entries);
  const uncounted = entries[0].not_counted.map(notCounted).map((line) => `  - ${line}\n`);
  const places =
    names.length <= MAX_EXPANDED_NAMES
      ? `: ${code(names.join(", "))}\n`
      : `\n${details(counted(names.length, "place"), placeNames(items))}`;
  return [`- ${code(text)}${anchors.to(entries)}${places}`, ...uncounted].join("");
}

const notCounted = ({ what, why }: ReportAccess["not_counted"][number]): string =>
  `not counted: ${code(what)} (${prose(why)})`;

function renderAccess(entry: ReportAccess, anchors: Anchors): string {
  const { stack, project, group, text, not_counted } = entry;
  const names = [
    ["stack", stack],
    ["project", project],
    ["group", group],
  ].flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${code(name)}`]));
  const head = [names.join(", "), ...(text === "" ? [] : [`${code(text)}${anchors.to([entry])}`])]
    .filter((part) => part !== "")
    .join(": ");
  const uncounted = not_counted.map(notCounted);
  const [first, ...rest] = head === "" ? uncounted : [head, ...uncounted];
  return [`- ${first}`, ...rest.map((line) => `  - ${line}`), ""].join("\n");
}
