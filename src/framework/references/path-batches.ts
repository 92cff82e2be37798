import { groupBy, type Reference } from "../../schema";

/** The object that a path or an id refers to. */
export interface ReferencedObject extends Reference {
  readonly path: string;
  /** Whether the object is archived, and therefore read-only. */
  readonly isArchived?: boolean;
  /** The day of its scheduled deletion, `YYYY-MM-DD`; absent if no deletion is scheduled. */
  readonly deletionScheduledOn?: string;
  /** The labels of the object, such as topics. Lists of containers can select objects by label. */
  readonly labels?: readonly string[];
  /** The level of the token's user, as far as the object's record shows it. The user may have a higher level. */
  readonly level?: number;
  /** Other objects whose paths are in the record, such as the groups with which the object is shared. */
  readonly related?: readonly (Reference & { readonly kind: string; readonly path: string })[];
}

/** The objects below a path, page by page. */
export interface PathList {
  /**
   * Requests the first page, which shows the number of pages. Returns all pages if there are at most `maxPages`,
   * and undefined otherwise. `onCount` receives the number of pages, or a lower bound.
   */
  pages(
    maxPages: number,
    onCount: (count: number) => void,
  ): Promise<AsyncIterable<readonly ReferencedObject[]> | undefined>;
}

/** The ways to look up paths of a kind. */
export interface PathSource {
  find(path: string): Promise<ReferencedObject | undefined>;
  /** Lists the objects directly below a path, or at any depth. It throws the client's errors. */
  below(path: string, isNested: boolean): PathList;
  /** Rethrows an error that is not a failed request. */
  throwUnlessFailure(problem: unknown): void;
}

interface Wanted {
  readonly path: string;
  readonly resolve: (result: ReferencedObject | undefined | Promise<ReferencedObject | undefined>) => void;
}

/**
 * The minimum number of wanted paths for which a list is requested. For fewer paths, even the first page may be a
 * wasted request, because the list may be too long.
 */
const MIN_DEMAND = 4;

const segmentsOf = (path: string): string[] => path.toLowerCase().split("/");
const listKey = (path: string, isNested: boolean): string =>
  `${isNested ? "nested" : "direct"} ${path.toLowerCase()}`;
/** Returns the first segments of a path, in the path's own spelling. */
const beginning = (path: string, length: number): string => path.split("/").slice(0, length).join("/");

/**
 * Looks up paths that are wanted at the same time. It requests the paths one by one, or reads the list of a path
 * above them. It chooses the way that needs fewer requests. If a list was too long at first, the later single
 * requests count too, so that the list is read in the end. If the list does not contain a path, that path is
 * looked up separately, because its object may have moved.
 */
export class PathBatches {
  #wanted: Wanted[] = [];
  /**
   * The last read of a list. The lists are read one after the other, because an earlier list may already contain
   * the paths of a later batch.
   */
  #listing: Promise<void> = Promise.resolve();
  readonly #found = new Map<string, ReferencedObject>();
  /**
   * The number of pages of each requested list. `#singles` counts the single reads that each list could have
   * replaced.
   */
  readonly #pages = new Map<string, number>();
  readonly #singles = new Map<string, number>();
  readonly #read = new Set<string>();

  /** @param onFound receives every object in the lists */
  constructor(
    private readonly source: PathSource,
    private readonly onFound: (object: ReferencedObject) => void,
  ) {}

  /** @throws the client's errors */
  find(path: string): Promise<ReferencedObject | undefined> {
    const known = this.#found.get(path.toLowerCase());
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => {
      if (this.#wanted.length === 0) setImmediate(() => this.#flush());
      this.#wanted.push({ path, resolve });
    });
  }

  #flush(): void {
    const batch = this.#wanted;
    this.#wanted = [];
    this.#listing = this.#listing
      .then(() => this.#list(this.#missing(batch.map(({ path }) => path))))
      .then(
        () => {
          for (const { path, resolve } of batch)
            resolve(this.#found.get(path.toLowerCase()) ?? this.#findAlone(path));
        },
        (problem: unknown) => {
          for (const { resolve } of batch) resolve(Promise.reject(problem));
        },
      );
  }

  #findAlone(path: string): Promise<ReferencedObject | undefined> {
    const parents = segmentsOf(path).slice(0, -1);
    const direct = listKey(parents.join("/"), false);
    const nested = parents.map((_, at) => listKey(beginning(path, at + 1), true));
    for (const key of [direct, ...nested]) this.#singles.set(key, (this.#singles.get(key) ?? 0) + 1);
    return this.source.find(path);
  }

  #missing = (paths: readonly string[]): string[] =>
    paths.filter((path) => !this.#found.has(path.toLowerCase()));

  /** Reads the lists that need fewer requests than separate look-ups of the paths. */
  async #list(paths: readonly string[]): Promise<void> {
    for (const group of groupBy(paths, (path) => segmentsOf(path)[0]!).values()) await this.#listBelow(group);
  }

  async #listBelow(paths: readonly string[]): Promise<void> {
    const parents = new Set(paths.map((path) => segmentsOf(path).slice(0, -1).join("/")));
    const depth = commonDepth([...parents].map(segmentsOf));
    const common = beginning(paths[0]!, depth);
    if (common === "") return;
    if (parents.size === 1) return this.#tryList(common, false, paths.length);
    // Without the nested list, the list of each parent takes at least one request. The nested list is therefore
    // worth one page for each parent.
    await this.#tryList(common, true, parents.size);
    const rest = this.#missing(paths);
    const isDirect = (path: string) => segmentsOf(path).length === depth + 1;
    const direct = rest.filter(isDirect);
    if (direct.length > 0) await this.#tryList(common, false, direct.length);
    const deeper = rest.filter((path) => !isDirect(path));
    for (const group of groupBy(deeper, (path) => segmentsOf(path)[depth]!).values())
      await this.#listBelow(group);
  }

  /**
   * Reads a list if its number of pages is at most the number of requests that it replaces. These are the `needed`
   * requests, and the single requests that were already sent without the list.
   */
  async #tryList(path: string, isNested: boolean, needed: number): Promise<void> {
    const key = listKey(path, isNested);
    const demand = needed + (this.#singles.get(key) ?? 0);
    if (this.#read.has(key) || demand < Math.max(MIN_DEMAND, this.#pages.get(key) ?? 0)) return;
    try {
      const pages = await this.source
        .below(path, isNested)
        .pages(demand, (count) => this.#pages.set(key, count));
      if (pages === undefined) return;
      this.#read.add(key);
      for await (const page of pages) for (const object of page) this.#add(object);
    } catch (problem) {
      this.source.throwUnlessFailure(problem);
      // The list can't be read: the path may be a user's namespace, or the token is not allowed to list it. The
      // objects below the path are then requested one by one.
      this.#read.add(key);
    }
  }

  #add(object: ReferencedObject): void {
    this.#found.set(object.path.toLowerCase(), object);
    this.onFound(object);
  }
}

/** Returns the number of leading segments that all paths share. */
const commonDepth = ([first = [], ...others]: readonly (readonly string[])[]): number =>
  others.reduce((depth, other) => {
    const differs = first.findIndex((segment, at) => segment !== other[at]);
    return Math.min(depth, differs < 0 ? first.length : differs);
  }, first.length);
