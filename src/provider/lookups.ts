import type { Client, Group, Project, User } from "../api";
import type { ContainerKind } from "./definition";
import { orNothing, throwUnlessTold } from "./problems";
import { type Reference, type ReferenceKind, reference } from "./schema";

/** A value, or the promise of it where it has to be asked for first. */
export type Settled<T> = T | Promise<T>;

/** What a path or an id names. */
interface Named extends Reference {
  readonly path: string;
}

/** What a look-up tells of a project, group or user. */
interface Found extends Named {
  readonly isArchived: boolean;
}

/** Resolves paths and ids. */
export interface KnownPaths {
  byPath(kind: ReferenceKind, path: string): Settled<Named | undefined>;
  byId(kind: ReferenceKind, id: number): Settled<Named | undefined>;
}

type Answer = Found | boolean | undefined;

/** Projects, groups and users by path or id, each asked for once in a run. Failed requests are asked again. */
export class Lookups {
  readonly #api: Client;
  readonly #answers = new Map<string, Settled<Answer>>();
  /** Ids by kind and path, in lower case, as objects remember them. */
  readonly #remembered = new Map<string, number>();
  #known: KnownPaths | undefined;

  constructor(api: Client) {
    this.#api = api;
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

  /** What a full path (or username) names; nothing where this token sees nothing of that name. @throws ApiError */
  byPath(kind: ReferenceKind, path: string): Settled<Found | undefined> {
    return this.#once(`${kind}:${path}`, async () => {
      const found = await this.#find(kind, path);
      if (found !== undefined) this.#answers.set(`${kind}#${found.id}`, found);
      return found;
    });
  }

  /** What has this id, where this token may see it. @throws ApiError */
  byId(kind: ReferenceKind, id: number): Settled<Found | undefined> {
    return this.#once(`${kind}#${id}`, () => this.#find(kind, id));
  }

  /** Whether this token can still read the project or group: only then does a 404 below it mean "gone". @throws ApiError */
  async isReadable(kind: ContainerKind, id: number): Promise<boolean> {
    return (await this.byId(kind, id)) !== undefined;
  }

  /** Whether the project is archived, and so can't be changed. @throws ApiError */
  async isArchived(project: number): Promise<boolean> {
    return (await this.byId("project", project))?.isArchived ?? false;
  }

  /** Whether the token is an administrator's, for whom a 404 always means "gone". One that may not even ask is none. */
  async isAdministrator(): Promise<boolean> {
    return this.#once("administrator", async () => {
      try {
        return (await this.#api.users.current()).is_admin ?? false;
      } catch (problem) {
        throwUnlessTold(problem);
        return false;
      }
    });
  }

  #find(kind: ReferenceKind, name: number | string): Promise<Found | undefined> {
    const { projects, groups, users } = this.#api;
    if (kind === "project") return orNothing(projects.get(name).then(fromProject));
    if (kind === "group") return orNothing(groups.get(name).then(fromGroup));
    const user = typeof name === "number" ? users.get(name) : users.byUsername(name);
    return orNothing(user.then((found) => found && fromUser(found)));
  }

  #once<T extends Answer>(name: string, ask: () => Promise<T>): Settled<T> {
    if (this.#answers.has(name)) return this.#answers.get(name) as Settled<T>;
    const asked = ask();
    this.#answers.set(name, asked);
    asked.then(
      (answer) => this.#answers.set(name, answer),
      () => this.#answers.delete(name),
    );
    return asked;
  }
}

const isFound = (answer: Settled<Answer>): answer is Found =>
  typeof answer === "object" && !(answer instanceof Promise);

const fromProject = (project: Project): Found => ({
  ...reference(project.id),
  path: project.path_with_namespace,
  isArchived: project.archived ?? false,
});

const fromGroup = (group: Group): Found => ({
  ...reference(group.id),
  path: group.full_path,
  isArchived: false,
});

const fromUser = (user: User): Found => ({ ...reference(user.id), path: user.username, isArchived: false });
