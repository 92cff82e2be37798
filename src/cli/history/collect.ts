import { stringifyJson } from "../../json";
import type { ReadObject, ReadReport, ReadStack } from "../reports/read-report";
import {
  type Difference,
  IndexSet,
  ignoredKey,
  isBefore,
  type KnownObject,
  type Moment,
  type RunFacts,
  type Values,
} from "./facts";

/** An object, with what the last report that was read says of it: mostly the same as the one before. */
interface SeenObject extends KnownObject {
  readonly identities: Set<string>;
  /** Its id and page, of which the last identity was made. */
  identified: Pick<ReadObject, "id" | "url">;
  placedAt: Moment | undefined;
}

/** The objects that reports name: by stack and address, and by their identity on the service. */
class KnownObjects {
  readonly all: SeenObject[] = [];
  /** Undeclared objects belong to no stack: `undefined`. */
  readonly #byAddress = new Map<string | null | undefined, Map<string, SeenObject>>();
  readonly #byIdentity = new Map<string, Set<KnownObject>>();

  /** The object of a report. */
  see(stackName: string | null, one: ReadObject, moment: Moment): KnownObject {
    const { address, type } = one;
    const isDeclared = one.status !== "unmanaged";
    const stack = isDeclared ? stackName : undefined;
    const inStack = this.#byAddress.get(stack) ?? new Map<string, SeenObject>();
    let object = inStack.get(address);
    if (object === undefined) {
      object = {
        ...{ index: this.all.length, isDeclared, stack, address, type, place: {}, container: undefined },
        ...{ identities: new Set(), identified: {}, placedAt: undefined },
      };
      this.#byAddress.set(stack, inStack.set(address, object));
      this.all.push(object);
    }
    this.#identify(object, one);
    locate(object, one, moment);
    return object;
  }

  /** The other objects of the stack that are the same object of the service: those of a move. */
  sameAs(object: KnownObject): KnownObject[] {
    const { identities } = this.all[object.index]!;
    const others = [...identities].flatMap((identity) => [...this.#byIdentity.get(identity)!]);
    return [...new Set(others)].filter((other) => other !== object);
  }

  /** Ids are those of a type within one service, which the URL tells; a stack has one service, as a rule. */
  #identify(object: SeenObject, { type, id, url }: ReadObject): void {
    if (id === undefined || (object.identified.id === id && object.identified.url === url)) return;
    object.identified = { id, url };
    const identity = JSON.stringify([object.stack ?? null, type, id, url]);
    object.identities.add(identity);
    this.#byIdentity.set(identity, (this.#byIdentity.get(identity) ?? new Set()).add(object));
  }
}

function locate(object: SeenObject, { project, group, url, container }: ReadObject, moment: Moment): void {
  if (container !== undefined) object.container = container;
  if (project === undefined && group === undefined) return;
  if (object.placedAt !== undefined && isBefore(moment, object.placedAt)) return;
  object.placedAt = moment;
  const { place } = object;
  if (place.project !== project || place.group !== group || place.url !== url)
    object.place = { project, group, url };
}

/**
 * Reduces reports to facts, in any order: the result does not depend on it. Reports themselves are not kept, so that the
 * memory depends on the number of objects and differences, and takes some bits for each object of each run.
 */
export class Facts {
  readonly runs: RunFacts[] = [];
  readonly differences: Difference[] = [];
  readonly #objects = new KnownObjects();
  readonly #differences = new Map<string, Difference>();
  readonly #byFingerprint = new Map<string, readonly Difference[]>();
  readonly #valuedAt = new Map<Difference, Moment>();
  /** Equal texts of all reports, once. */
  readonly #texts = new Map<string, string>();
  readonly #digests = new Set<string>();

