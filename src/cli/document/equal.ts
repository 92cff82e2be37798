import { type ActionReason, changeFacts, groupBy, parseAddress, type ResourceAddress } from "../../engine";
import { oneLine, quote } from "../../text";
import { type Row, rowsOf } from "../difference";
import { computedAttributesOf, keyAttributesOf } from "../objects/object-facts";
import { fieldName } from "../terminal/text";
import type { ReportAttribute, ReportObject, ReportStack } from "./model";

/** Groups objects of one type that change or drift in the same way. Groups that loosen access come first. */
export const groupEqualObjects = (objects: readonly ReportObject[]): Equal<ReportObject>[] =>
  looserFirst(groupEqual(objects, equalKeyOf), ([{ strictness }]) => strictness);

/** Sorts the items: items that loosen access come first. Otherwise, the items keep their order. */
export const looserFirst = <T>(
  items: readonly T[],
  strictnessOf: (item: T) => ReportObject["strictness"],
): T[] => {
  const isLooser = (item: T) => ["looser", "mixed"].includes(strictnessOf(item) ?? "");
  return [...items.filter(isLooser), ...items.filter((item) => !isLooser(item))];
};

/** Objects of several stacks that change or drift in the same way, and the number of these stacks. */
export interface EqualInStacks {
  readonly objects: Equal<ReportObject>;
  readonly stacks: number;
}

/** Returns the groups of objects that change or drift in the same way in several stacks. */
export function equalInStacks(
  stacks: readonly Pick<ReportStack, "objects">[],
  isListed: (object: ReportObject) => boolean,
): EqualInStacks[] {
  if (stacks.length < 2) return [];
  const stackOf = new Map(
    stacks.flatMap((stack) => stack.objects.filter(isListed).map((object) => [object, stack] as const)),
  );
  return groupEqualObjects([...stackOf.keys()])
    .map((objects) => ({ objects, stacks: new Set(objects.map((object) => stackOf.get(object))).size }))
    .filter((group) => group.stacks > 1);
}

/**
 * The names of the facts in the change record that must be equal in a group of equal objects. Only the address and the import
 * id can differ.
 */
const SHARED_FACTS = (Object.keys(changeFacts) as (keyof typeof changeFacts)[]).filter(
  (name) => name !== "address" && name !== "import_id",
);

/**
 * Returns a text that is the same for objects that change in the same way. Returns undefined for an object that is never
 * grouped: an object without a project or group, or with facts that concern only this object.
 */
function equalKeyOf(object: ReportObject): string | undefined {
  const { status, project, group, previous_address: before, diagnostics } = object;
  const { same_as: sameAs, takes_over: takesOver, deposed, not_repaired: why } = object;
  const isOwnStory =
    diagnostics.length > 0 || [before, sameAs, takesOver, deposed, why].some((part) => part !== undefined);
  if ((project ?? group) === undefined || isOwnStory) return undefined;
  const kind = project === undefined ? "group" : "project";
  return JSON.stringify([
    ...SHARED_FACTS.map((name) => object[name]),
    status,
    kind,
    object.unchecked,
    object.deleted_outside,
    object.is_revert,
    object.strictness,
    object.import_id !== undefined,
    object.is_declared,
    object.is_container,
    object.undeclared,
    object.undeclarable,
    object.unlisted,
    inGeneral(object).map(({ name, difference }) => [name, difference]),
  ]);
}

/**
 * Returns the attributes that a group of equal objects shows. Leaves out attributes that identify a single object, such as `id`
 * or `name`. If the objects are in several projects, `{project}` replaces the path.
 */
export const attributesOf = (objects: Equal<ReportObject>): ReportAttribute[] =>
  new Set(objects.map(containerNameOf)).size > 1 ? inGeneral(objects[0]) : withoutNames(objects[0]);

const withoutNames = (object: ReportObject): ReportAttribute[] => {
  const { type, attributes } = object;
  const computed = isListedWhole(object) ? computedAttributesOf(type) : [];
  const names = new Set(["id", "project", "group", ...keyAttributesOf(type), ...computed]);
  return attributes.filter(({ name }) => !names.has(name));
};

/**
 * Returns true if the attributes of an object are all its values, and not a difference. An example is a deleted object. If so,
 * comparisons of the object ignore values that the service sets, such as a time.
 */
