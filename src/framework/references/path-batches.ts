import { groupBy, type Reference } from "../../schema";

/** The object to which a path or an id refers. */
export interface ReferencedObject extends Reference {
  readonly path: string;
  /** Whether the object is archived, and therefore read-only. */
  readonly isArchived?: boolean;
  /** The day of the scheduled deletion, as `YYYY-MM-DD`; absent if no deletion is scheduled. */
  readonly deletionScheduledOn?: string;
  /** The labels of the object, such as topics. A list of containers can select objects by label. */
  readonly labels?: readonly string[];
  /**
   * The level of the rights of the token's user in the object's record; absent if the record has none. The real level can be
   * higher.
   */
  readonly level?: number;
  /** Other objects whose ids and paths the record contains, such as groups with which the object is shared. */
  readonly related?: readonly (Reference & { readonly kind: string; readonly path: string })[];
}

/** The list of the objects below a path, page by page. */
export interface PathList {
  /**
   * Requests the first page, which shows the number of pages. Returns all pages, or undefined if there are more than `maxPages`.
   * `onCount` receives the number of pages, or the minimum number if the total is unknown.
   */
  pages(
    maxPages: number,
    onCount: (count: number) => void,
  ): Promise<AsyncIterable<readonly ReferencedObject[]> | undefined>;
}

/** The client's functions for looking up paths of one kind. */
export interface PathSource {
  find(path: string): Promise<ReferencedObject | undefined>;
  /** Lists the objects directly below a path, or at any depth if `isNested` is true. Throws the client's errors. */
  below(path: string, isNested: boolean): PathList;
  /** Rethrows an error unless it is a failed request. */
  throwUnlessFailure(problem: unknown): void;
}

interface Wanted {
  readonly path: string;
  readonly resolve: (result: ReferencedObject | undefined | Promise<ReferencedObject | undefined>) => void;
}

/**
 * The minimum number of wanted paths at which a list is requested. For fewer paths, the first page of a long list would be a
 * wasted request.
 */
const MIN_DEMAND = 4;

const segmentsOf = (path: string): string[] => path.toLowerCase().split("/");
const listKey = (path: string, isNested: boolean): string =>
  `${isNested ? "nested" : "direct"} ${path.toLowerCase()}`;
/** Returns the first segments of a path. The segments keep their upper and lower case. */
const beginning = (path: string, length: number): string => path.split("/").slice(0, length).join("/");

/**
 * Looks up paths that are wanted at the same time, with as few requests as possible. Each path takes one request, or several
 * paths are read from the list of a common parent. If a list is too long at first, later single requests also count, so that the
 * list is read in the end. A path that the list lacks is looked up separately, because its object may have moved.
 */
export class PathBatches {
  #wanted: Wanted[] = [];
  /**
   * The latest read of a list. Lists are read one after the other, because an earlier list can contain the paths of a later
   * batch.
   */
  #listing: Promise<void> = Promise.resolve();
  readonly #found = new Map<string, ReferencedObject>();
  /**
   * The number of pages of each requested list. `#singles` has the number of single requests that each list could have replaced.
   */
  readonly #pages = new Map<string, number>();
  readonly #singles = new Map<string, number>();
  readonly #read = new Set<string>();

  /** @param onFound receives every object that a list contains */
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

  /** Reads the lists that take fewer requests than separate look-ups of the paths. */
  async #list(paths: readonly string[]): Promise<void> {
    for (const group of groupBy(paths, (path) => segmentsOf(path)[0]!).values()) await this.#listBelow(group);
  }

  async #listBelow(paths: readonly string[]): Promise<void> {
    const parents = new Set(paths.map((path) => segmentsOf(path).slice(0, -1).join("/")));
    const depth = commonDepth([...parents].map(segmentsOf));
    const common = beginning(paths[0]!, depth);
    if (common === "") return;
    if (parents.size === 1) return this.#tryList(common, false, paths.length);
    // Without the nested list, the list of each parent takes at least one request. The nested list can therefore take one page
    // for each parent.
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
   * Reads a list if its number of pages is at most the number of requests that it replaces. This number is the sum of `needed`
   * and the single requests that were already sent for paths in the list.
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
      // The list can't be read, because the path is a user's namespace or the token lacks permission. The objects below the path
      // are then requested one by one.
      this.#read.add(key);
    }
  }

  #add(object: ReferencedObject): void {
    this.#found.set(object.path.toLowerCase(), object);
    this.onFound(object);
  }
}

/** Returns the number of leading segments that all paths have in common. */
const commonDepth = ([first = [], ...others]: readonly (readonly string[])[]): number =>
  others.reduce((depth, other) => {
    const differs = first.findIndex((segment, at) => segment !== other[at]);
    return Math.min(depth, differs < 0 ? first.length : differs);
  }, first.length);
