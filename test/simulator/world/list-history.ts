import type { Database } from "../../../src/service/store/database";
import { simulation } from "../time/simulation";
import { PROJECTS } from "./company";

/** The project whose environments the parts of a run use. */
export const LISTED = PROJECTS.web;

/** What an object is: undefined if it isn't there. */
export type Content = string | undefined;

/** What a part of a run was shown, from and to a place in the order of all that happened. */
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

/** What happened to the objects of a list, in order. */
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

  /** Looks for what a request changed. */
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

  /** A write of an object was answered: who reads from now on is shown it. */
  answered(key: string): void {
    const own = this.#changes.findLast((change) => change.key === key && change.isOwn);
    if (own !== undefined) this.#settled.push({ order: this.next(), since: own.order, key });
  }

  /** What was read before counts no more. */
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
   * What a reader may be shown of an object: all that it was since the reader can know better. An answer tells what was there
   * when the write was done, also of an object that somebody changed since.
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
   * Whether people removed objects and added others: where these are as many, the total stays and no object need be on two
   * pages, so that nothing tells a reader that one is on none.
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
