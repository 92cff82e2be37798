import { type Diagnostic, mergeDiagnostics } from "../../diagnostics";
import type {
  ConfiguredProvider,
  ContainerSelection,
  LiveContainer,
  LiveObject,
  Provider,
} from "../../framework";
import { append } from "../../schema";
import type { ListFailure, LiveListing } from "../results/drift";

/**
 * The progress of a listing. `found` is the number of containers found until now. `listed` is the number of completed
 * containers, including skipped containers.
 */
export interface LiveEvent {
  readonly listed: number;
  readonly found: number;
  /** The path of the container that was listed last. */
  readonly last?: string;
}

/** The options for listing live objects. */
export interface ListLiveOptions {
  /**
   * Returns whether to list the objects of a type. By default, an entry of a set is not listed if another type owns the whole
   * set.
   */
  readonly includesType?: (type: string) => boolean;
  /**
   * Whether to list the objects of archived containers. By default, these containers are skipped, because their objects can't
   * change.
   */
  readonly includesArchived?: boolean;
  /** Once this signal is aborted, no further container is listed. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: LiveEvent) => void;
}

/** Lists the live objects of the selected containers. A failure is recorded, and all other containers are still listed. */
export async function listLive(
  provider: Pick<Provider, "listed">,
  configured: ConfiguredProvider,
  selection: ContainerSelection | readonly ContainerSelection[],
  options: ListLiveOptions = {},
): Promise<LiveListing> {
  const lister = new LiveLister(provider, configured, options);
  await Promise.all([selection].flat().map((one) => lister.list(one)));
  return lister.listing();
}

class LiveLister {
  /** The types to list, by the kind of their container. */
  readonly #types = new Map<string, string[]>();
  readonly #containers: LiveContainer[] = [];
  readonly #archived: LiveContainer[] = [];
  readonly #objects: LiveObject[] = [];
  readonly #failures: ListFailure[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  /**
   * The containers that the search has found until now. Several selections can find the same container, which is listed
   * only once.
   */
  readonly #seen = new Set<string>();
  #listed = 0;

  constructor(
    { listed = {} }: Pick<Provider, "listed">,
    private readonly configured: ConfiguredProvider,
    private readonly options: ListLiveOptions,
  ) {
    for (const [type, { container, wholeType }] of Object.entries(listed)) {
      const isIncluded = options.includesType?.(type) ?? wholeType === undefined;
      if (isIncluded) append(this.#types, container, type);
    }
  }

  get #found(): number {
    return this.#containers.length + this.#archived.length;
  }

  async list(selection: ContainerSelection): Promise<void> {
    const { signal, onEvent, includesArchived = false } = this.options;
    const listings: Promise<void>[] = [];
    for await (const page of this.configured.findContainers?.(selection, signal) ?? []) {
      this.#diagnostics.push(...page.diagnostics);
      const containers = page.containers.filter(({ kind, id }) => !this.#seen.has(`${kind} ${id}`));
      for (const container of containers) {
        this.#seen.add(`${container.kind} ${container.id}`);
        if (container.isArchived && !includesArchived) this.#archived.push(container);
        else this.#containers.push(container);
      }
      onEvent?.({ listed: this.#listed, found: this.#found });
      // The lists of these containers start before the next page of containers arrives. The client limits the requests in flight.
      listings.push(...containers.map((container) => this.#listContainer(container)));
    }
    await Promise.all(listings);
  }

  async #listContainer(container: LiveContainer): Promise<void> {
    const isSkipped = container.isArchived && this.options.includesArchived !== true;
    const types = isSkipped ? [] : (this.#types.get(container.kind) ?? []);
    await Promise.all(types.map((type) => this.#listType(type, container)));
    this.#listed++;
    this.options.onEvent?.({ listed: this.#listed, found: this.#found, last: container.path });
  }

  async #listType(type: string, container: LiveContainer): Promise<void> {
    if (this.options.signal?.aborted) return;
    const answer = await this.configured.listResource({ type, within: container });
    const { objects, isRefused = false, diagnostics } = answer;
    this.#objects.push(...objects);
    if (diagnostics.length > 0) this.#failures.push({ type, container, isRefused, diagnostics });
  }

  listing(): LiveListing {
    return {
      containers: this.#containers.sort(byPath),
      archived: this.#archived.sort(byPath),
      objects: this.#objects.sort(
        (one, other) => byType(one, other) || one.id.localeCompare(other.id, "en", { numeric: true }),
      ),
      failures: this.#failures.sort(byType),
      diagnostics: mergeDiagnostics(this.#diagnostics),
    };
  }
}

interface OfContainer {
  readonly type: string;
  readonly container: LiveContainer;
}

const byType = (one: OfContainer, other: OfContainer): number =>
  byPath(one.container, other.container) || one.type.localeCompare(other.type, "en");

const byPath = (one: LiveContainer, other: LiveContainer): number =>
  one.path.localeCompare(other.path, "en", { numeric: true }) || one.kind.localeCompare(other.kind, "en");
