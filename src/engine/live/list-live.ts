import { type Diagnostic, mergeDiagnostics } from "../../diagnostics";
import type {
  ConfiguredProvider,
  ContainerSelection,
  LiveContainer,
  LiveObject,
  Provider,
} from "../../framework";

/** A step of listing what is live. */
export type LiveEvent =
  /** Containers were found; `found` is the number so far. */
  | { readonly type: "containers_found"; readonly found: number }
  /** A container was listed, or skipped; `listed` of `found` so far. */
  | {
      readonly type: "container_listed";
      readonly container: LiveContainer;
      readonly listed: number;
      readonly found: number;
    };

/** How live objects are listed. */
export interface ListLiveOptions {
  /** Whether objects of a type are listed. Default: all but those that another type owns as a whole. */
  readonly includesType?: (type: string) => boolean;
  /** Also lists archived containers, which are skipped by default: nothing can be changed there. */
  readonly includesArchived?: boolean;
  /** After it is aborted, no further container is listed. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: LiveEvent) => void;
}

/** What is live in some containers. */
export interface LiveListing {
  /** The containers that were listed, sorted by path. */
  readonly containers: readonly LiveContainer[];
  /** Skipped containers, sorted by path. */
  readonly archived: readonly LiveContainer[];
  /** By container, type and id. Those of a container and type that can't be listed are missing. */
  readonly objects: readonly LiveObject[];
  /** Types that a container has not, because their feature is disabled there. */
  readonly unavailable: readonly { readonly type: string; readonly container: LiveContainer }[];
  /** Containers of which not everything could be listed. */
  readonly incomplete: readonly LiveContainer[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Lists what is live in the selected containers. Failures are collected: all other containers are listed. */
export async function listLive(
  provider: Pick<Provider, "listed">,
  configured: ConfiguredProvider,
  selection: ContainerSelection,
  options: ListLiveOptions = {},
): Promise<LiveListing> {
  const lister = new LiveLister(provider, configured, options);
  await lister.list(selection);
  return lister.listing();
}

class LiveLister {
  readonly #configured: ConfiguredProvider;
  readonly #options: ListLiveOptions;
  /** Types by kind of container. */
  readonly #types = new Map<string, string[]>();
  readonly #containers: LiveContainer[] = [];
  readonly #archived: LiveContainer[] = [];
  readonly #objects: LiveObject[] = [];
  readonly #unavailable: { readonly type: string; readonly container: LiveContainer }[] = [];
  readonly #incomplete = new Set<LiveContainer>();
  readonly #diagnostics: Diagnostic[] = [];
  #listed = 0;

  constructor(
    { listed = {} }: Pick<Provider, "listed">,
    configured: ConfiguredProvider,
    options: ListLiveOptions,
  ) {
    this.#configured = configured;
    this.#options = options;
    for (const [type, { container, wholeType }] of Object.entries(listed)) {
      const isIncluded = options.includesType?.(type) ?? wholeType === undefined;
      if (isIncluded) this.#types.set(container, [...(this.#types.get(container) ?? []), type]);
    }
  }

  get #found(): number {
    return this.#containers.length + this.#archived.length;
  }

  async list(selection: ContainerSelection): Promise<void> {
    const { signal, onEvent, includesArchived = false } = this.#options;
    const listings: Promise<void>[] = [];
    for await (const page of this.#configured.findContainers?.(selection, signal) ?? []) {
      this.#diagnostics.push(...page.diagnostics);
      for (const container of page.containers) {
        if (container.isArchived && !includesArchived) this.#archived.push(container);
        else this.#containers.push(container);
      }
      onEvent?.({ type: "containers_found", found: this.#found });
      // Listing starts while further pages arrive; the client limits the requests in flight.
      listings.push(...page.containers.map((container) => this.#listContainer(container)));
    }
    await Promise.all(listings);
  }

  async #listContainer(container: LiveContainer): Promise<void> {
    const isSkipped = container.isArchived && this.#options.includesArchived !== true;
    const types = isSkipped ? [] : (this.#types.get(container.kind) ?? []);
    await Promise.all(types.map((type) => this.#listType(type, container)));
    this.#listed++;
    this.#options.onEvent?.({
      type: "container_listed",
      container,
      listed: this.#listed,
      found: this.#found,
    });
  }

  async #listType(type: string, container: LiveContainer): Promise<void> {
    if (this.#options.signal?.aborted) {
      this.#incomplete.add(container);
      return;
    }
    const { objects, isUnavailable, diagnostics } = await this.#configured.listResource({
      type,
      within: container,
    });
    this.#objects.push(...objects);
    if (isUnavailable) this.#unavailable.push({ type, container });
    if (diagnostics.length > 0) this.#incomplete.add(container);
    this.#diagnostics.push(...diagnostics);
  }

  listing(): LiveListing {
    return {
      containers: this.#containers.sort(byPath),
      archived: this.#archived.sort(byPath),
      objects: this.#objects.sort(
        (one, other) =>
          byPath(one.container, other.container) ||
          one.type.localeCompare(other.type, "en") ||
          one.id.localeCompare(other.id, "en", { numeric: true }),
      ),
      unavailable: this.#unavailable,
      incomplete: [...this.#incomplete].sort(byPath),
      diagnostics: mergeDiagnostics(this.#diagnostics),
    };
  }
}

const byPath = (one: LiveContainer, other: LiveContainer): number =>
  one.path.localeCompare(other.path, "en", { numeric: true }) || one.kind.localeCompare(other.kind, "en");
