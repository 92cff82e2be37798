import { type Diagnostic, error, mergeDiagnostics, warning } from "../../diagnostics";
import {
  type ConfiguredProvider,
  type ContainerSelection,
  type CoverResponse,
  type DeclaredObject,
  decide,
  HELD,
  type LiveContainer,
  type LiveObject,
  OwnerIndex,
  UNMANAGED,
} from "../../framework";
import { defined } from "../../json";
import { type Attributes, append, attributeEntries, groupBy, type ValueObject } from "../../schema";
import { compareNatural, namesUpTo } from "../../text";
import { containerOf } from "../objects/identities";
import type { CoverageScan, ListFailure, UnmanagedObject } from "../results/drift";
import type { StackRun } from "../stack-run/stack-run";
import type { KnownStack } from "../stacks/app-stacks";
import { partialComparison } from "../stacks/comparison";
import type { DriftAccess } from "./found-drift";
import { listLive } from "./list-live";

/** A declared object with the provider's response about its coverage. */
interface Cover extends CoverResponse {
  readonly object: DeclaredObject;
}

/**
 * Indexes declarations by their ownership. If each container has exactly one object of the type (`isSingle`), it
 * also indexes them by container. Returns a function that finds the declarations of a live object.
 */
function declarationsIn(covers: readonly Cover[], listed: Listed) {
  const owners = new OwnerIndex<DeclaredObject>();
  const placeOf = (type: string, { kind, id }: ContainerId) =>
    listed[type]?.isSingle === true ? `${type} ${kind} ${id}` : undefined;
  for (const { object, container, shares } of covers)
    owners.add({ identity: container && placeOf(object.type, container), shares }, object);
  return ({ type, container, shares }: LiveObject): readonly DeclaredObject[] =>
    owners.related({ identity: placeOf(type, container), shares });
}

/**
 * The settings of a live object that no declaration mentions and whose value is not the service's default.
 *
 * @param declared the declarations of the object; without one, all of its settings are undeclared
 */
function undeclaredSettings(
  { type, container, state, defaults }: LiveObject,
  attributes: Attributes,
  declared: readonly DeclaredObject[],
): string[] {
  const configurations = declared.filter((one) => one.type === type && one.state === undefined);
  // Only the state has the object, and the next plan deletes it. Or a declared set owns the object as an entry.
  if (declared.length > 0 && configurations.length === 0) return [];
  const isDeclared = (name: string) => configurations.some(({ config }) => (config[name] ?? null) !== null);
  return attributeEntries(attributes)
    .filter(
      ([name, { presence }]) =>
        name !== container.kind &&
        // For a declared object, omitted attributes with another presence are either always compared or never compared.
        (presence === "optionalComputed" ||
          (configurations.length === 0 && presence !== "computed" && presence !== "configOnly")) &&
        (state.attributes[name] ?? null) !== null &&
        !defaults.includes(name) &&
        !isDeclared(name),
    )
    .map(([name]) => name);
}

