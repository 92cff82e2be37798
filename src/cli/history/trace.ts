import type { Field } from "../difference";
import type { ReadObject, ReadReport } from "../reports/read-report";

/** An object that at least one report contains. The newest report with the object gives its project or group. */
interface KnownObject {
  readonly isDeclared: boolean;
  /**
   * The name of the stack. Undefined for an undeclared object, which belongs to no stack; null for a configuration that is not a
   * stack of an app.
   */
  readonly stack: string | null | undefined;
  /** The address of a declared object, or the type and id of an undeclared object. */
  readonly address: string;
  readonly type: string;
  /** The project or group of the object, and the address of its web page. */
  place: Pick<ReadObject, "project" | "group" | "url">;
  /** For an undeclared object: its project or group, as the `coverage` of a report names it. */
  container: string | undefined;
}

/** A difference in reports. Several runs may report the same difference. */
interface Difference {
  /**
   * A text that is the same in all runs with this difference. The text consists of the stack, the address, the kind and the
   * attribute.
   */
  readonly name: string;
  readonly object: KnownObject;
  readonly kind: "changed" | "vanished" | "undeclared";
  /** The name of the attribute that differs; undefined if the difference is about a whole object. */
  readonly attribute: string | undefined;
  /** The old and the new value of the attribute, or all attributes of an undeclared object, from the newest report. */
  fields: readonly Field[];
}

/** Returns the key of an object. `name` is the address of the object, or the name of an ignored attribute of the object. */
const keyOf = (stack: string | null | undefined, name: string): string =>
  JSON.stringify([stack === undefined ? "" : [stack], name]);

/** The objects and differences in all reports that have been read so far. */
class KnownDifferences {
  readonly #objects = new Map<string, KnownObject>();
  readonly #differences = new Map<string, Difference>();
  readonly #byFingerprint = new Map<string, readonly Difference[]>();

  /** Returns the differences of the finding with this fingerprint; undefined if no report so far describes the finding. */
  described(fingerprint: string): readonly Difference[] | undefined {
    return this.#byFingerprint.get(fingerprint);
  }

  /** Returns the object that an entry of a report describes. Reports must be read in the order of their times. */
  objectOf(stackName: string | null, one: ReadObject): KnownObject {
    const { address, type, project, group, url, container } = one;
    const isDeclared = one.status !== "unmanaged";
    const stack = isDeclared ? stackName : undefined;
    const key = keyOf(stack, address);
    const known = this.#objects.get(key);
    const object = known ?? { isDeclared, stack, address, type, place: {}, container };
    if (known === undefined) this.#objects.set(key, object);
    if (container !== undefined) object.container = container;
    if (project !== undefined || group !== undefined) object.place = { project, group, url };
    return object;
  }

  /** Returns the differences that a report describes for an object. */
  differencesOf(object: KnownObject, one: ReadObject): readonly Difference[] {
    const found = this.#differencesIn(object, one);
    if (one.fingerprint !== undefined && found.length > 0) this.#byFingerprint.set(one.fingerprint, found);
    return found;
  }

