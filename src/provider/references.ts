import { type AttributePath, fail, formatPath } from "../diagnostics";
import type { Lookups } from "./lookups";
import { isNumericId, type Reference, type ReferenceKind, reference } from "./schema";

/**
 * Which project, group or user a text names, for one object. What was found out once is kept beside the state (in
 * its private bytes), so that a path is looked up on create and when its text in the code changed, and not again.
 */
export class References {
  readonly #lookups: Lookups;
  readonly #known: Map<string, number>;
  readonly #used = new Map<string, number>();

  constructor(lookups: Lookups, remembered: string | undefined) {
    this.#lookups = lookups;
    this.#known = new Map(Object.entries(decode(remembered)));
  }

  /** The reference that a text of the configuration or the state makes. Fails where it names nothing. */
  async resolve(kind: ReferenceKind, text: string, path: AttributePath): Promise<Reference> {
    if (isNumericId(text)) return reference(Number(text));
    const name = `${kind}:${text}`;
    let id = this.#known.get(name);
    if (id === undefined) {
      const found = await this.#lookups.byPath(kind, text);
      if (found === undefined) return notFound(kind, text, path);
      id = found.id;
      this.#known.set(name, id);
    }
    this.#used.set(name, id);
    return reference(id, text);
  }

  /**
   * The texts for what the service shows: the spelling of the candidates (the prior state's or the plan's texts)
   * where one of them means it, else the full path.
   */
  async spell(
    kind: ReferenceKind,
    shown: readonly Reference[],
    candidates: readonly string[],
  ): Promise<string[]> {
    const spelled = new Map<number, string>();
    const doubtful: string[] = [];
    for (const candidate of candidates) {
      const id = isNumericId(candidate) ? Number(candidate) : this.#known.get(`${kind}:${candidate}`);
      if (id === undefined) doubtful.push(candidate);
      else spelled.set(id, candidate);
    }
    for (const { id, path } of shown) {
      if (path !== undefined && !spelled.has(id) && doubtful.includes(path)) spelled.set(id, path);
    }
    // Only what neither an id nor a path gave away costs a request: a moved path, or another case.
    if (shown.some(({ id }) => !spelled.has(id))) {
      for (const candidate of doubtful.filter((text) => ![...spelled.values()].includes(text))) {
        const found = await this.#lookups.byPath(kind, candidate);
        if (found !== undefined) spelled.set(found.id, candidate);
      }
    }
    return Promise.all(
      shown.map(async ({ id, path }) => {
        const text = spelled.get(id) ?? path ?? (await this.#lookups.pathOf(kind, id)) ?? String(id);
        if (!isNumericId(text)) {
          this.#known.set(`${kind}:${text}`, id);
          this.#used.set(`${kind}:${text}`, id);
        }
        return text;
      }),
    );
  }

  /** What was used, as private bytes (base64) for the state. */
  remember(): string | undefined {
    if (this.#used.size === 0) return undefined;
    const references = Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
    return Buffer.from(JSON.stringify({ references })).toString("base64");
  }
}

/** Private bytes of another provider, or of an older version, remember nothing. */
function decode(remembered: string | undefined): Record<string, number> {
  if (remembered === undefined) return {};
  try {
    const { references } = JSON.parse(Buffer.from(remembered, "base64").toString("utf8")) as {
      references?: Record<string, unknown>;
    };
    const entries = Object.entries(references ?? {}).filter(([, id]) => Number.isSafeInteger(id));
    return Object.fromEntries(entries) as Record<string, number>;
  } catch {
    return {};
  }
}

function notFound(kind: ReferenceKind, text: string, attribute: AttributePath): never {
  return fail({
    code: "reference_not_found",
    summary: `No such ${kind}`,
    detail:
      `${formatPath(attribute)} names the ${kind} "${text}", which can't be found with this token (404). ` +
      "Check the spelling, and that the token's user can see it.",
    attribute,
  });
}
