import { type Diagnostic, error } from "../../diagnostics";
import {
  type ConfiguredProvider,
  decide,
  HELD,
  LEAVING,
  type Neighbour,
  OwnerIndex,
  type Provider,
  type Share,
} from "../../framework";
import {
  type AttributeType,
  attributeEntries,
  isNumericId,
  once,
  type Value,
  type ValueObject,
} from "../../schema";
import { withoutKeys } from "../declarations/address-keys";
import type { Plan, ResourceChange } from "../results/plan";
import { configurationsOf, objectAt, resourcesInJson } from "./dependencies";

/** The first id that is invented for a path whose id is not known. No service has ids of this size. */
const FIRST_INVENTED = 2 ** 50;

const isInvented = (id: number): boolean => id >= FIRST_INVENTED;

type PathsAsIds = ReturnType<typeof pathsAsIds>;

/**
 * Returns a converter of references to ids, so that paths and numbers can be compared without a service. The converter finds
 * the ids of paths in the objects and data sources of the plan. A path without a known id gets an invented id.
 */
function pathsAsIds(
  recorded: ReadonlyMap<string, string>,
  objects: readonly ResourceChange[],
  containerOf: (type: string) => string | undefined,
) {
  /** The ids by kind and path, in lower case. */
  const ids = new Map<string, number>();
  /** The ids for which the plan shows a path, regardless of the kind of container. */
  const named = new Set<number>();
  let invented = FIRST_INVENTED;
  const keyOf = (kind: string, path: string): string => `${kind}:${path}`.toLowerCase();
  const learn = (kind: string, path: string, id: number): void => {
    if (!Number.isSafeInteger(id) || isNumericId(path)) return;
    ids.set(keyOf(kind, path), id);
    named.add(id);
  };
  /**
   * Records the ids of paths that an object shows. The id of an object begins with the id of its container. An attribute such as
   * `NAME_id` contains the id for the path in the attribute `NAME`.
   */
  const learnFrom = ({ type: resource, attributes }: ResourceChange, values: ValueObject): void => {
    for (const [name, { type }] of attributeEntries(attributes)) {
      const path = values[name];
      if (type.kind !== "reference" || typeof path !== "string") continue;
      const isContainer = name === containerOf(resource);
      const id = isContainer ? /^\d+/.exec(String(values["id"]))?.[0] : values[`${name}_id`];
      if (typeof id === "number" || typeof id === "string") learn(type.to, path, Number(id));
    }
  };
  const asId = (type: AttributeType | undefined, value: Value): Value => {
    if (type?.kind === "reference" && typeof value === "string")
      return isNumericId(value) ? value : String(once(ids, keyOf(type.to, value), () => invented++));
    if (type?.kind === "set" && "element" in type && Array.isArray(value))
      return value.map((one) => asId(type.element, one));
    return value;
  };
  for (const [name, path] of recorded) {
    const [kind = "", id] = name.split(" ");
    learn(kind, path, Number(id));
  }
  for (const object of objects)
    for (const values of [object.before, object.after]) if (values !== null) learnFrom(object, values);
  return {
    /** Returns whether the plan shows a path for an id. */
    isNamed: (id: number): boolean => named.has(id),
    /** Returns attributes in which ids replace paths. */
    attributes({ attributes }: Pick<ResourceChange, "attributes">, values: ValueObject): ValueObject {
      const types = new Map(attributeEntries(attributes).map(([name, { type }]) => [name, type]));
      return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, asId(types.get(name), value)]),
      );
    },
  };
}

/**
 * How an owner names a container that can't be compared: by a number with an unknown path, or by a path with an unknown number.
 */
type Spelling = "number" | "path";

const OPPOSITE = { number: "path", path: "number" } as const;

interface ConfiguredOwner<O> {
  readonly owner: O;
  /** The key of the owner's provider configuration. */
  readonly configuration: string;
}

/**
 * Finds pairs of owners that may own the same part of an object. One owner names the container by its id, and the other owner by
 * its path. The returned function records an owner. The function returns an owner that was recorded before under another provider
 * configuration, if it may own one of the new owner's parts. The function also returns whether the new owner names the container
 * by number or by path.
 */
