import {
  isNumericId,
  once,
  type PathSyntax,
  type ReferenceKind,
  type Resolution,
  reference,
} from "../../schema";
import type { Reach } from "../protocol/connection";
import { isSamePath, type Meaning, MISSING, NOT_COMPARED, SAME } from "./meaning";
import { PathBatches, type PathList, type PathSource, type ReferencedObject } from "./path-batches";
import { rememberedIn } from "./remembered";

export type { ReferencedObject, Resolution };

/** A kind of object that declarations refer to by id or path, such as `user`, and how to look it up. */
export interface Kind<Client = unknown> {
  readonly path: PathSyntax;
  /**
   * Looks up an object by numeric id or path. If the token can't see the object, the function returns undefined or throws `gone`.
   */
  find(api: Client, name: number | string): Promise<ReferencedObject | undefined>;
  /**
   * Lists the objects directly below a path, or at any depth if `isNested` is true. Objects that are only shared with the path
   * are left out. Without this function, each path is looked up separately.
   */
  below?(api: Client, path: string, isNested: boolean): PathList;
}

/** The parts of a provider that look-ups of references need. */
interface LookupRules {
  readonly kinds: Readonly<Record<string, Kind>>;
  /**
   * Returns true if the token sees all objects, so that an object that is not found is certainly gone. If an administrator's
   * token does not see all objects, `why` is the reason.
   */
  isAdministrator?(api: unknown): Promise<Sight>;
}

/** Resolves paths and ids of references to objects. */
export interface KnownPaths {
  byPath(kind: ReferenceKind, path: string): Resolution<ReferencedObject | undefined>;
  byId(kind: ReferenceKind, id: number): Resolution<ReferencedObject | undefined>;
}

type Sight = boolean | { readonly why: string };
type Answer = ReferencedObject | Meaning | Sight | undefined;

/**
 * Looks up paths and ids, each once per run. After a failed request, the next look-up of the same path or id sends
 * a new request.
 */
export class Lookups {
  readonly #answers = new Map<string, Resolution<Answer>>();
  /** The paths from the private bytes of states, by kind and id. */
  readonly #pathsOfIds = new Map<string, string>();
  /**
   * Looks up paths and ids without requests. The results come from earlier responses of this run, and from ids that states and
   * other clients have recorded.
   */
  readonly known: KnownPaths = {
    byPath: (kind, path) => {
      const id = this.paths.get(`${kind}:${path}`.toLowerCase());
      const settled = this.#settled(`${kind}:${path}`);
      // If a state has recorded another id for the path, the recorded id wins. The path can mean another object now, but the
      // state still means the object with the recorded id.
      return id === undefined || settled?.id === id ? settled : { ...reference(id), path };
    },
    byId: (kind, id) => this.#settled(`${kind}#${id}`),
  };
  /**
   * Whether this run compares paths with the recorded ids. True only after the run has read objects, so a run without a refresh
   * compares no paths.
   */
  isComparing = false;
  /** The ids of paths that still mean the recorded objects, by kind and path. */
  readonly #same = new Map<string, number>();
  /**
   * The private bytes (base64) whose paths all still mean the recorded objects. Most objects of a container have equal private
   * bytes, so one comparison is enough for all these objects.
   */
  readonly #quiet = new Set<string>();
  /** The full paths from lists and records of the service, by kind and id. */
  readonly #shown = new Map<string, string>();
  /** The batches of paths that are waiting for a look-up, by kind. */
  readonly #batches = new Map<string, PathBatches>();

  /** @param paths the known ids, by kind and lower-case path. All clients of one service share this map and add ids to it */
  constructor(
    private readonly reach: Reach,
    private readonly rules: LookupRules,
    private readonly paths = new Map<string, number>(),
  ) {}

