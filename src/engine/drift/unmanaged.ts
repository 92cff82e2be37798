import {
  type DeclaredObject,
  decide,
  HELD,
  type LiveContainer,
  type LiveObject,
  UNMANAGED,
} from "../../framework";
import { defined } from "../../json";
import { type Attributes, attributeEntries, type ValueObject } from "../../schema";
import { compareNatural } from "../../text";
import { containerOf } from "../objects/identities";
import type { CoverageScan, ListFailure, UnmanagedObject } from "../results/drift";
import type { StackRun } from "../stack-run/stack-run";

/** The provider that a run uses for a provider configuration. */
export type HostedProvider = NonNullable<ReturnType<StackRun["providerFor"]>>;
/** The types whose live objects a provider can list, by name. */
export type Listed = NonNullable<HostedProvider["listed"]>;

/** The kind and the id of a container. */
export type ContainerId = Pick<LiveContainer, "kind" | "id">;

/** Returns the name of a container in reports, such as `kind 42`. */
export const nameOf = ({ kind, id }: ContainerId): string => `${kind} ${id}`;

/**
 * Returns the names of the undeclared settings of a live object, except settings with the service's default value.
 *
 * @param declared the declarations of the object; if there are none, all settings of the object are undeclared
 */
function undeclaredSettings(
  { type, container, state, defaults }: LiveObject,
  attributes: Attributes,
  declared: readonly DeclaredObject[],
): string[] {
  const configurations = declared.filter((one) => one.type === type && one.state === undefined);
  // The result is empty if only the state has the object, because the next plan deletes the object. The result is also empty if
  // the object is an entry of a declared set.
  if (declared.length > 0 && configurations.length === 0) return [];
  const isDeclared = (name: string) => configurations.some(({ config }) => (config[name] ?? null) !== null);
  return attributeEntries(attributes)
    .filter(
      ([name, { presence }]) =>
        name !== container.kind &&
        // In a declared object, only omitted attributes with the presence `optionalComputed` can be undeclared. Drift already
        // compares all other attributes, or never compares them.
        (presence === "optionalComputed" ||
          (configurations.length === 0 && presence !== "computed" && presence !== "configOnly")) &&
        (state.attributes[name] ?? null) !== null &&
        !defaults.includes(name) &&
        !isDeclared(name),
    )
    .map(([name]) => name);
}

/** Returns a copy that contains only the attributes with these names. */
const onlyAttributes = <T extends Attributes | ValueObject>(all: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as T;

interface UnmanagedGiven {
  readonly run: StackRun;
  /** The key of the provider configuration. */
  readonly key: string;
  readonly provider: HostedProvider;
  /** The declarations of the object. */
  readonly declared: Parameters<typeof undeclaredSettings>[2];
}

/**
 * Returns a list that contains the live object, if the object is undeclared or its declarations omit settings.
 * Otherwise, returns an empty list.
 */
export function unmanagedObject(
  live: LiveObject,
  { run, key, provider, declared }: UnmanagedGiven,
): readonly UnmanagedObject[] {
  const { type, id, container, state } = live;
  const { attributes } = provider.schema.resources[type]!;
  const values = { type, attributes, before: null, after: state.attributes };
  const place = containerOf(run, key, { ...values, beforeSensitive: [], afterSensitive: [] });
  const named = defined({
    ...{ type, id, container: nameOf(container), place, undeclarable: live.undeclarable },
    grantsNothing: provider.listed![type]!.grantsNothing,
  });
  const isDeclared = declared.length > 0;
  const { why } = decide(isDeclared ? HELD : UNMANAGED);
  // An undeclared object is reported as a whole, unless each container always has such an object.
  if (why === "not declared" && !provider.listed![type]!.isSingle)
    return [{ ...named, live: state.attributes, attributes }];
  const undeclared = undeclaredSettings(live, attributes, declared);
  if (undeclared.length === 0) return [];
  const names = [container.kind, ...undeclared];
  const settings = {
    ...named,
    live: onlyAttributes(state.attributes, names),
    attributes: onlyAttributes(attributes, names),
    undeclared,
  };
  return [isDeclared ? { ...settings, isDeclared } : settings];
}

/**
 * Returns an entry of the report for each container that no declaration names. Containers of a kind without settings are left
 * out.
 */
export function undeclaredContainers(
  containers: readonly LiveContainer[],
  named: ReadonlySet<string>,
  listed: Listed,
): readonly UnmanagedObject[] {
  const kinds = new Set(Object.values(listed).flatMap((one) => (one.isSingle ? one.container : [])));
  return containers
    .filter((container) => kinds.has(container.kind) && !named.has(nameOf(container)))
    .map(undeclaredContainer);
}

/**
 * Returns one entry of the report for all objects of a type in a container. The entry is used if the token has no right
 * to list these objects.
 */
export function unlistedObjects({ type, container, diagnostics }: ListFailure): UnmanagedObject {
  const { kind, id, path } = container;
  const [first] = diagnostics;
  const role = first?.refused?.role;
  const needed = role === undefined ? "a token with a higher role" : `a token with the role ${role}`;
  return {
    type,
    id: path,
    container: nameOf(container),
    place: { kind, name: path, id },
    live: {},
    attributes: {},
    unlisted: `The service refused the list (403), so undeclared objects are not reported. Use ${needed} in the ${kind}, or add a waiver.`,
  };
}

/**
 * Returns the report's entry for an undeclared container, such as a new container. The container is inside a container
 * that the scan covers.
 */
const undeclaredContainer = ({ kind, id, path }: LiveContainer): UnmanagedObject => ({
  type: kind,
  id: path,
  container: `${kind} ${id}`,
  place: { kind, name: path, id },
  live: {},
  attributes: {},
  isContainer: true,
});

/**
 * Returns the objects that every scan of their container reports as unmanaged. An object that is unmanaged in the scan of one
 * stack can be declared by another stack.
 */
export function unmanagedInAll(scans: readonly CoverageScan[]): UnmanagedObject[] {
  const scanCounts = new Map<string, number>();
  const found = new Map<string, { object: UnmanagedObject; service: string; times: number }>();
  for (const { service, containers, unmanaged } of scans) {
    for (const container of containers) count(scanCounts, `${service} ${container}`);
    for (const object of unmanaged) {
      const name = `${service} ${object.type} ${object.id}`;
      const known = found.get(name);
      found.set(name, {
        // If the scan of one stack found the object declared, its entry is kept, because it lists the attributes that the
        // declaration omits.
        object: known === undefined || object.isDeclared ? object : known.object,
        service,
        times: (known?.times ?? 0) + 1,
      });
    }
  }
  return [...found.values()]
    .filter(({ object, service, times }) => times === scanCounts.get(`${service} ${object.container}`))
    .map(({ object }) => object)
    .sort((one, other) => compareNatural(`${one.type} ${one.id}`, `${other.type} ${other.id}`));
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
