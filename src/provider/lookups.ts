import type { Client, Group, Project, User } from "../api";
import type { ContainerKind } from "./definition";
import { orNothing } from "./problems";
import { type Reference, type ReferenceKind, reference } from "./schema";

/** What a look-up tells of a project, group or user. */
interface Found extends Reference {
  readonly path: string;
  readonly isArchived: boolean;
}

/** Projects, groups and users by path or id, each asked for once in a run. Failed requests are asked again. */
export class Lookups {
  readonly #api: Client;
  readonly #asked = new Map<string, Promise<Found | boolean | undefined>>();

  constructor(api: Client) {
    this.#api = api;
  }

  /** What a full path (or username) names; nothing where this token sees nothing of that name. @throws ApiError */
  async byPath(kind: ReferenceKind, path: string): Promise<(Reference & { path: string }) | undefined> {
    const found = await this.#once(`${kind}:${path}`, () => this.#find(kind, path));
    if (found !== undefined) this.#asked.set(`${kind}#${found.id}`, Promise.resolve(found));
    return found;
  }

  /** The full path (or username) of what has this id, where this token may see it. @throws ApiError */
  async pathOf(kind: ReferenceKind, id: number): Promise<string | undefined> {
    return (await this.#byId(kind, id))?.path;
  }

  /** Whether this token can still read the project or group: only then does a 404 below it mean "gone". @throws ApiError */
  async isReadable(kind: ContainerKind, id: number): Promise<boolean> {
    return (await this.#byId(kind, id)) !== undefined;
  }

  /** Whether the project is archived, and so can't be changed. @throws ApiError */
  async isArchived(project: number): Promise<boolean> {
    return (await this.#byId("project", project))?.isArchived ?? false;
  }

  /** Whether the token is an administrator's, for whom a 404 always means "gone". @throws ApiError */
  isAdministrator(): Promise<boolean> {
    return this.#once("administrator", async () => (await this.#api.users.current()).is_admin ?? false);
  }

  #byId(kind: ReferenceKind, id: number): Promise<Found | undefined> {
    return this.#once(`${kind}#${id}`, () => this.#find(kind, id));
  }

  #find(kind: ReferenceKind, name: number | string): Promise<Found | undefined> {
    const { projects, groups, users } = this.#api;
    if (kind === "project") return orNothing(projects.get(name).then(fromProject));
    if (kind === "group") return orNothing(groups.get(name).then(fromGroup));
    const user = typeof name === "number" ? users.get(name) : users.byUsername(name);
    return orNothing(user.then((found) => found && fromUser(found)));
  }

  #once<T extends Found | boolean | undefined>(name: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#asked.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const asked = ask();
    this.#asked.set(name, asked);
    asked.catch(() => this.#asked.delete(name));
    return asked;
  }
}

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
