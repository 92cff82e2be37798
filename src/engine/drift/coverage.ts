import { type Diagnostic, error, mergeDiagnostics, warning } from "../../diagnostics";
import {
  type ConfiguredProvider,
  type ContainerSelection,
  type CoverResponse,
  type DeclaredObject,
  type LiveContainer,
  type LiveObject,
  OwnerIndex,
} from "../../framework";
import { append, groupBy } from "../../schema";
import { compareNatural, namesUpTo } from "../../text";
import type { CoverageScan, ListFailure } from "../results/drift";
import type { StackRun } from "../stack-run/stack-run";
import type { KnownStack } from "../stacks/app-stacks";
import { partialComparison } from "../stacks/comparison";
import type { DriftAccess } from "./found-drift";
import { listLive } from "./list-live";
import {
  type ContainerId,
  type Listed,
  nameOf,
  undeclaredContainers,
  unlistedObjects,
  unmanagedObject,
} from "./unmanaged";

/**
 * A declared object, with its container and the parts of sets that it owns. The provider returns the container and the
 * parts.
 */
interface Cover extends CoverResponse {
  readonly object: DeclaredObject;
}

/**
 * Returns a function that returns the declarations of a live object. The function uses an index of the parts of sets that
 * declarations own. For a type that has exactly one object in each container (`isSingle`), the index also contains the
 * declarations by container.
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

export interface DriftOptions extends DriftAccess {
  /** Whether to scan also for live objects that are not declared. */
  readonly coverage?: boolean;
  /** With `coverage`: containers to scan, in addition to the containers of the declarations. */
  readonly within?: readonly ContainerSelection[] | undefined;
  /**
   * With `coverage` and `within`: whether the scan is for an app that will declare the objects in these containers. If true, only
   * the containers in `within` are scanned. For adoption, the report contains whole sets instead of their entries, and also
   * settings that every container has.
   */
  readonly forAdoption?: boolean;
  /**
   * With `coverage`: returns the other stacks of the app. The objects of these stacks count as declared. A container is
   * not scanned if only stacks outside of this command declare it.
   */
  readonly others?: (() => Promise<readonly KnownStack[]>) | undefined;
}

/** Collects the declared objects of each provider configuration, and scans for undeclared live objects. */
export class Coverage {
  readonly #declared = new Map<string, DeclaredObject[]>();

  constructor(private readonly options: Pick<DriftOptions, "within" | "forAdoption" | "others">) {}

  /**
   * Records an object that is declared or in the state, so that the scan does not report it.
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
    // The other stacks of this command have separate scans.
    const known = (await this.options.others?.()) ?? [];
    const others = known.filter(({ isSelected }) => !isSelected);
    // Without declarations, all containers are undeclared, and a finding for each of them would not help.
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
    // Types that own a whole set are not listed, because the entries of the set are listed as objects of another type.
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
        // An adoption reports archived containers and failed lists itself.
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

/** Returns the objects of these stacks on a service: the declared objects, and the objects in the states. */
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

/** Returns selections of the containers, by their ids. */
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

/** Returns one warning for all archived containers of a kind, because there can be hundreds of archived containers. */
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