const isListedWhole = ({ action, status }: ReportObject): boolean =>
  ["import", "delete", "forget"].includes(action ?? "") || ["unmanaged", "vanished"].includes(status);

/**
 * Returns the attributes of an object, with `{project}` or `{group}` instead of the path of its project or group. The same
 * change in several projects then has the same texts.
 */
function inGeneral(object: ReportObject): ReportAttribute[] {
  const path = containerNameOf(object);
  const placeholder = object.project === undefined ? "{group}" : "{project}";
  const attributes = withoutNames(object);
  const text = JSON.stringify(attributes.map(({ difference }) => difference));
  if (path === undefined || !text.includes(path) || text.includes(placeholder)) return attributes;
  const own = quote(path).slice(0, -1);
  const general = (value: string, field: string) =>
    (field === "before" || field === "after") && (value === `${own}"` || value.startsWith(`${own}/`))
      ? `"${placeholder}${value.slice(own.length)}`
      : value;
  return attributes.map((one) => ({ ...one, difference: withTexts(one.difference, general) }));
}

/**
 * Returns a copy of a value in which `change` has replaced each text. `change` gets a text and the name of its field. `change`
 * is also called for the names of fields, with an empty second argument.
 */
export function withTexts<T>(value: T, change: (text: string, name: string) => string, name = ""): T {
  if (typeof value === "string") return change(value, name) as T;
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change, name)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    change(key, ""),
    withTexts<unknown>(one, change, key),
  ]);
  return Object.fromEntries(entries);
}

const containerNameOf = ({ project, group }: Pick<ReportObject, "project" | "group">): string | undefined =>
  project ?? group;

/** Returns the noun for an object, such as `environment`. */
export const nounOf = (type: string): string => type.replace(/^[^_]*_(protected_)?/, "").replaceAll("_", " ");

const many = (count: number, noun: string): string =>
  `${count} ${count === 1 || noun.endsWith("s") ? noun : `${noun}s`}`;

/** The places of equal objects, in texts for people. */
interface Places {
  /**
   * The text that sums up where the objects are, such as `8 environments of acme/web`, `environment production in 12 projects` or
   * `in 12 projects`.
   */
  readonly heading: string;
  /**
   * The items that the heading counts. If all objects are in one project, the items are the objects. Otherwise, the items are
   * projects. If the names of the objects differ, `keys` has the names in each project.
   */
  readonly items: readonly NamedContainer[];
}

export interface NamedContainer {
  readonly name: string;
  readonly url?: string | undefined;
  readonly keys: readonly string[];
}

type Placed = Pick<ReportObject, "type" | "project" | "group" | "url" | "name">;

/**
 * Returns where equal objects are: a heading, and a list of projects or objects.
 *
 * @param stacks the number of stacks that contain the objects
 * @param write returns a name as the heading should show it
 */
export function placesOf(objects: Equal<Placed>, stacks = 1, write = (name: string): string => name): Places {
  const [{ type, project }] = objects;
  const containers = new Map<string, NamedContainer & { readonly keys: string[] }>();
  for (const object of objects) {
    const name = containerNameOf(object)!;
    const known = containers.get(name) ?? { name, url: object.url, keys: [] };
    containers.set(name, known);
    if (object.name !== undefined) known.keys.push(object.name);
  }
  const items = [...containers.values()];
  const inStacks = stacks > 1 ? ` of ${many(stacks, "stack")}` : "";
  const where = `in ${many(items.length, project === undefined ? "group" : "project")}${inStacks}`;
  const first = items[0]!;
  if (items.length === 1 && first.keys.length > 1)
    return {
      heading: `${many(objects.length, nounOf(type))} of ${write(first.name)}${inStacks}`,
      items: first.keys.map((name) => ({ name, keys: [] })),
    };
  const [key, ...others] = new Set(objects.map(({ name }) => name));
  if (others.length > 0) return { heading: `${many(objects.length, nounOf(type))} ${where}`, items };
  const heading = key === undefined ? where : `${nounOf(type)} ${write(key)} ${where}`;
  return { heading, items: items.map(({ name, url }) => ({ name, url, keys: [] })) };
}

/** The minimum number of equal items that are shown as a group. */
const MIN_EQUAL = 5;

/** One item, or a group of at least `MIN_EQUAL` equal items. */
export type Equal<T> = readonly [first: T, ...rest: readonly T[]];

