import {
  type Diagnostic,
  DiagnosticError,
  type DiagnosticPath,
  error,
  formatPath,
  warning,
} from "../../diagnostics";
import { isNumericId, type Reference, type ReferenceKind, reference } from "../../schema";
import type { KnownPaths, Resolution } from "./lookups";
import { encode, type NamedEntry, type Remembered, rememberedIn } from "./remembered";

/**
 * The placeholder for the result of a look-up in progress. A computation that received the placeholder runs again after the
 * look-up.
 */
const PENDING = reference(0);

/**
 * The references of one object. The private bytes of the object's state contain the ids of resolved paths. Steward therefore
 * looks up a path on create, and later only if the text in the code changes.
 *
 * Code that uses references is synchronous, because most objects of a plan need no look-up. This code runs within `settled`,
 * which sends all missing look-ups at once and then runs the code again.
 */
export class References {
  readonly #before: Remembered;
  /** The ids of references that responses contained. The map is created on first use, because most objects have no such ids. */
  #learned: Map<string, number> | undefined;
  readonly #used = new Map<string, number>();
  /** The number of used references with the same ids as in the private bytes. */
  #usedAsBefore = 0;
  /**
   * The names of the optional attributes that the configuration sets. Without a configuration, the names in the private bytes.
   */
  #declared: readonly string[] | undefined;
  #moved: Map<string, Diagnostic> | undefined;
  #missing: Promise<unknown>[] = [];
  /** Whether the running `ifKnown` has found a missing reference; undefined outside of `ifKnown`. */
  #isOneMissing: boolean | undefined;
  /** Whether the private bytes also keep unused references. */
  #isKeepingAll = false;

  /**
   * @param remembered the private bytes (base64) of the object's state. Without `lookups`, an unknown id has
   * no path.
   */
  constructor(
    private readonly lookups: KnownPaths | undefined,
    private readonly remembered: string | undefined,
  ) {
    this.#before = rememberedIn(remembered);
    this.#declared = this.#before.declared;
  }

