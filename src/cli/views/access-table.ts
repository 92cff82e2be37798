import { groupBy } from "../../engine";
import { atMost } from "../../text";
import { directionOfAccess, directionOfRule, loosens } from "../document/access-direction";
import { EVERYBODY, holderText, nounOf, quoted, targetOf } from "../document/access-text";
import type { NamedContainer } from "../document/equal";
import type { ReportAccess, ReportObject } from "../document/model";
import { type AccessItem, accessItems } from "./access";

/** One line of a table: who gains or loses an ability, or which rule changes. */
export interface AccessRow {
  readonly kind: "gains" | "loses" | "loosens" | "tightens" | "changes";
  /** The place within the project, and the ability or rule, such as `environment production · deploy`. */
  readonly what: string;
  /** Names, at most ten of them, or the old and new value of a rule. */
  readonly values: readonly string[];
}

/** The access changes of one project or group, or the same changes in many. */
export interface AccessCard {
  /** `project` or `group` with its path, and `on` with its service; empty for many, and without a place. */
  readonly place: AccessItem["place"];
  /** Such as `in 412 projects`, for many. */
  readonly heading: string;
  readonly places: readonly NamedContainer[];
  readonly names: readonly string[];
  readonly direction: ReportObject["strictness"];
  /** Rows that loosen access come first. */
  readonly rows: readonly AccessRow[];
  readonly notCounted: ReportAccess["not_counted"];
  readonly entries: readonly ReportAccess[];
}

/** Names beyond these are counted. */
const SHOWN = 10;

const KINDS: readonly AccessRow["kind"][] = ["loosens", "gains", "changes", "loses", "tightens"];

/** The access changes as tables. What loosens access comes first; changes without a place come last. */
export function accessCards(access: readonly ReportAccess[]): AccessCard[] {
  const cards = groupBy(accessItems(access), (item) =>
    item.names.length > 0 ? item : JSON.stringify(item.place),
  );
  const all = [...cards.values()].map(cardOf);
  const first = all.filter(({ direction }) => loosens(direction));
  const others = all.filter(({ direction }) => !loosens(direction));
  const isGeneral = ({ place, names }: AccessCard) => place.length + names.length === 0;
  return [...first, ...others.filter((card) => !isGeneral(card)), ...others.filter(isGeneral)];
}

function cardOf(items: readonly [AccessItem, ...AccessItem[]]): AccessCard {
  const [{ place, heading, places, names }] = items;
  const rows = items.flatMap(({ entries: [entry], isTargetShown }) => rowsOf(entry, isTargetShown));
  const directions = items.map(({ entries: [entry] }) => directionOfAccess(entry));
  return {
    place,
    heading,
    places,
    names,
    direction: joined(directions),
    rows: KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind)),
    notCounted: distinct(items.flatMap(({ notCounted }) => notCounted)),
    entries: items.flatMap(({ entries }) => entries),
  };
}

const distinct = (all: ReportAccess["not_counted"]): ReportAccess["not_counted"] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

function joined(directions: readonly ReportObject["strictness"][]): ReportObject["strictness"] {
  const [first, ...others] = new Set(directions.filter((one) => one !== undefined));
  return others.length === 0 ? first : "mixed";
}

/** The rows of one place. With a target shown elsewhere, they name only abilities and rules. */
function rowsOf(entry: ReportAccess, isTargetShown: boolean): AccessRow[] {
  const target = isTargetShown ? targetOf(entry) : undefined;
  const within = (what: string) =>
    target === undefined ? what : `${target.kind} ${quoted(target.name)} · ${what}`;
  const people = (["gains", "loses"] as const).flatMap((kind) =>
    Object.entries(entry[kind]).flatMap(([ability, names]): AccessRow[] => {
      const shown = names.includes(EVERYBODY) ? [EVERYBODY] : names;
      if (shown.length === 0) return [];
      const values = atMost(
        shown.map((name) => holderText(entry, ability, name)),
        SHOWN,
      );
      return [{ kind, what: within(nounOf(ability)), values }];
    }),
  );
  const rules = entry.rules.map((rule): AccessRow => {
    const direction = directionOfRule(rule);
    const kind = direction === undefined ? "changes" : direction === "looser" ? "loosens" : "tightens";
    return { kind, what: within(quoted(rule.name)), values: [`${rule.before} → ${rule.after}`] };
  });
  return [...people, ...rules];
}
