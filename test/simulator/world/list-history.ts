import type { Database } from "../../../src/service/store/database";
import { simulation } from "../time/simulation";
import { PROJECTS } from "./company";

/** The project whose list of environments is used. */
export const LISTED = PROJECTS.web;

/** The value of an object. Undefined if the object does not exist. */
export type Content = string | undefined;

/** The result of a read. `from` and `to` are its start and end in the order of all events. */
export interface Shown {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly records: ReadonlyMap<string, Content>;
  /** The moment of the monotonic clock that the read asked for: the result must be at least as new. */
  readonly since?: number;
}

interface Change {
  readonly order: number;
  readonly at: number;
  readonly key: string;
  readonly content: Content;
  /** True if a request of the run made the change; false if a person made it. */
  readonly isOwn: boolean;
}

/**
 * An event after which readers must get values from `since` or later. `order` is the position of the event among all
 * events.
 */
interface Settled {
  readonly order: number;
  readonly since: number;
  /** The object that the event is about. Undefined if the event is about all objects. */
  readonly key?: string;
}

/**
 * Records the reads and changes of a list in the order of all events. From these records, the class calculates the
 * values that a read may return.
 */
export class ListHistory {
  readonly shown: Shown[] = [];
  /** The objects on which two operations worked at the same time. */
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

  /** Returns the next number in the order of events. */
  next(): number {
    return ++this.#order;
  }

  /** Records the changes that a request made to the list. */
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

  /** Records that the service acknowledged the run's write of an object. Later reads must show the write. */
  answered(key: string): void {
    const own = this.#changes.findLast((change) => change.key === key && change.isOwn);
    if (own !== undefined) this.#settled.push({ order: this.next(), since: own.order, key });
  }

  /** Records that the run dropped all earlier reads. */
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

  /** The keys of all objects that existed at any time. */
  get keys(): ReadonlySet<string> {
    return new Set([...this.#first.keys(), ...this.#changes.map(({ key }) => key)]);
  }

  /**
   * Returns the values of an object that a read may return. A read must know all changes until a certain moment. The
   * value at this moment and all later values are allowed. If the service acknowledged a write during the read, the
   * written value is also allowed, even if a person changed the object after the write.
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
   * Returns true if people removed some objects and added other objects. The total can then be equal before and after,
   * while an object moved between pages and was on none of the pages that were read. A reader cannot notice that.
   */
  #areExchanged(isLater: (change: Change) => boolean): boolean {
    const byHand = this.#changes.filter((change) => !change.isOwn && isLater(change));
    const removed = byHand.filter(({ content }) => content === undefined);
    return (
      removed.length > 0 && byHand.some(({ key, content }) => content !== undefined && !this.#first.has(key))
    );
  }
}

/** Returns the access levels that may deploy, by the name of the environment. */
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