  /** Records the paths and ids from the private bytes of a state. */
  learn(remembered: ReadonlyMap<string, number>): void {
    for (const [name, id] of remembered) {
      this.paths.set(name.toLowerCase(), id);
      const colon = name.indexOf(":");
      this.#pathsOfIds.set(`${name.slice(0, colon)}#${id}`, name.slice(colon + 1));
    }
  }

  /** Returns the path of an object for messages, or its id if the run does not know the path. Sends no request. */
  nameOf(kind: ReferenceKind, id: number): string {
    const found = this.#settled(`${kind}#${id}`);
    return found?.path ?? this.#pathsOfIds.get(`${kind}#${id}`) ?? String(id);
  }

  /**
   * Records an object from a response. @param asked the path in the request; it differs from the object's path if the object has
   * moved
   */
  found(kind: ReferenceKind, object: ReferencedObject, asked = object.path): void {
    for (const path of [object.path, asked]) {
      const name = `${kind}:${path}`.toLowerCase();
      if (!this.paths.has(name)) this.paths.set(name, object.id);
    }
    this.#answers.set(`${kind}:${object.path}`, object);
    this.#answers.set(`${kind}#${object.id}`, object);
  }

  /**
   * Returns the object with a full path or username; undefined if the token can't see it.
   * @throws the client's errors
   */
  byPath(kind: ReferenceKind, path: string): Resolution<ReferencedObject | undefined> {
    return this.#once(`${kind}:${path}`, () => this.#noted(kind, this.#findPath(kind, path), path));
  }

  /**
   * Returns the object with an id; undefined if the token can't see it.
   * @throws the client's errors
   */
  byId(kind: ReferenceKind, id: number): Resolution<ReferencedObject | undefined> {
    return this.#once(`${kind}#${id}`, () => this.#noted(kind, this.#find(kind, id)));
  }

  /** Returns the object with an id or a full path; undefined if the token can't see it. @throws the client's errors */
  named(kind: ReferenceKind, name: string): Resolution<ReferencedObject | undefined> {
    return isNumericId(name) ? this.byId(kind, Number(name)) : this.byPath(kind, name);
  }

  /** Records the full path of an object from a list. A comparison of this path then needs no request. */
  shown(kind: ReferenceKind, id: number, path: string): void {
    this.#shown.set(`${kind}#${id}`, path);
  }

