import type { Facts } from "./collect";
import { type Difference, IndexSet, ignoredKey, isBefore, type KnownObject, type RunFacts } from "./facts";

/** How a drift ended. Only `repaired` counts as a repair. */
export type Ending =
  /** A later run compared the object, and it no longer differs. */
  | "repaired"
  /** The ignore file suppresses it since. */
  | "ignored"
  /** The object vanished, which is a drift of its own. */
  | "vanished"
  /** The object is no longer declared. */
  | "undeclared";

/** One drift: a difference from the run that first found it to the run that no longer did. Times are in milliseconds. */
export interface Drift {
  readonly difference: Difference;
  readonly openedAt: number;
  /** No earlier run checked the object, so that the drift may be older. */
  readonly canBeOlder: boolean;
  /** The last run that found it. */
  readonly seenAt: number;
  /** Undefined while the drift is open. */
  readonly ended:
    | { readonly at: number; readonly how: Ending; readonly by: "apply" | "repair" | undefined }
    | undefined;
}

/** The open drifts after a run, and what the run changed in them. */
export interface Point {
  readonly time: number;
  readonly hasFailed: boolean;
  readonly changed: number;
  readonly vanished: number;
  readonly undeclared: number;
  /** Known from an earlier run whose report is missing. */
  readonly undescribed: number;
  readonly opened: number;
  readonly repaired: number;
}

export interface Trace {
  /** One for each drift run, by time. */
  readonly points: readonly Point[];
  /** Open and ended ones, by the time when they were opened. */
  readonly drifts: readonly Drift[];
}

/** Follows each drift through all runs. */
export function trace(facts: Facts): Trace {
  const runs = [...facts.runs].sort((one, other) => (isBefore(one, other) ? -1 : 1));
  const tracer = new Tracer(facts);
  for (const run of runs) {
    if (run.command === "drift") tracer.drift(run);
    else tracer.apply(run);
  }
  return tracer.result();
}

interface Open {
  difference: Difference;
  readonly openedAt: number;
  readonly canBeOlder: boolean;
  seenAt: number;
  /** An apply changed the object after the drift was last seen. */
  isApplied: boolean;
}

class Tracer {
  readonly #open = new Map<Difference, Open>();
  readonly #ended: Drift[] = [];
  readonly #points: Point[] = [];
  /** Objects that earlier runs checked. */
  readonly #seen = new IndexSet();
  /** Containers that earlier runs searched. */
  readonly #searched = new Set<string>();
  /** The findings that no report describes, by stack: those of the stack's last run. */
  readonly #undescribed = new Map<string | null, number>();
  readonly #counts = { changed: 0, vanished: 0, undeclared: 0 };

  constructor(private readonly facts: Facts) {}