  /** Adds a report; false if it was added before. */
  add(report: ReadReport, digest: string): boolean {
    if (this.#digests.has(digest)) return false;
    this.#digests.add(digest);
    const isDrift = report.command === "drift";
    this.runs.push(isDrift ? this.#driftRun(report, digest) : this.#otherRun(report, digest));
    return true;
  }

  /** The differences that a finding with this fingerprint consists of; undefined if no report describes it. */
  described(fingerprint: string): readonly Difference[] | undefined {
    return this.#byFingerprint.get(fingerprint);
  }

  get objects(): readonly KnownObject[] {
    return this.#objects.all;
  }

  /** The other objects of the stack that are the same object of the service: those of a move. */
  sameAs(object: KnownObject): KnownObject[] {
    return this.#objects.sameAs(object);
  }

  /** The same difference of another object. */
  moved({ kind, attribute, values }: Difference, object: KnownObject): Difference {
    const difference = this.#difference(object, kind, attribute);
    if (!this.#valuedAt.has(difference)) difference.values = values;
    return difference;
  }

  #driftRun(report: ReadReport, digest: string): RunFacts {
    const run = this.#newRun(report, digest);
    const known = report.stacks.flatMap(({ name: stack, known_fingerprints: all = [] }) =>
      all.map((fingerprint) => ({ stack: this.#shared(stack), fingerprint: this.#shared(fingerprint) })),
    );
    const differences: number[] = [];
    const restored: number[] = [];
    const withheld: { object: number; fingerprint: string }[] = [];
    for (const stack of report.stacks) {
      for (const one of stack.objects) {
        const object = this.#objects.see(stack.name, one, run);
        const found = this.#differencesOf(object, one, run);
        for (const { index } of found) differences.push(index);
        if (one.fingerprint !== undefined && found.length > 0)
          this.#byFingerprint.set(this.#shared(one.fingerprint), found);
        if (one.repaired === true) restored.push(object.index);
        if (!object.isDeclared) continue;
        run.listed.add(object.index);
        if (one.status !== "failed" || found.length > 0) run.checked.add(object.index);
        if (one.known === true)
          withheld.push({ object: object.index, fingerprint: this.#shared(one.fingerprint ?? "") });
      }
    }
    return { ...run, known, withheld, differences, restored, moves: [] };
  }

  /** A plan or an apply: what it changed may explain why a later run finds no drift. */
  #otherRun(report: ReadReport, digest: string): RunFacts {
    const run = this.#newRun(report, digest);
    const restored: number[] = [];
    const moves: { from: number; to: number }[] = [];
    for (const stack of report.stacks) {
      for (const one of stack.objects) {
        if (one.status !== "done") continue;
        const object = this.#objects.see(stack.name, one, run);
        restored.push(object.index);
        if (one.previous_address === undefined) continue;
        const previous = this.#objects.see(stack.name, { ...one, address: one.previous_address }, run);
        moves.push({ from: previous.index, to: object.index });
      }
    }
    return { ...run, known: [], withheld: [], differences: [], restored, moves };
  }

  #newRun(report: ReadReport, digest: string) {
    const { time, command, hasScope, result, limited_to: limitedTo, stacks, run } = report;
    const page = run?.job ?? run?.pipeline;
    return {
      time,
      digest,
      page: page === undefined ? undefined : this.#shared(page),
      command,
      hasScope,
      hasFailed: result === "failed",
      stacks: new Set(stacks.map(({ name }) => this.#shared(name))),
      hasOmissions: limitedTo?.targets !== undefined || limitedTo?.excludes !== undefined,
      listed: new IndexSet(),
      checked: new IndexSet(),
      ignored: new Set(stacks.flatMap((stack) => this.#ignoredIn(stack))),
      coverage: coverageOf(report, (name) => this.#shared(name)),
    };
  }

  /** An undeclared object is ignored by its type and id, in whichever stack the report has that. */
  #ignoredIn({ name: stack, ignored = [] }: ReadStack): string[] {
    return ignored.flatMap(({ object }) =>
      [ignoredKey(stack, object), ignoredKey(undefined, object)].map((key) => this.#shared(key)),
    );
  }

  #differencesOf(object: KnownObject, one: ReadObject, moment: Moment): Difference[] {
    if (one.status === "unmanaged") {
      const fields = one.attributes.flatMap(({ name, difference }) =>
        difference === undefined ? [] : [{ name, difference }],
      );
      return [this.#valued(this.#difference(object, "undeclared", undefined), moment, { fields })];
    }
    if (one.fingerprint === undefined || one.known === true) return [];
    if (one.status === "vanished" || one.attributes.length === 0)
      return [this.#difference(object, "vanished", undefined)];
    return one.attributes.map((attribute) =>
      this.#valued(this.#difference(object, "changed", attribute.name), moment, valuesOf(attribute)),
    );
  }

  /** The difference with these values, unless a newer report has others. */
  #valued(difference: Difference, moment: Moment, values: Values): Difference {
    const valuedAt = this.#valuedAt.get(difference);
    if (valuedAt !== undefined && !isBefore(valuedAt, moment)) return difference;
    this.#valuedAt.set(difference, moment);
    difference.values = values;
    return difference;
  }

  #difference(object: KnownObject, kind: Difference["kind"], attribute: string | undefined): Difference {
    const key = `${object.index} ${kind} ${attribute ?? ""}`;
    let difference = this.#differences.get(key);
    if (difference === undefined) {
      difference = { index: this.differences.length, object, kind, attribute, values: {} };
      this.#differences.set(key, difference);
      this.differences.push(difference);
    }
    return difference;
  }

  #shared<T extends string | null>(text: T): T {
    if (text === null) return text;
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return (known ?? text) as T;
  }
}

/** A report before format 1.4 does not say where it searched: that it has undeclared objects shows that it did. */
function coverageOf(
  { command, coverage, hasScope, stacks }: ReadReport,
  shared: (name: string) => string,
): RunFacts["coverage"] {
  if (command !== "drift") return undefined;
  if (coverage !== undefined) return new Set(coverage.map(shared));
  const hasUndeclared = stacks.some(
    ({ name, objects }) => name === "unmanaged" || objects.some(({ status }) => status === "unmanaged"),
  );
  return !hasScope && hasUndeclared ? "unknown" : undefined;
}

const valuesOf = ({
  name,
  difference,
  sensitive,
  before,
  after,
  before_name: beforeName,
  after_name: afterName,
}: ReadObject["attributes"][number]): Values =>
  sensitive
    ? {}
    : {
        ...{ before: shown(before, beforeName), after: shown(after, afterName) },
        // A leaf has nothing but both values.
        ...(difference !== undefined && difference.kind !== "leaf" && { fields: [{ name, difference }] }),
      };

/** A page shows thousands of values, and a list of thousands of entries is one of them. */
const MAX_VALUE = 120;

function shown(value: unknown, name: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = stringifyJson(value);
  const short = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
  return name === undefined ? short : `${short} (${name})`;
}
