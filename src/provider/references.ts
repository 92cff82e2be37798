import {
  type AttributePath,
  type Diagnostic,
  DiagnosticError,
  error,
  formatPath,
  warning,
} from "../diagnostics";
import type { Lookups } from "./lookups";
import { isNumericId, type Reference, type ReferenceKind, reference } from "./schema";

/**
 * Which project, group or user a text names, for one object. What was found out once is kept beside the state (in
 * its private bytes), so that a path is looked up on create and when its text in the code changed, and not again.
 */
export class References {
  readonly #lookups: Lookups | undefined;
  readonly #known: Map<string, number>;
  readonly #remembered: string | undefined;
  readonly #used = new Map<string, number>();
  readonly #moved = new Map<string, Diagnostic>();

  /** `remembered`: the private bytes (base64) of the object's state. Without look-ups, what is not known has no path. */
  constructor(lookups: Lookups | undefined, remembered: string | undefined) {
    this.#lookups = lookups;
    this.#remembered = remembered;
    this.#known = new Map(decode(remembered).references);
  }

  /** The object that a plan's private bytes are about. */
  static objectIn(remembered: string | undefined): string | undefined {
    return decode(remembered).object;
  }

  /** The same knowledge, and no way to ask for more: for a state that must be written now. */
  withoutLookups(): References {
    const copy = new References(undefined, undefined);
    for (const [name, id] of this.#known) copy.#known.set(name, id);
    for (const [name, id] of this.#used) copy.#used.set(name, id);
    return copy;
  }

  /** Tells what a text names, where that stands elsewhere in the state. */
  learn(kind: ReferenceKind, text: string, id: number): void {
    if (!isNumericId(text)) this.#known.set(`${kind}:${text}`, id);
  }

  /**
   * The reference that a text of the configuration or the state makes.
   *
   * @throws DiagnosticError `reference_not_found` where it names nothing, ApiError where that can't be told
   */
  async resolve(kind: ReferenceKind, text: string, path: AttributePath): Promise<Reference> {
    if (isNumericId(text)) return reference(Number(text));
    const known = this.#known.get(`${kind}:${text}`);
    if (known !== undefined) return this.#use(kind, text, known);
    const found = await this.#lookups?.byPath(kind, text);
    if (found === undefined) throw new ReferenceNotFound(kind, text, path);
    this.noteMove(kind, text, found.path, path);
    return this.#use(kind, text, found.id);
  }

  /**
   * The texts for what the service shows: the spelling of the candidates (the prior state's or the plan's texts)
   * where one of them means it, else the full path, or the id of what this token can't see.
   *
   * @throws ApiError
   */
  async spell(
    kind: ReferenceKind,
    shown: readonly Reference[],
    candidates: readonly string[],
  ): Promise<string[]> {
    const spelled = await this.#spellings(kind, shown, candidates);
    return Promise.all(
      shown.map(async ({ id, path }) => {
        const text = spelled.get(id) ?? path ?? (await this.#lookups?.pathOf(kind, id)) ?? String(id);
        this.#use(kind, text, id);
        return text;
      }),
    );
  }

  /** Paths that were looked up and led to another one, as warnings. */
  get moved(): readonly Diagnostic[] {
    return [...this.#moved.values()];
  }

  /** Notes where a text led, which is another path after a move. */
  noteMove(kind: ReferenceKind, text: string, now: string, path: AttributePath): void {
    if (isNumericId(text) || now.toLowerCase() === text.toLowerCase()) return;
    this.#moved.set(`${kind}:${text}`, movedTo(kind, text, now, path));
  }

  /** What was used, as private bytes (base64) for the state; a plan adds the id of the object that it changes. */
  remember(object?: string): string | undefined {
    if (this.#used.size === 0 && object === undefined) return undefined;
    if (this.#usedWhatWas(object)) return this.#remembered;
    const references = Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
    const bytes = JSON.stringify({ references, ...(object !== undefined && { object }) });
    return Buffer.from(bytes).toString("base64");
  }

  /** Whether the bytes that it began with say just that: of most objects of a plan they do. */
  #usedWhatWas(object: string | undefined): boolean {
    const { references, object: before } = decode(this.#remembered);
    return (
      object === before &&
      references.length === this.#used.size &&
      references.every(([name, id]) => this.#used.get(name) === id)
    );
  }

  #use(kind: ReferenceKind, text: string, id: number): Reference {
    if (isNumericId(text)) return reference(id);
    this.#known.set(`${kind}:${text}`, id);
    this.#used.set(`${kind}:${text}`, id);
    return reference(id, text);
  }

  /** Which of the candidates means which id. The cheapest knowledge first; a request only for what it leaves open. */
  async #spellings(
    kind: ReferenceKind,
    shown: readonly Reference[],
    candidates: readonly string[],
  ): Promise<Map<number, string>> {
    const spelled = new Map<number, string>();
    const doubtful = new Set<string>();
    for (const candidate of candidates) {
      const id = isNumericId(candidate) ? Number(candidate) : this.#known.get(`${kind}:${candidate}`);
      if (id === undefined) doubtful.add(candidate);
      else spelled.set(id, candidate);
    }
    for (const { id, path } of shown) {
      if (path !== undefined && !spelled.has(id) && doubtful.delete(path)) spelled.set(id, path);
    }
    for (const candidate of doubtful) {
      if (shown.every(({ id }) => spelled.has(id))) break;
      // A path that moved, or one in another case.
      const found = await this.#lookups?.byPath(kind, candidate);
      if (found !== undefined) spelled.set(found.id, candidate);
    }
    return spelled;
  }
}

/** A text names nothing that this token can see. */
export class ReferenceNotFound extends DiagnosticError {
  constructor(kind: ReferenceKind, text: string, attribute: AttributePath) {
    super(
      error({
        code: "reference_not_found",
        summary: `No such ${kind}`,
        detail:
          `${formatPath(attribute)} names the ${kind} "${text}", which can't be found with this token (404). ` +
          "Check the spelling, and that the token's user can see it.",
        attribute,
      }),
    );
  }
}

/** What private bytes say. */
interface Remembered {
  readonly references: readonly (readonly [name: string, id: number])[];
  readonly object: string | undefined;
}

/** The objects of one project remember the same, and each of them is asked several times in a run. */
const decoded = new Map<string, Remembered>();
const MOST_DECODED = 5000;

function decode(remembered = ""): Remembered {
  const known = decoded.get(remembered);
  if (known !== undefined) return known;
  if (decoded.size >= MOST_DECODED) decoded.clear();
  const { references, object } = parse(remembered);
  const entries = Object.entries(Object(references)) as [string, number][];
  const result = {
    references: entries.filter(([, id]) => Number.isSafeInteger(id)),
    object: typeof object === "string" ? object : undefined,
  };
  decoded.set(remembered, result);
  return result;
}

/** Private bytes of another provider, or of an older version, say nothing: what they knew is looked up again. */
function parse(remembered: string): { readonly references?: unknown; readonly object?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(remembered, "base64").toString("utf8"))) as object;
  } catch {
    return {};
  }
}

const movedTo = (kind: ReferenceKind, text: string, now: string, attribute: AttributePath): Diagnostic =>
  warning({
    code: "reference_moved",
    summary: `A ${kind} has moved`,
    detail:
      `${formatPath(attribute)} names the ${kind} "${text}", which is "${now}" now. It was followed; ` +
      "the old path leads there until somebody else takes it. Write the new one.",
    attribute,
  });
