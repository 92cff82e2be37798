import type { Database } from "../../../src/service/store/database";
import { simulation } from "../time/simulation";
import { PROJECTS } from "./company";

/** The project whose environments the parts of a run use. */
export const LISTED = PROJECTS.web;

/** The value of an object; undefined if it does not exist. */
export type Content = string | undefined;

/** A result for a part of a run, with its start and end in the order of all events. */
export interface Shown {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly records: ReadonlyMap<string, Content>;
  /** It was asked for as of this moment of the monotonic clock. */
  readonly since?: number;
}

interface Change {
  readonly order: number;
  readonly at: number;
  readonly key: string;
  readonly content: Content;
  /** Whether the run did it. */
  readonly isOwn: boolean;
}

/** From `order` on, readers are shown what was there at `since` or later. */
interface Settled {
  readonly order: number;
  readonly since: number;
  /** All objects if absent. */
  readonly key?: string;
}

/** The events of the objects of a list, in order. */
export class ListHistory {
  readonly shown: Shown[] = [];
  /** Objects that two operations worked on at once. */
  readonly contested: string[] = [];
  readonly #changes: Change[] = [];
  readonly #settled: Settled[] = [];
  readonly #busy = new Set<string>();
  readonly #first: ReadonlyMap<string, string>;
  #last: ReadonlyMap<string, string>;
  #order = 0;

  constructor(private readonly database: Database) {
    this.#first = readList(database);
    this.#last = this.#first;
  }

  /** The next place in the order. */
  next(): number {
    return ++this.#order;
  }

  /** Looks for the changes of a request. */
  observe(isOwn: boolean): void {
    const now = readList(this.database);
    for (const key of new Set([...this.#last.keys(), ...now.keys()]))
      if (this.#last.get(key) !== now.get(key))
        this.#changes.push({
          order: this.next(),
          at: simulation().monotonic,
          key,
          content: now.get(key),
          isOwn,
        });
    this.#last = now;
  }

  /** A write of an object was acknowledged: later readers get it. */
  answered(key: string): void {
    const own = this.#changes.findLast((change) => change.key === key && change.isOwn);
    if (own !== undefined) this.#settled.push({ order: this.next(), since: own.order, key });
  }

  /** Earlier reads are no longer valid. */
  dropped(): void {
    const order = this.next();
    this.#settled.push({ order, since: order });
  }

  begin(key: string): void {
    if (this.#busy.has(key)) this.contested.push(key);
    this.#busy.add(key);
  }

  end(key: string): void {
    this.#busy.delete(key);
  }

  /** Every object that ever was there. */
  get keys(): ReadonlySet<string> {
    return new Set([...this.#first.keys(), ...this.#changes.map(({ key }) => key)]);
  }

  /**
   * The values of an object that a reader may get: all values since the reader can know better. A response has the
   * value at the time of the write, also for an object that was changed since.
   */
  allowed(key: string, { from, to, since: moment }: Shown): ReadonlySet<Content> {
    const settled = this.#settled.filter((one) => one.order < to && (one.key ?? key) === key);
    const meanwhile = settled.filter(({ order }) => order > from).map(({ since }) => since);
    const since = Math.min(settled.findLast(({ order }) => order < from)?.since ?? 0, ...meanwhile);
    const changes = this.#changes.filter((one) => one.key === key && one.order < to);
    const isOld = ({ order, at }: Change) => (moment === undefined ? order <= since : at < moment);
    const before = changes.findLast(isOld);
    const later = changes.filter((one) => !isOld(one) || meanwhile.includes(one.order));
    const first = before === undefined ? this.#first.get(key) : before.content;
    const shown = new Set([first, ...later.map(({ content }) => content)]);
    return this.#areExchanged((one) => one.order < to && !isOld(one)) ? shown.add(undefined) : shown;
  }

  /**
   * Whether people removed objects and added others. If both numbers are equal, the total stays and no object needs
   * to be on two pages. A reader then cannot know that an object is on no page.
   */
  #areExchanged(isLater: (change: Change) => boolean): boolean {
    const byHand = this.#changes.filter((change) => !change.isOwn && isLater(change));
    const removed = byHand.filter(({ content }) => content === undefined);
    return (
      removed.length > 0 && byHand.some(({ key, content }) => content !== undefined && !this.#first.has(key))
    );
  }
}

/** The roles that may deploy, by environment. */
function readList(database: Database): ReadonlyMap<string, string> {
  const rows = database.all<{ name: string; level: number }>(
    `SELECT name, access_level AS level FROM protected_environments e
       JOIN environment_rules r ON r.protected_environment_id = e.id AND kind = 'deploy' WHERE e.project_id = ${LISTED}`,
  );
  const levels = new Map<string, number[]>();
  for (const { name, level } of rows) levels.set(name, [...(levels.get(name) ?? []), level]);
  return new Map([...levels].map(([name, found]) => [name, contentOf(found)]));
}

export const contentOf = (levels: readonly (number | null)[]): string => levels.toSorted().join(" ");