  /** An apply ends no drift: the next run that checks the object does. */
  apply({ restored, moves }: RunFacts): void {
    const { objects } = this.facts;
    for (const { from, to } of moves) this.#move(objects[from]!, objects[to]!);
    const applied = new Set(restored);
    for (const one of this.#open.values()) if (applied.has(one.difference.object.index)) one.isApplied = true;
  }

  drift(run: RunFacts): void {
    this.#followMoves(run);
    const found = this.#found(run);
    const before = { opened: 0, repaired: this.#ended.length };
    const vanished = new Set(
      [...found].filter(({ kind }) => kind === "vanished").map(({ object }) => object),
    );
    for (const one of [...this.#open.values()]) {
      if (found.has(one.difference)) continue;
      const how = this.#ending(one.difference, run, vanished);
      if (how !== undefined)
        this.#end(one, run, how, one.isApplied && how === "repaired" ? "apply" : undefined);
    }
    for (const difference of found) before.opened += this.#see(difference, run) ? 1 : 0;
    const restored = new Set(run.restored);
    for (const one of [...this.#open.values()])
      if (restored.has(one.difference.object.index)) this.#end(one, run, "repaired", "repair");
    this.#remember(run);
    const repaired = this.#ended
      .slice(before.repaired)
      .filter(({ ended }) => ended?.how === "repaired").length;
    const undescribed = [...this.#undescribed.values()].reduce((sum, count) => sum + count, 0);
    const { time, hasFailed } = run;
    this.#points.push({ time, hasFailed, ...this.#counts, undescribed, opened: before.opened, repaired });
  }

  result(): Trace {
    const open = [...this.#open.values()].map(
      ({ isApplied: _, ...one }): Drift => ({ ...one, ended: undefined }),
    );
    return { points: this.#points, drifts: [...this.#ended, ...open].sort(byOpening) };
  }

  /** The differences that a run reports, or knows from an earlier one. */
  #found(run: RunFacts): Set<Difference> {
    const { differences } = this.facts;
    const known = run.known.flatMap(({ fingerprint }) => this.facts.described(fingerprint) ?? []);
    return new Set([...run.differences.map((index) => differences[index]!), ...known]);
  }

  /** How a drift that a run did not find ended; undefined if the run did not check it. */
  #ending(
    { object, kind, attribute }: Difference,
    run: RunFacts,
    vanished: ReadonlySet<KnownObject>,
  ): Ending | undefined {
    const { stack, address } = object;
    const names = attribute === undefined ? [address] : [address, `${address}: ${attribute}`];
    if (names.some((name) => run.ignored.has(ignoredKey(stack, name)))) return "ignored";
    if (!object.isDeclared) return isSearched(object, run) ? "repaired" : undefined;
    if (!run.listed.has(object.index)) return isWhole(object, run) ? "undeclared" : undefined;
    if (!run.checked.has(object.index) || this.#isWithheld(object, run)) return undefined;
    return kind === "changed" && vanished.has(object) ? "vanished" : "repaired";
  }

  /** Whether the run knows of differences of the object that no report describes. */
  #isWithheld({ index }: KnownObject, { withheld }: RunFacts): boolean {
    return withheld.some(
      ({ object, fingerprint }) => object === index && this.facts.described(fingerprint) === undefined,
    );
  }

  /** Returns whether the drift is a new one. */
  #see(difference: Difference, run: RunFacts): boolean {
    const known = this.#open.get(difference);
    if (known !== undefined) {
      known.seenAt = run.time;
      known.isApplied = false;
      return false;
    }
    const { object, kind } = difference;
    const isChecked = object.isDeclared
      ? this.#seen.has(object.index)
      : this.#searched.has(object.container ?? ANY);
    const { time } = run;
    const opened = { difference, openedAt: time, canBeOlder: !isChecked, seenAt: time, isApplied: false };
    this.#open.set(difference, opened);
    this.#counts[kind]++;
    return true;
  }

  #end(
    { isApplied: _, ...one }: Open,
    { time }: RunFacts,
    how: Ending,
    by: "apply" | "repair" | undefined,
  ): void {
    this.#open.delete(one.difference);
    this.#counts[one.difference.kind]--;
    this.#ended.push({ ...one, ended: { at: time, how, by } });
  }

  /** An object that is listed at another address than before has moved: its drifts are the same ones. */
  #followMoves(run: RunFacts): void {
    const moving = new Set([...this.#open.keys()].map(({ object }) => object));
    for (const object of moving) {
      if (!object.isDeclared || run.listed.has(object.index)) continue;
      const [moved, ...others] = this.facts.sameAs(object).filter(({ index }) => run.listed.has(index));
      if (moved !== undefined && others.length === 0) this.#move(object, moved);
    }
  }

  #move(from: KnownObject, to: KnownObject): void {
    for (const one of [...this.#open.values()]) {
      if (one.difference.object !== from) continue;
      const difference = this.facts.moved(one.difference, to);
      this.#open.delete(one.difference);
      const other = this.#open.get(difference);
      if (other !== undefined) this.#counts[difference.kind]--;
      this.#open.set(difference, { ...(other ?? one), ...earlier(one, other), difference });
    }
    if (this.#seen.has(from.index)) this.#seen.add(to.index);
  }

  #remember(run: RunFacts): void {
    this.#seen.addAll(run.checked);
    if (run.coverage !== undefined) this.#searched.add(ANY);
    if (run.coverage !== undefined && run.coverage !== "unknown")
      for (const container of run.coverage) this.#searched.add(container);
    for (const stack of run.stacks) this.#undescribed.set(stack, 0);
    for (const { stack, fingerprint } of run.known) {
      if (this.facts.described(fingerprint) === undefined)
        this.#undescribed.set(stack, this.#undescribed.get(stack)! + 1);
    }
  }
}

/** In the place of the container of an undeclared object that no report names. */
const ANY = "";

function isSearched({ container }: KnownObject, { coverage, hasFailed }: RunFacts): boolean {
  if (coverage === undefined || hasFailed) return false;
  return coverage === "unknown" || container === undefined || coverage.has(container);
}

/**
 * Whether an object that the run does not list is no longer declared. Of a stack that the run does not have nothing is
 * known: the folder may have reports of several apps.
 */
const isWhole = ({ stack }: KnownObject, run: RunFacts): boolean =>
  run.hasScope && !run.hasFailed && !run.hasOmissions && run.stacks.has(stack!);

const earlier = (one: Open, other: Open | undefined): Pick<Open, "openedAt" | "canBeOlder"> =>
  other !== undefined && other.openedAt < one.openedAt ? other : one;

const byOpening = (one: Drift, other: Drift): number =>
  one.openedAt - other.openedAt ||
  compareNames(one.difference, other.difference) ||
  (one.ended?.at ?? Number.POSITIVE_INFINITY) - (other.ended?.at ?? Number.POSITIVE_INFINITY);

const nameOf = ({ object: { stack, address }, kind, attribute }: Difference): string =>
  JSON.stringify([stack ?? "", address, kind, attribute ?? ""]);

function compareNames(one: Difference, other: Difference): number {
  const [name, otherName] = [nameOf(one), nameOf(other)];
  return name < otherName ? -1 : name > otherName ? 1 : 0;
}