function spellings<O>(ids: PathsAsIds) {
  const owners = { number: new OwnerIndex<ConfiguredOwner<O>>(), path: new OwnerIndex<ConfiguredOwner<O>>() };
  const open = (id: string, used: Set<Spelling>): string => {
    if (!isInvented(Number(id)) && ids.isNamed(Number(id))) return id;
    used.add(isInvented(Number(id)) ? "path" : "number");
    return "?";
  };
  return (owner: O, configuration: string, shares: readonly Share[]) => {
    let met: { other: O; spelling: Spelling } | undefined;
    for (const { place, entry } of shares) {
      const used = new Set<Spelling>();
      const part: Share = {
        place: place.replace(/ (\d+)(?=:|$)/, (_, id: string) => ` ${open(id, used)}`),
        entry: entry === undefined || !/^\d+$/.test(entry) ? entry : open(entry, used),
      };
      for (const spelling of used) {
        const [other] = owners[OPPOSITE[spelling]]
          .sharing(undefined, part)
          .filter((one) => one.configuration !== configuration);
        if (other !== undefined) met ??= { other: other.owner, spelling };
      }
      for (const spelling of used) owners[spelling].add({ shares: [part] }, { owner, configuration });
    }
    return met;
  };
}

/** The settings for a provider client that only compares objects, and sends no request. */
export interface OfflineSettings {
  /** The attribute that names the service. */
  readonly address: string;
  /** Values for the other required attributes, and for the address if the plan does not contain it. */
  readonly defaults: ValueObject;
  /** The paths that data sources of the plan show, by kind and numeric id, such as `space 42`. */
  readonly paths: ReadonlyMap<string, string>;
}

/** A declared object, or an object that the plan destroys, with the parts that it owns. */
type Owner = NonNullable<Awaited<ReturnType<typeof ownerOf>>>;

/**
 * Reports errors in a plan in JSON: a part that two declarations own, or a destroyed object that another declaration has. Under
 * Terraform, the provider can't find these errors. Each process of the provider knows only one provider configuration, and only
 * the objects that this process plans. Sends no request.
 */
export async function ownedTwice(
  plan: Plan,
  objects: readonly ResourceChange[],
  provider: Provider,
  settings: OfflineSettings,
): Promise<Diagnostic[]> {
  // Types that this release does not know are left out. A plan of a later release can contain such types.
  const isOwn = (change: ResourceChange) =>
    change.mode === "managed" &&
    change.provider === provider.schema.source &&
    Object.hasOwn(provider.schema.resources, change.type);
  const declared = objects.filter(isOwn);
  const destroyed = plan.changes.filter(
    (change) => isOwn(change) && change.before !== null && /delete/.test(change.action),
  );
  const ids = pathsAsIds(
    settings.paths,
    [...declared, ...destroyed],
    (type) => provider.listed?.[type]?.container,
  );
  const clients = clientsOf(plan, provider, settings);
  try {
    const ownersOf = async (changes: readonly ResourceChange[], values: "before" | "after") =>
      (await Promise.all(changes.map((change) => ownerOf(change, change[values]!, clients, ids)))).filter(
        (one) => one !== undefined,
      );
    const [owners, leaving] = [await ownersOf(declared, "after"), await ownersOf(destroyed, "before")];
    // With only one provider configuration, the provider itself has looked up the paths, so there is nothing to report.
    const spelled = clients.count > 1 ? notCompared([...owners, ...leaving], ids) : [];
    const found = compare(owners, leaving);
    const told = new Set(found.map(({ address }) => address));
    return [...found, ...spelled.filter(({ address }) => !told.has(address))];
  } finally {
    await clients.close();
  }
}

async function ownerOf(
  change: ResourceChange,
  values: ValueObject,
  clients: ReturnType<typeof clientsOf>,
  ids: PathsAsIds,
) {
  const { type } = change;
  /** The key of the object's provider configuration, such as `steward.second`. */
  const configuration = clients.keyOf(change.address);
  const client = clients.of(configuration);
  const request = { type, attributes: ids.attributes(change, values), private: undefined, isCacheOnly: true };
  const identity = await client?.identify?.(request);
  if (client === undefined || identity === undefined) return undefined;
  const at = ({ place, entry }: Share): Share => ({ place: `${client.service} ${place}`, entry });
  /** The parts of shared sets that the object owns. */
  const takes = (await client.owns?.(request)) ?? [];
  /** The parts of shared sets that exist as long as the object exists. */
  const held = (await client.owns?.({ ...request, part: "has" })) ?? [];
  return { change, configuration, identity, takes: takes.map(at), held: held.map(at) };
}

/**
 * Decides about each object with the decision table of this engine. The result is an error if another declaration has a destroyed
 * object: this engine would only forget it, but Terraform deletes it.
 */
