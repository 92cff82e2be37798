import { type PathSyntax, type Reference, type ReferenceKind, reference } from "../../schema";
import type { Reach } from "../protocol/connection";

/** A value, or the promise of it where it has to be asked for first. */
export type Resolution<T> = T | Promise<T>;

/** What a path or an id names. */
export interface ReferencedObject extends Reference {
  readonly path: string;
  /** It can be read, and nothing in it can be changed. */
  readonly isArchived?: boolean;
}

/** A kind of thing that declarations name by id or by path, such as `user`, and how the service is asked for one. */
export interface Kind<Client = unknown> {
  /** What its paths look like. */
  readonly path: PathSyntax;
  /** By numeric id or by path. Nothing, or `gone`, where this token sees nothing of that name. */
  find(api: Client, name: number | string): Promise<ReferencedObject | undefined>;
}

/** What look-ups take of a provider. */
export interface LookupRules {
  readonly kinds: Readonly<Record<string, Kind>>;
  /** Whether the token sees everything, so that what is not found is gone for sure. */
  isAdministrator?(api: unknown): Promise<boolean>;
}

/** Resolves paths and ids. */
export interface KnownPaths {
  byPath(kind: ReferenceKind, path: string): Resolution<ReferencedObject | undefined>;
  byId(kind: ReferenceKind, id: number): Resolution<ReferencedObject | undefined>;
}

type Answer = ReferencedObject | boolean | undefined;

/** Looks things up by path or id, each once in a run. Failed requests are sent again. */
export class Lookups {
  readonly #reach: Reach;
  readonly #rules: LookupRules;
  readonly #answers = new Map<string, Resolution<Answer>>();
  /** Ids by kind and path, in lower case, as objects remember them. */
  readonly #remembered = new Map<string, number>();
  #known: KnownPaths | undefined;

  constructor(reach: Reach, rules: LookupRules) {
    this.#reach = reach;
    this.#rules = rules;
  }

  /** What was answered by now, or is remembered by an object that was identified: asks for nothing. */
  get known(): KnownPaths {
    const settled = (name: string) => {
      const answer = this.#answers.get(name);
      return isFound(answer) ? answer : undefined;
    };
    this.#known ??= {
      byPath: (kind, path) => {
        const id = this.#remembered.get(`${kind}:${path}`.toLowerCase());
        return settled(`${kind}:${path}`) ?? (id === undefined ? undefined : { ...reference(id), path });
      },
      byId: (kind, id) => settled(`${kind}#${id}`),
    };
    return this.#known;
  }

  /** Notes what an object remembers of the paths that it names. */
  learn(remembered: ReadonlyMap<string, number>): void {
    for (const [name, id] of remembered) this.#remembered.set(name.toLowerCase(), id);
  }

  /** What a full path (or username) names; nothing where this token sees nothing of that name. @throws the client's errors */
  byPath(kind: ReferenceKind, path: string): Resolution<ReferencedObject | undefined> {
    return this.#once(`${kind}:${path}`, async () => {
      const found = await this.#find(kind, path);
      if (found !== undefined) this.#answers.set(`${kind}#${found.id}`, found);
      return found;
    });
  }

  /** What has this id, where this token may see it. @throws the client's errors */
  byId(kind: ReferenceKind, id: number): Resolution<ReferencedObject | undefined> {
    return this.#once(`${kind}#${id}`, () => this.#find(kind, id));
  }

  /** Whether this token can still read a container: only then does a 404 below it mean "gone". @throws the client's errors */
  async isReadable(kind: ReferenceKind, id: number): Promise<boolean> {
    return (await this.byId(kind, id)) !== undefined;
  }

  /** Whether a container is archived, and so can't be changed. @throws the client's errors */
  async isArchived(kind: ReferenceKind, id: number): Promise<boolean> {
    return (await this.byId(kind, id))?.isArchived ?? false;
  }

  /** Whether the token is an administrator's, for whom a 404 always means "gone". One that may not even ask is none. */
  async isAdministrator(): Promise<boolean> {
    return this.#once("administrator", async () => {
      try {
        return (await this.#rules.isAdministrator?.(this.#reach.api)) ?? false;
      } catch (problem) {
        this.#reach.failures.throwUnlessFailure(problem);
        return false;
      }
    });
  }

  #find(kind: ReferenceKind, name: number | string): Promise<ReferencedObject | undefined> {
    return this.#reach.failures.orNothing(this.#rules.kinds[kind]!.find(this.#reach.api, name));
  }

  #once<T extends Answer>(name: string, request: () => Promise<T>): Resolution<T> {
    if (this.#answers.has(name)) return this.#answers.get(name) as Resolution<T>;
    const asked = request();
    this.#answers.set(name, asked);
    asked.then(
      (answer) => this.#answers.set(name, answer),
      () => this.#answers.delete(name),
    );
    return asked;
  }
}

const isFound = (answer: Resolution<Answer>): answer is ReferencedObject =>
  typeof answer === "object" && !(answer instanceof Promise);