  /** Returns a copy that sends no look-ups, for a state that must be written even if look-ups would fail. */
  offline(): References {
    const copy = new References(undefined, this.remembered);
    copy.#isKeepingAll = this.#isKeepingAll;
    copy.#learned = this.#learned && new Map(this.#learned);
    for (const [name, id] of this.#used) copy.#noteUse(name, id);
    copy.#declared = this.#declared;
    return copy;
  }

  /** The entries that an earlier apply could not remove. */
  get notRemoved(): readonly NamedEntry[] {
    return this.#before.notRemoved;
  }

  /** Marks all references as unused, and keeps their ids. */
  startAgain(): void {
    this.#used.clear();
    this.#usedAsBefore = 0;
    this.#declared = this.#before.declared;
  }

  /** Whether the private bytes record the optional attributes that the configuration sets. */
  get hasDeclared(): boolean {
    return this.#before.declared !== undefined;
  }

  /** Records the names of the optional attributes that the configuration sets. */
  noteDeclared(names: readonly string[]): void {
    this.#declared = names;
  }

  /**
   * Keeps unused references in the private bytes. Reads call this method, because a declaration can contain an entry that is no
   * longer live. The path of this entry then keeps the id of the last apply.
   */
  keepAll(): this {
    this.#isKeepingAll = true;
    return this;
  }

  /** Returns the id that a text had at the last apply, according to the state; undefined if the state does not contain it. */
  heldId(kind: ReferenceKind, text: string): number | undefined {
    return this.#known(nameOf(kind, text));
  }

  /** Records a path that the user can write into the code later, so that later runs compare this path too. */
  remembersToo(kind: ReferenceKind, path: string, id: number): void {
    this.#noteUse(nameOf(kind, path), id);
  }

  /**
   * Records the id of a text if another part of the state contains this id. For example, the object's id contains the id of the
   * container.
   */
  learn(kind: ReferenceKind, text: string, id: number): void {
    if (!isNumericId(text)) this.#learn(nameOf(kind, text), id);
  }

  /**
   * Returns the result of a computation after the look-ups of all its references. The computation runs again after each look-up,
   * so it must have no side effects.
   *
   * @throws the client's errors of look-ups, and the errors of the computation
   */
  settled<T>(compute: () => T): Resolution<T> {
    // If an earlier computation threw an error, its look-ups are still in the list.
    if (this.#missing.length > 0) this.#missing = [];
    const result = compute();
    const missing = this.#missing;
    if (missing.length === 0) return result;
    // If one look-up fails, the run still keeps the results of all other look-ups.
    return Promise.allSettled(missing)
      .then(() => Promise.all(missing))
      .then(() => this.settled(compute));
  }

  /** Returns the result of a computation if all its references are known; otherwise undefined. Sends no look-up. */
  ifKnown<T>(compute: () => T): T | undefined {
    this.#isOneMissing = false;
    const result = compute();
    const isKnown = !this.#isOneMissing;
    this.#isOneMissing = undefined;
    return isKnown ? result : undefined;
  }

  /**
   * Returns the reference to which a text of the configuration or the state resolves. @throws the errors of `named` and `settled`
   */
  resolve(kind: ReferenceKind, text: string, path: DiagnosticPath): Resolution<Reference> {
    return this.settled(() => this.named(kind, text, path));
  }

  /**
   * Returns the reference to which a text resolves. The text is a path or an id. Call this method only within `settled`.
   *
   * @throws DiagnosticError `reference_not_found` if no such object exists
   */
  named(kind: ReferenceKind, text: string, path: DiagnosticPath): Reference {
    if (isNumericId(text)) return reference(Number(text));
    const known = this.#known(nameOf(kind, text));
    if (known !== undefined) return this.#use(kind, text, known);
    if (this.#isOneMissing !== undefined) {
      this.#isOneMissing = true;
      return PENDING;
    }
    const found = this.#answer(this.lookups?.byPath(kind, text));
    if (found === PENDING) return found;
    if (found === undefined) throw new ReferenceNotFound(kind, text, path);
    this.recordMove(kind, text, found.path!, path);
    return this.#use(kind, text, found.id);
  }

  /**
   * Returns a text for each reference. Call this method only within `settled`. `candidates` are texts of the prior state or the
   * plan. If a candidate refers to the object, the candidate is the text. If no candidate refers to the object, the text is the
   * full path, or the id if this token can't see the object.
   */
  spell(kind: ReferenceKind, shown: readonly Reference[], candidates: readonly string[]): readonly string[] {
    const spelled = this.#spellings(kind, shown, candidates);
    const texts = shown.map(({ id, path }) => {
      const text = spelled.get(id) ?? path;
      return text ?? this.#answer(this.lookups?.byId(kind, id))?.path ?? String(id);
    });
    // If look-ups are missing, these texts are not final, so their references are not marked as used.
    if (this.#missing.length === 0) shown.forEach(({ id }, index) => void this.#use(kind, texts[index]!, id));
    return texts;
  }

  /**
   * Returns whether a comparison succeeds. Call this method only within `settled`. If the comparison succeeds, the references of
   * the compared texts are marked as used. Sends no look-up.
   */
  isSuccessful(isEqual: (isUsed: Uses) => boolean): boolean {
    let used: { readonly name: string; readonly id: number }[] | undefined;
    const isSame = isEqual((kind, text, id) => {
      if (isNumericId(text)) return Number(text) === id;
      const name = nameOf(kind, text);
      if (this.#known(name) !== id) return false;
      if (used === undefined) used = [{ name, id }];
      else used.push({ name, id });
      return true;
    });
    if (isSame && used !== undefined)
      for (let index = 0; index < used.length; index += 1) this.#noteUse(used[index]!.name, used[index]!.id);
    return isSame;
  }

  /** The warnings about paths whose objects have another path now. */
  get moved(): readonly Diagnostic[] {
    return this.#moved === undefined ? [] : [...this.#moved.values()];
  }

  /** Records that the object of a reference now has another path. */
  recordMove(kind: ReferenceKind, text: string, now: string, path: DiagnosticPath): void {
    if (isNumericId(text) || now.toLowerCase() === text.toLowerCase()) return;
    this.#moved ??= new Map();
    this.#moved.set(`${kind}:${text}`, movedTo(kind, text, now, path));
  }

  /**
   * Returns the used references as private bytes (base64) for the state. For a plan, `object` is the id of the changed object,
   * and `creates` the identity of the created object.
   */
  remember(object?: string, creates?: string): string | undefined {
    if (this.#isAsRemembered(object, creates)) return this.remembered;
    const { notRemoved, references: before } = this.#before;
    const references = this.#isKeepingAll ? new Map([...before, ...this.#used]) : this.#used;
    return encode({ references, object, creates, shown: undefined, notRemoved, declared: this.#declared });
  }

  /** Returns whether the references equal the initial private bytes, which is true for most objects of a plan. */
  #isAsRemembered(object: string | undefined, creates: string | undefined): boolean {
    const { references, object: before, creates: created, shown, declared } = this.#before;
    if (object !== before || creates !== created || shown !== undefined) return false;
    if (!this.#isKeepingAll && references.size !== this.#used.size) return false;
    return this.#usedAsBefore === this.#used.size && declared?.join() === this.#declared?.join();
  }

  #noteUse(name: string, id: number): void {
    const noted = this.#used.get(name);
    if (noted === id) return;
    const before = this.#before.references.get(name);
    this.#usedAsBefore += Number(before === id) - Number(noted !== undefined && before === noted);
    this.#used.set(name, id);
  }

  #known(name: string): number | undefined {
    return this.#learned?.get(name) ?? this.#before.references.get(name);
  }

  #learn(name: string, id: number): void {
    if (this.#known(name) === id) return;
    this.#learned ??= new Map();
    this.#learned.set(name, id);
  }

  #use(kind: ReferenceKind, text: string, id: number): Reference {
    if (isNumericId(text)) return reference(id);
    const name = nameOf(kind, text);
    this.#learn(name, id);
    this.#noteUse(name, id);
    return reference(id, text);
  }

  /** Returns the result of a look-up, or a placeholder if the look-up is in progress. */
  #answer(answer: Resolution<Reference | undefined>): Reference | undefined {
    if (!(answer instanceof Promise)) return answer;
    // The caller that awaits the look-up receives its failure. If the computation throws, there is no such caller, and an
    // unhandled rejection would end the process.
    answer.catch(() => undefined);
    this.#missing.push(answer);
    return PENDING;
  }

  /**
   * Returns the candidate text for each id. Known results come first. Requests are sent only for candidates without a known
   * result.
   */
  #spellings(kind: ReferenceKind, shown: readonly Reference[], candidates: readonly string[]) {
    const spelled = new Map<number, string>();
    const doubtful = new Set<string>();
    for (const candidate of candidates) {
      const id = isNumericId(candidate) ? Number(candidate) : this.#known(`${kind}:${candidate}`);
      if (id === undefined) doubtful.add(candidate);
      else spelled.set(id, candidate);
    }
    for (const { id, path } of shown) {
      if (path !== undefined && !spelled.has(id) && doubtful.delete(path)) spelled.set(id, path);
    }
    for (const candidate of doubtful) {
      if (shown.every(({ id }) => spelled.has(id))) break;
      // The candidate can be a former path, or a path in another case. Only one look-up starts at a time, because its result can
      // make the next one unnecessary.
      const found = this.#answer(this.lookups?.byPath(kind, candidate));
      if (found === PENDING) break;
      if (found !== undefined) spelled.set(found.id, candidate);
    }
    return spelled;
  }
}

/**
 * Returns the name of a reference: kind and text. Thousands of consecutive objects refer to one container, so the last name is
 * cached.
 */
function nameOf(kind: ReferenceKind, text: string): string {
  if (last.text === text && last.kind === kind) return last.name;
  last = { kind, text, name: `${kind}:${text}` };
  return last.name;
}

let last = { kind: "", text: "", name: ":" };

/** Returns whether a text certainly refers to the object with this id. */
export type Uses = (kind: ReferenceKind, text: string, id: number) => boolean;

/** The error for a text whose object does not exist, or is not visible to this token. */
export class ReferenceNotFound extends DiagnosticError {
  constructor(kind: ReferenceKind, text: string, attribute: DiagnosticPath) {
    super(
      error({
        code: "reference_not_found",
        summary: `No such ${kind}`,
        detail: `\`${formatPath(attribute)}\` refers to the ${kind} "${text}", which can't be found with this token (404). Check the spelling. Check that the token's user can see the ${kind}.`,
        cause: `${kind} ${text}`,
        attribute,
      }),
    );
  }
}

const movedTo = (kind: ReferenceKind, text: string, now: string, attribute: DiagnosticPath): Diagnostic =>
  warning({
    code: "reference_moved",
    summary: `A ${kind} has moved`,
    detail: `\`${formatPath(attribute)}\` refers to the ${kind} "${text}", whose path is now "${now}". Write the new path. The old path works only until another ${kind} takes it.`,
    attribute,
  });