function compare(declared: readonly Owner[], destroyed: readonly Owner[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const [owners, holders] = [new OwnerIndex<Owner>(), new OwnerIndex<Owner>()];
  for (const owner of declared) {
    const { identity, takes, held } = owner;
    const other = firstOther(owners, owner);
    const { verdict } = decide(HELD, neighbours("declared twice", other));
    if (verdict === "refuse") found.push(declaredTwice(owner, other!));
    owners.add({ identity, shares: takes }, owner);
    holders.add({ identity, shares: held }, owner);
  }
  for (const leaving of destroyed) {
    const other = firstOther(holders, leaving);
    const relation = other?.identity === leaving.identity ? "same object stays" : "all parts stay";
    const { verdict } = decide(LEAVING, neighbours(relation, other));
    if (verdict === "forget") found.push(destroyedAndDeclared(leaving, other!));
  }
  return found;
}

const neighbours = (relation: Neighbour["relation"], other: Owner | undefined): readonly Neighbour[] =>
  other === undefined ? [] : [{ relation, address: other.change.address }];

const firstOther = (index: OwnerIndex<Owner>, { identity, takes, change }: Owner): Owner | undefined =>
  index.related({ identity, shares: takes }).find((one) => one.change.address !== change.address);

const notCompared = (owners: readonly Owner[], ids: PathsAsIds): Diagnostic[] => {
  const meet = spellings<Owner>(ids);
  return owners.flatMap((owner) => {
    const met = meet(owner, owner.configuration, whole(owner, owner.takes));
    return met === undefined ? [] : [notComparable(owner, met)];
  });
};

const whole = ({ identity }: Owner, shares: readonly Share[]): Share[] => [{ place: identity }, ...shares];

const named = ({ change, configuration }: Owner): string => `${change.address} (provider ${configuration})`;

const declaredTwice = (owner: Owner, other: Owner): Diagnostic =>
  error({
    code: "declared_twice",
    summary: "Declared twice",
    detail: `${named(other)} and ${named(owner)} manage the same object on the service. Each would undo the other's changes. Remove one of them.`,
    address: owner.change.address,
  });

const destroyedAndDeclared = (leaving: Owner, other: Owner): Diagnostic =>
  error({
    code: "destroyed_and_declared",
    summary: "Destroyed and declared in one plan",
    detail: `The plan destroys ${named(leaving)}, and ${named(other)} declares the same object or a part of it. The destroy would remove what is still declared. Replace the old declaration with a removed block that has destroy = false, and import existing objects to the new address.`,
    address: leaving.change.address,
  });

const notComparable = (owner: Owner, met: { other: Owner; spelling: Spelling }): Diagnostic =>
  error({
    code: "references_not_comparable",
    summary: "Numbers and paths can't be compared",
    detail: `${named(met.other)} identifies an object on the service by ${OPPOSITE[met.spelling]}. ${named(owner)} identifies one by ${met.spelling}. The plan does not show which path belongs to the number, so Steward can't check whether both manage the same object. Use the same form in both.`,
    address: owner.change.address,
  });

const UNTOLD = "of the state";

/** Returns functions that find the client for an object's service. The clients send no requests. */
function clientsOf(plan: Plan, provider: Provider, { address: setting, defaults }: OfflineSettings) {
  const { configuration, variables } = plan.basis;
  const configurations = configurationsOf(configuration, provider.schema.source);
  const [first = UNTOLD] = configurations.keys();
  /** The keys of the provider configurations, by the address of the resource. */
  const keys = new Map(
    [...resourcesInJson(configuration)].map(({ address, resource }) => [
      address,
      String(resource["provider_config_key"]),
    ]),
  );
  /** The clients, by the address of the service. */
  const clients = new Map<string | undefined, ConfiguredProvider | undefined>();
  /** Returns the address of the service in a provider configuration: a constant, or the value of a variable. */
  const addressOf = (key: string): string | undefined => {
    const expressions = objectAt(configurations.get(key === UNTOLD ? first : key) ?? {}, "expressions");
    const { constant_value: constant, references } = objectAt(expressions, setting);
    const variable = Array.isArray(references) ? /^var\.(.+)$/.exec(String(references[0]))?.[1] : undefined;
    const value = constant ?? (variable === undefined ? undefined : variables[variable]);
    return typeof value === "string" ? value : undefined;
  };
  return {
    count: configurations.size,
    /** Returns the key of an object's provider configuration. For an undeclared object, a plan does not contain this key. */
    keyOf: (address: string): string =>
      keys.get(withoutKeys(address)) ?? (configurations.size === 1 ? first : UNTOLD),
    of(key: string): ConfiguredProvider | undefined {
      const address = addressOf(key);
      if (!clients.has(address)) {
        const config = { ...defaults, ...(address !== undefined && { [setting]: address }) };
        clients.set(address, provider.configure(config, {}).provider);
      }
      return clients.get(address);
    },
    async close(): Promise<void> {
      await Promise.all([...clients.values()].map((client) => client?.close()));
    },
  };
}
