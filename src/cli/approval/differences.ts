import { type Attributes, encodedText, isEncodedUnknown, sameValue, type Value } from "../../engine";
import { type ApprovedChange, verbOf } from "./file";

const WHOLE = ["service", "action", "create_first", "previous_address", "import_id"] as const;

/**
 * Compares a planned change with an approved change. Returns one line for each difference. For an update, compares only the
 * attributes that at least one of the two changes writes. An attribute that already has the approved value is not a difference.
 */
export function differencesOf(
  planned: ApprovedChange,
  approved: ApprovedChange,
  attributes: Attributes,
): string[] {
  const shown = (change: ApprovedChange, name: (typeof WHOLE)[number]) =>
    name === "action" ? verbOf(change) : (change[name] ?? null);
  /**
   * Whether the approved change creates an object that already exists. One line then reports that the object exists, instead
   * of a difference for each of its values.
   */
  const existsNow = approved.action === "create" && planned.action !== "create" && planned.before !== null;
  const found = WHOLE.filter((name) => planned[name] !== approved[name]).map((name) =>
    changeOf(name, shown(approved, name), shown(planned, name)),
  );
  if (existsNow) found.push("the object exists now");
  else if (approved.id !== null && planned.id !== null && planned.id !== approved.id)
    found.push(changeOf("id", approved.id, planned.id));
  const isSame = (one: Value, other: Value, name: string) => sameValue(one, other, attributes[name]?.type);
  const isUpdate = planned.action === "update" && approved.action === "update";
  const names = new Set(
    [planned, approved].flatMap(({ before, after, live }) =>
      [before, after, live].flatMap((values) => Object.keys(values ?? {})),
    ),
  );
  for (const name of names) {
    const value = ({ [name]: one = null }: Readonly<Record<string, Value>>) => one;
    const [then, now] = [approved, planned].map(({ before, after, live }) => ({
      before: value(before ?? {}),
      after: value(after ?? {}),
      live: value(live ?? {}),
    })) as [Sides, Sides];
    const isWritten = !isSame(now.before, now.after, name) || !isSame(then.before, then.after, name);
    if (isUpdate && !isWritten) continue;
    if (existsNow && (isEncodedUnknown(then.after) || isSame(now.after, then.after, name))) continue;
    if (!isSame(now.after, then.after, name)) found.push(changeOf(name, then.after, now.after));
    else if (!isSame(now.before, then.before, name) && !(isUpdate && isSame(now.before, then.after, name)))
      found.push(valueText(name, "value before the change", then.before, now.before));
    else if (!isSame(now.live, then.live, name) && !isSame(now.live, then.after, name))
      found.push(valueText(name, "live value", then.live, now.live));
  }
  return found;
}

type Sides = Readonly<Record<"before" | "after" | "live", Value>>;

const changeOf = (name: string, approved: Value, planned: Value): string =>
  `${name}: approved ${shortly(approved)}, planned ${shortly(planned)}`;

const valueText = (name: string, what: string, approved: Value, planned: Value): string =>
  `${name}: the ${what} is ${shortly(approved)} in the approval, and ${shortly(planned)} in the new plan`;

/** The maximum number of characters of a value in a line. People find longer values in the plan. */
const MAX_LENGTH = 200;

function shortly(value: Value): string {
  if (value === null) return "none";
  if (isEncodedUnknown(value)) return "(known after apply)";
  const text = encodedText(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/**
 * Returns one line for each difference between a planned change and its approved change. Without a difference, returns one line
 * that says that the change is not approved.
 */
export const describeDifference = (
  name: string,
  planned: ApprovedChange,
  differences: readonly string[],
): string[] =>
  differences.length === 0
    ? [`${name}: ${verbOf(planned)} is planned, but not approved`]
    : differences.map((one) => `${name}, ${one}`);