/**
 * Groups equal items. A group is at the position of its first item; all other items keep their order. Fewer than `MIN_EQUAL`
 * equal items stay separate.
 *
 * @param keyOf returns the same text for equal items, and undefined for an item that is equal to no other
 */
export function groupEqual<T extends object>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): Equal<T>[] {
  const groups = [...groupBy(items, (item) => keyOf(item) ?? item).values()];
  const together = new Map(
    groups
      .filter(({ length }) => length >= MIN_EQUAL)
      .flatMap((group) => group.map((item) => [item, group] as const)),
  );
  return items.flatMap((item): Equal<T>[] => {
    const group = together.get(item) ?? [item];
    return group[0] === item ? [group] : [];
  });
}

type Shown = Pick<ReportObject, "attributes" | "action">;

const ROWS = new WeakMap<readonly ReportAttribute[], readonly Row[]>();

/** Returns the lines that show the differences of an object, as a plan shows them. Imported values have no marks such as `+`. */
export function rowsIn({ attributes, action }: Shown): readonly Row[] {
  const known = ROWS.get(attributes);
  if (known !== undefined) return known;
  const rows = rowsOf(attributes, { isUnmarked: action === "import" });
  ROWS.set(attributes, rows);
  return rows;
}

/** Returns the differences of an object as text. */
export const diffOf = (object: Shown): string => rowsIn(object).map(lineOf).join("\n");

/** Returns the text of a line, indented by its own depth only. */
export const lineOf = ({ depth, mark, text }: Row): string => `${" ".repeat(4 * depth)}${mark} ${text}`;

/** The facts about an object that reasons depend on. */
type Facts = Pick<
  ReportObject,
  "type" | "address" | "action" | "deposed" | "reason" | "previous_address" | "same_as"
>;
type Reasoned = Facts & Partial<Pick<ResourceAddress, "name" | "indexKey">>;

export const LEFT_FLEET = "its project has left the fleet, or a layer drops it";

export const keptBy = (address: string): string => `${address} declares the same object, so it is kept`;

export const adopts = (address: string): string => `adopts the existing object of ${address}`;

export const LEFT_OVER = "left over from a partially-failed replacement of this instance";

/**
 * The sentences for the reasons of actions, for all formats. If an attribute forces a replacement, the line of the attribute
 * already says so, so this table has no sentence for this reason.
 */
const REASONS: Readonly<Partial<Record<ActionReason, (object: Reasoned) => string>>> = {
  replace_because_tainted: () => "tainted",
  replace_by_request: () => "as requested",
  replace_by_triggers: () => "due to changes in replace_triggered_by",
  delete_because_no_resource_config: ({ type, name = "" }) =>
    `because ${fieldName(type)}.${fieldName(name)} is not in configuration`,
  delete_because_wrong_repetition: ({ indexKey }) =>
    indexKey === undefined
      ? "because resource uses count or for_each"
      : `because resource does not use ${typeof indexKey === "number" ? "count" : "for_each"}`,
  delete_because_count_index: ({ indexKey }) => `because index [${indexKey}] is out of range for count`,
  delete_because_no_move_target: ({ address, previous_address: before = "" }) =>
    `because ${oneLine(before)} was moved to ${oneLine(address)}, which is not in configuration`,
  delete_because_each_key: ({ indexKey }) =>
    `because key [${quote(String(indexKey))}] is not in for_each map`,
  read_because_config_unknown: () => "config refers to values not yet known",
  read_because_dependency_pending: () => "depends on a resource with changes pending",
  read_because_check_nested: () => "config will be reloaded to verify a check block",
};

/**
 * Returns a text that says why a plan replaces, destroys, forgets or reads these objects. Returns undefined if the objects have
 * different reasons, or if the lines of their attributes already show the reason.
 */
export function reasonText(objects: readonly Facts[]): string | undefined {
  const [why, ...others] = new Set(objects.map(reasonOf));
  return others.length === 0 ? why : undefined;
}

function reasonOf(object: Facts): string | undefined {
  const { action, address, deposed, reason, same_as: sameAs } = object;
  if (deposed !== undefined || (action === "create" && reason === "replace_by_triggers")) return undefined;
  if (action === "forget" && sameAs === undefined)
    return reason === "delete_because_each_key" ? LEFT_FLEET : "destroy = false is set in the configuration";
  const named = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return reason && REASONS[reason as ActionReason]?.({ ...object, ...named } as Reasoned);
}