/** An object with its container and only these attributes. */
const onlyAttributes = <T extends Attributes | ValueObject>(all: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as T;

export interface DriftOptions extends DriftAccess {
  /** Also scan for live objects that are not declared. */
  readonly coverage?: boolean;
  /** With `coverage`: containers to scan, in addition to the containers of the declarations. */
  readonly within?: readonly ContainerSelection[] | undefined;
  /**
   * With `coverage` and `within`: scans only these containers, for objects that an app would declare. It reports
   * sets as a whole rather than their entries, and settings that each container has.
   */
  readonly forAdoption?: boolean;
  /** With `coverage`: the other stacks of the app. The containers of stacks of other runs are not scanned. */
  readonly others?: (() => Promise<readonly KnownStack[]>) | undefined;
}

/** Collects the declared objects of each provider configuration, and scans for other live objects. */
export class Coverage {
  readonly #declared = new Map<string, DeclaredObject[]>();

  constructor(private readonly options: Pick<DriftOptions, "within" | "forAdoption" | "others">) {}

  /**
   * Records a declared object, or an object of the state.
   *
   * @param provider key of the provider configuration
   */
  declare(provider: string, object: DeclaredObject): void {
    append(this.#declared, provider, object);
  }

  get #selection(): readonly ContainerSelection[] {
    return this.options.within ?? [];
  }

  async scan(run: StackRun): Promise<CoverageScan[]> {
    const selected = this.#selection.length > 0 ? run.context.configuration.providers.keys() : [];
    const keys = new Set([...this.#declared.keys(), ...selected]);
    // The run scans the stacks of this command directly.
    const known = (await this.options.others?.()) ?? [];
    const others = known.filter(({ isSelected }) => !isSelected);
    // Without an app, every object is undeclared. A finding for each container would not help.
    const hasApp = this.#declared.size > 0 || known.length > 0;
    return (await Promise.all([...keys].map((key) => this.#scanWith(key, run, { others, hasApp })))).flat();
  }

  async #scanWith(
    key: string,
    run: StackRun,
    { others, hasApp }: { readonly others: readonly KnownStack[]; readonly hasApp: boolean },
  ): Promise<CoverageScan[]> {
    const [provider, configured] = [run.providerFor(key), run.configured(key)];
    const service = configured?.service;
    if (provider?.listed === undefined || service === undefined) return [];
    const covers = await coversOf(this.#declared.get(key) ?? [], configured);
    const elsewhere = await coversOf(declaredBy(others, service), configured);
    const { listed } = provider;
    const declarationsOf = declarationsIn([...covers, ...elsewhere], listed);
    const touched = covers.flatMap(({ container }) => container ?? []);
    // The entries of whole sets are searched separately.
    const wholeTypes = new Set(Object.values(listed).flatMap(({ wholeType }) => wholeType ?? []));
    const scanned = this.options.forAdoption
      ? this.#selection
      : [...selectionsOf(touched), ...this.#selection];
    const listing = await listLive(provider, configured, scanned, {
      ...(!this.options.forAdoption && { includesType: (type: string) => !wholeTypes.has(type) }),
      signal: run.context.stop,
    });
    run.report(
      mergeDiagnostics([
        ...covers.flatMap(({ diagnostics }) => diagnostics),
        ...listing.diagnostics,
        ...others.flatMap((stack) => partialComparison(stack, [], new Set(Object.keys(listed)))),
        // An adoption interprets archived containers and failed lists itself.
        ...(this.options.forAdoption
          ? []
          : [
              ...notChecked(listing.archived),
              ...listing.failures.filter(({ isRefused }) => !isRefused).flatMap(failed),
            ]),
      ]),
    );
    const objects: LiveObject[] = [];
    const unmanaged = listing.objects.flatMap((live) => {
      const declared = declarationsOf(live);
      if (declared.length === 0) objects.push(live);
      return unmanagedObject(live, { run, key, provider, declared });
    });
    if (!this.options.forAdoption)
      unmanaged.push(...listing.failures.filter(({ isRefused }) => isRefused).map(unlistedObjects));
    if (hasApp && this.#selection.some(({ contents }) => contents !== "none")) {
      const named = new Set(
        [...covers, ...elsewhere].flatMap(({ container }) => container ?? []).map(nameOf),
      );
      unmanaged.push(...undeclaredContainers(listing.containers, named, listed));
    }
    const containers = [...listing.containers, ...listing.archived].map(nameOf);
    return [{ service, containers, unmanaged, listing: { ...listing, objects } }];
  }
}

type HostedProvider = NonNullable<ReturnType<StackRun["providerFor"]>>;
type Listed = NonNullable<HostedProvider["listed"]>;

interface UnmanagedGiven {
  readonly run: StackRun;
  /** The key of the provider configuration. */
  readonly key: string;
  readonly provider: HostedProvider;
  /** The declarations of the object. */
  readonly declared: Parameters<typeof undeclaredSettings>[2];
}

/**
 * Returns an object without a declaration, or an object with settings that its declarations omit; undefined without
 * either.
 */
function unmanagedObject(
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
  // Objects that exist only after a create are unmanaged as a whole.
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

/** The containers that no declaration names, of the kinds that have settings. */
function undeclaredContainers(
  containers: readonly LiveContainer[],
  named: ReadonlySet<string>,
  listed: Listed,
): readonly UnmanagedObject[] {
  const kinds = new Set(Object.values(listed).flatMap((one) => (one.isSingle ? one.container : [])));
  return containers
    .filter((container) => kinds.has(container.kind) && !named.has(nameOf(container)))
    .map(undeclaredContainer);
}

/** Reports the objects of one type in a container that this token may not list. Their number is unknown. */
function unlistedObjects({ type, container, diagnostics }: ListFailure): UnmanagedObject {
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

/** Returns the objects that a stack owns. The service is only asked for paths that no state remembers. */
const declaredBy = (stacks: readonly KnownStack[], service: string): DeclaredObject[] =>
  stacks
    .flatMap(({ index }) => index.objects)
    .filter((object) => object.service === service)
    .map(({ request: { type, attributes, private: remembered }, source }) =>
      source === "configuration"
        ? { type, config: attributes, state: undefined }
        : { type, config: {}, state: { attributes, private: remembered } },
    );

async function coversOf(objects: readonly DeclaredObject[], provider: ConfiguredProvider): Promise<Cover[]> {
  const covers = await Promise.all(objects.map((object) => provider.coveredBy?.(object)));
  return covers.flatMap((cover, at) => (cover === undefined ? [] : [{ ...cover, object: objects[at]! }]));
}

/** An undeclared container inside a covered one, such as a recently created container. */
const undeclaredContainer = ({ kind, id, path }: LiveContainer): UnmanagedObject => ({
  type: kind,
  id: path,
  container: `${kind} ${id}`,
  place: { kind, name: path, id },
  live: {},
  attributes: {},
  isContainer: true,
});

type ContainerId = Pick<LiveContainer, "kind" | "id">;

const nameOf = ({ kind, id }: ContainerId): string => `${kind} ${id}`;

/** Selects containers by their ids. */
const selectionsOf = (containers: readonly ContainerId[]): ContainerSelection[] =>
  [...groupBy(containers, ({ kind }) => kind)].map(([kind, all]) => ({
    kind,
    contents: "none",
    names: [...new Set(all.map(({ id }) => String(id)))],
  }));

const failed = ({ type, container, diagnostics }: ListFailure): Diagnostic[] =>
  diagnostics.map((one) =>
    error({
      ...one,
      detail: `Steward could not search the ${nameOf(container)} for unmanaged objects of the type ${type}. ${one.detail}`,
    }),
  );

/** Returns one warning for each kind of archived containers, because a group may have hundreds of archived containers. */
const notChecked = (archived: readonly LiveContainer[]): Diagnostic[] =>
  [...groupBy(archived, ({ kind }) => kind)].map(([kind, all]) => {
    const paths = all.map(({ path }) => path).sort(compareNatural);
    const isOne = paths.length === 1;
    return warning({
      code: "archived_project",
      summary: `Archived ${kind}${isOne ? "" : "s"} not searched`,
      detail: isOne
        ? `The ${kind} ${paths[0]} is archived and can't be changed, so the report does not list its unmanaged objects.`
        : `${paths.length} ${kind}s are archived and can't be changed, so the report does not list their unmanaged objects: ${namesUpTo(MAX_ARCHIVED, paths)}.`,
    });
  });

/** The maximum number of archived containers that a warning names. */
const MAX_ARCHIVED = 10;

/**
 * Returns the objects that are unmanaged in every scan of their container. Another stack may declare an object that one stack
 * does not declare.
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
        // If one stack declares the object, its scan knows which attributes the declaration omits.
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
