import { defined } from "../../../json";
import { counted, namesUpTo } from "../../../text";
import type { ReportAccess } from "../../document/model";
import { type AccessItem, accessHeadline, accessItems } from "../../views/access";
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
  budget.must(`\n### Access\n\n${accessHeadline(access, isWhole)}\n${access.length > 0 ? "\n" : ""}`);
  budget.each(accessItems(access), "place", (item) =>
    budget.try(renderItem(item, anchors)) ? 0 : item.entries.length,
  );
}

function renderItem(
  { entries, place, text, names, places, notCounted }: AccessItem,
  anchors: Anchors,
): string {
  const [{ stack }] = entries;
  const where = Object.entries(defined({ stack, ...Object.fromEntries(place) }))
    .map(([kind, name]) => `${kind} ${code(name!)}`)
    .join(", ");
  const what = text === "" ? "" : `${code(text)}${anchors.to(entries)}`;
  const head = [where, what].filter((part) => part !== "").join(": ");
  const list =
    names.length <= MAX_EXPANDED_NAMES
      ? names.map((name) => code(name)).join(", ")
      : `\n${details(counted(names.length, "place"), placeNames(places))}`;
  const uncounted = notCounted.map((one) => `not counted: ${code(one.what)} (${prose(one.why)})`);
  const [first, ...rest] =
    head === "" ? uncounted : [names.length > 0 ? `${head}: ${list}` : head, ...uncounted];
  return [`- ${first}`, ...rest.map((line) => `  - ${line}`), ""].join("\n");
}
