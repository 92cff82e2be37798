import {
  type ChangeContainer,
  containerByAttributes,
  isUnknown,
  originOf,
  type ResourceChange,
  shownId,
  type UnmanagedObject,
  type Value,
  type ValueObject,
} from "../../engine";
import { defined } from "../../json";
import { compareStrictness, createProvider, PROVIDER_SOURCE, type Strictness } from "../../provider";

// This file asks the provider for facts about planned objects. The values of the objects do not contain these facts.

let provider: ReturnType<typeof createProvider> | undefined;

const ownProvider = () => {
  provider ??= createProvider();
  return provider;
};

const resourceOf = (type: string) => {
  const { resources } = ownProvider().schema;
  return Object.hasOwn(resources, type) ? resources[type] : undefined;
};

/**
 * Returns true if a delete removes an object only from the state. For example, the service keeps the value of a setting that
 * always exists.
 */
export function isKeptOnService({ provider: source, mode, type, action, before }: ResourceChange): boolean {
  if (source !== PROVIDER_SOURCE || mode !== "managed" || action !== "delete" || before === null)
    return false;
  return (resourceOf(type) && provider!.isLeftOnDestroy?.(type, before)) ?? false;
}

/** Returns the parts of an object's id, such as the container and the key. */
export const idPartsOf = (type: string, id: string) => ownProvider().idParts?.(type, id);

/**
 * Returns the names of the attributes that distinguish an object from other objects of its project or group, such as `name`;
 * empty for a setting.
 */
export function keyAttributesOf(type: string): readonly string[] {
  const known = keyAttributes.get(type);
  if (known !== undefined) return known;
  const names = Object.entries(resourceOf(type)?.identity?.attributes ?? {})
    .filter(([name, { type: of }]) => of.kind !== "reference" || (name !== "project" && name !== "group"))
    .map(([name]) => name);
  keyAttributes.set(type, names);
  return names;
}

const keyAttributes = new Map<string, readonly string[]>();

/** Returns the names of a type's attributes that only the service sets, such as the time of an invitation. */
export const computedAttributesOf = (type: string): readonly string[] =>
  Object.entries(resourceOf(type)?.attributes ?? {})
    .filter(([, { presence }]) => presence === "computed")
    .map(([name]) => name);

type Keyed = Pick<ResourceChange, "type" | "beforeSensitive" | "afterSensitive"> &
  Partial<Pick<ResourceChange, "before" | "after">>;

/**
 * Returns the key that distinguishes an object from other objects of its project or group, such as `production`; undefined
 * for a setting.
 */
export function keyOf({
  type,
  before = null,
  after = null,
  beforeSensitive,
  afterSensitive,
}: Keyed): string | undefined {
  const hidden = new Set([...beforeSensitive, ...afterSensitive].map(([name]) => name));
  for (const name of keyAttributesOf(type)) {
    const value = (after ?? before)?.[name] ?? null;
    if (hidden.has(name)) return undefined;
    if (value !== null && !isUnknown(value)) return String(value);
  }
  const id = shownId(before, beforeSensitive) ?? shownId(after, afterSensitive);
  return id === undefined ? undefined : idPartsOf(type, id)?.key;
}

/**
 * Returns the values that the service has after a delete of a setting: for example, the lists of the setting are empty.
 * Returns null for an object with a key, because a delete removes the whole object.
 */
export const leftBehind = (type: string, before: ValueObject | null): ValueObject | null =>
  before === null || keyAttributesOf(type).length > 0 ? null : strictest(before);

/** Returns a copy of the settings in which each setting has the value that allows least. */
const strictest = (values: ValueObject): ValueObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, strictestOf(value)]));

function strictestOf(value: ValueObject[string]): ValueObject[string] {
  if (Array.isArray(value)) return [];
  return value === false ? true : value;
}

/**
 * Returns whether a change allows more than before, less than before, or more in one part and less in another part. Returns
 * undefined if the access stays the same, and for objects of other providers than Steward's.
 */
export function strictnessOf(change: ResourceChange): Exclude<Strictness, "equal"> | undefined {
  const { provider: source, mode, type, action, before, after, replaced } = change;
  if (source !== PROVIDER_SOURCE || mode !== "managed" || action === "no-op" || action === "forget")
    return undefined;
  if (isKeptOnService(change) || resourceOf(type) === undefined) return undefined;
  // A setting exists on the service before Steward creates its object. If the values on the service are not known, this code
  // assumes the strictest values, so the create counts as looser.
  const earlier = before ?? replaced?.live ?? leftBehind(type, after);
  const later = after === null ? leftBehind(type, before) : known(after, earlier);
  const found = compareStrictness(type, earlier, later);
  return found === "equal" ? undefined : found;
}

/** Returns the values, with each unknown value replaced by the earlier value. Replaced values then count as unchanged. */
const known = (values: ValueObject, earlier: ValueObject | null): ValueObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, Value] => [
      name,
      isUnknown(value) ? (earlier?.[name] ?? null) : value,
    ]),
  );

type Placed = Pick<
  ResourceChange,
  "attributes" | "beforeSensitive" | "afterSensitive" | "container" | "position"
> &
  Partial<Pick<ResourceChange, "before" | "after">>;

/** Returns the container that the run found for an object, otherwise the container that the attributes of the object name. */
export const containerOf = (change: Placed): ChangeContainer | undefined =>
  change.container ?? containerByAttributes({ before: null, after: null, ...change });

/** Returns the known containers of objects. An object without a known container is left out. */
export const containersOf = (changes: readonly Placed[]): ChangeContainer[] =>
  changes.flatMap((change) => containerOf(change) ?? []);

/**
 * Returns the project or group of an object with its web page, and the line of code, as the fields of reports and events. The
 * project or group has its full path, or its numeric id if the path is not known. Unknown fields are left out.
 */
export function placeOf(change: Placed) {
  const { kind, name, url } = containerOf(change) ?? {};
  const id =
    shownId(change.before ?? null, change.beforeSensitive) ??
    shownId(change.after ?? null, change.afterSensitive);
  const [project, group] = [kind === "project" ? name : undefined, kind === "group" ? name : undefined];
  const { file, line } = originOf({ position: change.position });
  return defined({ project, group, url, id, file, line });
}

export const placeOfUndeclared = ({ live, attributes, place }: UnmanagedObject) =>
  placeOf({
    attributes,
    before: null,
    after: live,
    beforeSensitive: [],
    afterSensitive: [],
    ...(place && { container: place }),
  });