  #differencesIn(object: KnownObject, { attributes, fingerprint, known, status }: ReadObject): Difference[] {
    if (!object.isDeclared) return [this.#difference(object, "undeclared", undefined, attributes)];
    if (fingerprint === undefined || known === true) return [];
    if (status === "vanished" || attributes.length === 0)
      return [this.#difference(object, "vanished", undefined, [])];
    return attributes.map((one) => this.#difference(object, "changed", one.name, [one]));
  }

  #difference(
    object: KnownObject,
    kind: Difference["kind"],
    attribute: string | undefined,
    fields: readonly Field[],
  ): Difference {
    const { stack, address } = object;
    const name = JSON.stringify([stack ?? "", address, kind, attribute ?? ""]);
    const difference = this.#differences.get(name) ?? { name, object, kind, attribute, fields };
    difference.fields = fields;
    this.#differences.set(name, difference);
    return difference;
  }
}

/** The reason why a drift ended. Only `repaired` counts as a repair. */
export type Ending =
  /** A later run compared the object, and the object no longer differs. */
  | "repaired"
  /** A waiver in the ignore file now accepts the drift. */
  | "ignored"
  /** The service no longer has the object. The absence of the object counts as a separate drift. */
  | "vanished"
  /** The object is no longer declared. */
  | "undeclared";

/**
 * One drift: a difference, from the first run that found it to the first later run that did not find it. Times are in
 * milliseconds.
 */
export interface Drift {
  readonly difference: Difference;
  readonly openedAt: number;
  /** True if no earlier run checked the object, so that the drift can be older than the run that found the drift. */
  readonly canBeOlder: boolean;
  /** The time of the last run that found the drift. */
  seenAt: number;
  /** The time and the reason of the drift's end; undefined while the drift is open. */
  ended: { readonly at: number; readonly how: Ending } | undefined;
}

/** For each kind of drift: the number of open drifts after one run. */
export interface Point {
  readonly time: number;
  readonly hasFailed: boolean;
  readonly changed: number;
  readonly vanished: number;
  readonly undeclared: number;
  /** The number of drifts that the run knew from an earlier run, and that no report in the folder describes. */
  readonly undescribed: number;
}

export interface Trace {
  /** The numbers of open drifts after each run, sorted by time. */
  readonly points: readonly Point[];
  /** Open and ended drifts, sorted by the time of the run that first found them. */
  readonly drifts: readonly Drift[];
  /** The web pages of jobs or pipelines. The keys are the start times of the runs. */
  readonly pages: ReadonlyMap<number, string>;
}

/** The results of one drift run: its differences, and the objects that it checked. */
class DriftRun {
  readonly found = new Set<Difference>();
  readonly listed = new Set<KnownObject>();
  /** The objects whose live values the run read and compared. */
  readonly checked = new Set<KnownObject>();
  /**
   * The objects with unknown differences: only an earlier run described these differences, and its report is not in the folder.
   */
  readonly withheld = new Set<KnownObject>();
  /** The objects that a repair restored. */
  readonly restored = new Set<KnownObject>();
  readonly vanished = new Set<KnownObject>();
  /** The keys of objects and attributes whose drift a waiver accepts. */
  readonly ignored: ReadonlySet<string>;
  /**
   * The projects and groups that the run searched for undeclared objects. `unknown` if the report has an older format without
   * these names; undefined if the run searched no project or group.
   */
  readonly coverage: ReadonlySet<string> | "unknown" | undefined;

  constructor(report: ReadReport) {
    this.ignored = new Set(
      // A report may list an ignored undeclared object under any stack. The key of such an object contains no stack, so each
      // ignored name gets two keys: one with the stack, and one without.
      report.stacks.flatMap(({ name, ignored = [] }) =>
        ignored.flatMap(({ object }) => [keyOf(name, object), keyOf(undefined, object)]),
      ),
    );
    this.coverage = coverageOf(report);
  }
}

/** Follows each drift through all runs. The tracer gets one report after the other, and does not keep the reports in memory. */
export class Tracer {
  readonly #known = new KnownDifferences();
  readonly #drifts: Drift[] = [];
  readonly #open = new Map<Difference, Drift>();
  readonly #points: Point[] = [];
  readonly #pages = new Map<number, string>();
  /** The objects that earlier runs checked. `#searched` has the projects and groups that the earlier runs searched. */
  readonly #checked = new Set<KnownObject>();
  readonly #searched = new Set<string>();
  /** For each stack: how many findings of the stack's newest run have no description in any report. */
  readonly #undescribed = new Map<string | null, number>();