  /**
   * Compares a path with the id that it had at the last apply, once per run. The comparison takes one request, or the pages of a
   * list. If the path now means another object, the comparison takes a second request.
   *
   * @throws the client's errors
   */
  compare(kind: ReferenceKind, text: string, id: number): Resolution<Meaning> {
    const name = `${kind}:${text}`;
    if (this.#same.get(name) === id) return SAME;
    const shown = this.#shown.get(`${kind}#${id}`);
    if (shown !== undefined && isSamePath(shown, text)) {
      this.#same.set(name, id);
      return SAME;
    }
    return this.#once(`compare ${name}#${id}`, () => this.#compare(kind, text, id));
  }

  /** Returns whether all paths in private bytes (base64) still mean the recorded objects. Sends no request. */
  isQuiet(remembered: string | undefined): boolean {
    if (remembered === undefined || this.#quiet.has(remembered)) return true;
    for (const [name, id] of rememberedIn(remembered).references)
      if (this.#same.get(name) !== id) return false;
    this.#quiet.add(remembered);
    return true;
  }

  async #compare(kind: ReferenceKind, text: string, id: number): Promise<Meaning> {
    const { failures } = this.reach;
    try {
      const now = await this.byPath(kind, text);
      if (now?.id === id) {
        if (!isSamePath(now.path, text) || now.deletionScheduledOn !== undefined) return { is: "moved", now };
        this.#same.set(`${kind}:${text}`, id);
        return SAME;
      }
      const held = await this.byId(kind, id);
      if (now !== undefined) return { is: "taken", now, held };
      return held === undefined ? MISSING : { is: "moved", now: held };
    } catch (problem) {
      if (!failures.isRefused(problem)) throw problem;
      return NOT_COMPARED;
    }
  }

  /**
   * Returns whether the token can still read a container. If the token can't read the container, a 404 for an object there does
   * not mean that the object is gone.
   * @throws the client's errors
   */
  async isReadable(kind: ReferenceKind, id: number): Promise<boolean> {
    return (await this.byId(kind, id)) !== undefined;
  }

  /**
   * Returns true if a container is certainly gone. With an administrator's token, the container is looked up a second time,
   * because one 404 is not proof. With any other token, the result is false, because hidden and moved containers get the same
   * responses.
   *
   * @throws the client's errors
   */
  async isGone(kind: ReferenceKind, id: number): Promise<boolean> {
    if ((await this.isReadable(kind, id)) || !(await this.isAdministrator())) return false;
    return this.#once(
      `gone ${kind}#${id}`,
      async () => (await this.#noted(kind, this.#find(kind, id))) === undefined,
    );
  }

  /** Returns whether a container is archived, and therefore read-only. @throws the client's errors */
  async isArchived(kind: ReferenceKind, id: number): Promise<boolean> {
    return (await this.byId(kind, id))?.isArchived ?? false;
  }

  /**
   * Returns whether the token belongs to an administrator who sees all objects, so that a 404 means that an object is gone.
   * Returns false if this can't be read.
   */
  async isAdministrator(): Promise<boolean> {
    return (await this.#sight()) === true;
  }

  /** Returns the reason why an administrator's token does not see all objects; undefined for any other token. */
  async whyNotSeeing(): Promise<string | undefined> {
    const sight = await this.#sight();
    return typeof sight === "object" ? sight.why : undefined;
  }

  #sight(): Resolution<Sight> {
    const { api, failures } = this.reach;
    return this.#once<Sight>(
      "administrator",
      async () => (await failures.orElse(this.rules.isAdministrator?.(api), false)) ?? false,
    );
  }

  #settled(name: string): ReferencedObject | undefined {
    const answer = this.#answers.get(name);
    return isFound(answer) ? answer : undefined;
  }

  async #noted(kind: ReferenceKind, reading: Promise<ReferencedObject | undefined>, asked?: string) {
    const found = await reading;
    if (found === undefined) return undefined;
    this.found(kind, found, asked);
    for (const one of found.related ?? []) this.shown(one.kind, one.id, one.path);
    return found;
  }

  #findPath(kind: ReferenceKind, path: string): Promise<ReferencedObject | undefined> {
    const { below } = this.rules.kinds[kind]!;
    if (below === undefined) return this.#find(kind, path);
    const { api, failures } = this.reach;
    const source: PathSource = {
      find: (one) => this.#find(kind, one),
      below: (parent, isNested) => below(api, parent, isNested),
      throwUnlessFailure: (problem) => failures.throwUnlessFailure(problem),
    };
    const newBatches = () => new PathBatches(source, (one) => this.found(kind, one));
    return once(this.#batches, kind, newBatches).find(path);
  }

  #find(kind: ReferenceKind, name: number | string): Promise<ReferencedObject | undefined> {
    return this.reach.failures.orNothing(this.rules.kinds[kind]!.find(this.reach.api, name));
  }

  #once<T extends Answer>(name: string, request: () => Promise<T>): Resolution<T> {
    if (this.#answers.has(name)) return this.#answers.get(name) as Resolution<T>;
    const asked = request();
    this.#answers.set(name, asked);
    asked.then(
      (answer) => this.#answers.set(name, answer),
      // After a failure, the promise is deleted, so that the next call sends the request again. If another response has already
      // replaced the promise, that result stays.
      () => this.#answers.get(name) === asked && this.#answers.delete(name),
    );
    return asked;
  }
}

const isFound = (answer: Resolution<Answer>): answer is ReferencedObject =>
  typeof answer === "object" && "path" in answer;