  result(): Trace {
    return { points: this.#points, drifts: this.#drifts.sort(byOpening), pages: this.#pages };
  }

  /** Adds the report of a drift run. Reports must be added in the order of their times. */
  add(report: ReadReport): void {
    const { time, result, run: { job, pipeline } = {} } = report;
    const page = job ?? pipeline;
    if (page !== undefined) this.#pages.set(time, page);
    const run = this.#read(report);
    for (const one of this.#open.values()) {
      const how = run.found.has(one.difference) ? undefined : endingOf(one.difference, report, run);
      if (how !== undefined) this.#end(one, time, how);
    }
    for (const difference of run.found) this.#see(difference, time);
    for (const one of this.#open.values())
      if (run.restored.has(one.difference.object)) this.#end(one, time, "repaired");
    for (const object of run.checked) this.#checked.add(object);
    if (run.coverage !== undefined)
      for (const container of [ANY, ...(run.coverage === "unknown" ? [] : run.coverage)])
        this.#searched.add(container);
    const open = { changed: 0, vanished: 0, undeclared: 0 };
    for (const { kind } of this.#open.keys()) open[kind]++;
    const undescribed = [...this.#undescribed.values()].reduce((sum, count) => sum + count, 0);
    this.#points.push({ time, hasFailed: result === "failed", ...open, undescribed });
  }

  #read(report: ReadReport): DriftRun {
    const run = new DriftRun(report);
    for (const { name, objects } of report.stacks)
      for (const one of objects) this.#readObject(name, one, run);
    for (const { name, known_fingerprints: known = [] } of report.stacks) {
      const described = known.map((fingerprint) => this.#known.described(fingerprint));
      for (const one of described.flat()) if (one !== undefined) run.found.add(one);
      this.#undescribed.set(name, described.filter((one) => one === undefined).length);
    }
    for (const { kind, object } of run.found) if (kind === "vanished") run.vanished.add(object);
    return run;
  }

  #readObject(stack: string | null, one: ReadObject, run: DriftRun): void {
    const object = this.#known.objectOf(stack, one);
    const found = this.#known.differencesOf(object, one);
    for (const difference of found) run.found.add(difference);
    if (one.repaired === true) run.restored.add(object);
    if (!object.isDeclared) return;
    run.listed.add(object);
    if (one.status !== "failed" || found.length > 0) run.checked.add(object);
    if (one.known === true && this.#known.described(one.fingerprint ?? "") === undefined)
      run.withheld.add(object);
  }

  #see(difference: Difference, time: number): void {
    const open = this.#open.get(difference);
    if (open !== undefined) {
      open.seenAt = time;
      return;
    }
    const { object } = difference;
    const isChecked = object.isDeclared
      ? this.#checked.has(object)
      : this.#searched.has(object.container ?? ANY);
    const drift = { difference, openedAt: time, canBeOlder: !isChecked, seenAt: time, ended: undefined };
    this.#drifts.push(drift);
    this.#open.set(difference, drift);
  }

  #end(drift: Drift, at: number, how: Ending): void {
    drift.ended = { at, how };
    this.#open.delete(drift.difference);
  }
}

/** The key for undeclared objects whose project or group no report names. */
const ANY = "";

/**
 * For a drift that a run no longer found: returns the reason why the drift ended. Returns undefined if the run did not check
 * the object; the drift then stays open.
 */
function endingOf(
  { object, kind, attribute }: Difference,
  report: ReadReport,
  { ignored, listed, checked, withheld, vanished, coverage }: DriftRun,
): Ending | undefined {
  const { stack, address, container } = object;
  const names = attribute === undefined ? [address] : [address, `${address}: ${attribute}`];
  if (names.some((name) => ignored.has(keyOf(stack, name)))) return "ignored";
  const hasFailed = report.result === "failed";
  if (!object.isDeclared) {
    if (coverage === undefined || hasFailed) return undefined;
    const isSearched = coverage === "unknown" || container === undefined || coverage.has(container);
    return isSearched ? "repaired" : undefined;
  }
  if (listed.has(object)) {
    if (!checked.has(object) || withheld.has(object)) return undefined;
    return kind === "changed" && vanished.has(object) ? "vanished" : "repaired";
  }
  // A run without the stack does not show that the object is undeclared: the folder may contain reports of several apps.
  const { targets, excludes } = report.limited_to ?? {};
  const isWhole = report.hasScope && !hasFailed && (targets ?? excludes) === undefined;
  return isWhole && report.stacks.some(({ name }) => name === stack) ? "undeclared" : undefined;
}

/**
 * Returns the projects and groups that a run searched. Reports before format 1.4 do not contain this list. If an older report
 * contains an undeclared object, the run searched unknown projects or groups.
 */
function coverageOf({ coverage, hasScope, stacks }: ReadReport): DriftRun["coverage"] {
  if (coverage !== undefined) return new Set(coverage);
  const hasUndeclared = stacks.some(
    ({ name, objects }) => name === "unmanaged" || objects.some(({ status }) => status === "unmanaged"),
  );
  return !hasScope && hasUndeclared ? "unknown" : undefined;
}

const byOpening = (one: Drift, other: Drift): number =>
  one.openedAt - other.openedAt || compareTexts(one.difference.name, other.difference.name);

const compareTexts = (one: string, other: string): number => {
  if (one < other) return -1;
  return one > other ? 1 : 0;
};
