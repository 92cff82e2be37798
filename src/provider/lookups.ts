import { ApiError, type Client } from "../api";
import type { ContainerKind } from "./definition";
import { type Reference, type ReferenceKind, reference } from "./schema";

/** Projects, groups and users by path or id, each asked for once in a run. */
export class Lookups {
  readonly #api: Client;
  readonly #asked = new Map<string, Promise<Reference | undefined>>();

  constructor(api: Client) {
    this.#api = api;
  }

  /** What a full path (or username) names; nothing where this token sees nothing of that name. */
  byPath(kind: ReferenceKind, path: string): Promise<Reference | undefined> {
    return this.#once(`${kind}:${path}`, async () => {
      if (kind === "project") return this.#project(path);
      if (kind === "group") return this.#group(path);
      const user = await this.#api.users.byUsername(path);
      return user && reference(user.id, user.username);
    });
  }

  /** The full path (or username) of what has this id, where this token may see it. */
  async pathOf(kind: ReferenceKind, id: number): Promise<string | undefined> {
    const found = await this.#once(`${kind}#${id}`, async () => {
      if (kind === "project") return this.#project(id);
      if (kind === "group") return this.#group(id);
      const user = await this.#api.users.get(id);
      return reference(user.id, user.username);
    });
    return found?.path;
  }

  /** Whether this token can still read the project or group: only then does a 404 below it mean "gone". */
  async isReadable(kind: ContainerKind, id: number): Promise<boolean> {
    return (
      (await this.#once(`${kind}#${id}`, () =>
        kind === "project" ? this.#project(id) : this.#group(id),
      )) !== undefined
    );
  }

  /** Whether the token is an administrator's, for whom a 404 always means "gone". */
  async isAdministrator(): Promise<boolean> {
    const admin = await this.#once("administrator", async () => {
      const user = await this.#api.users.current();
      return user.is_admin ? reference(user.id) : undefined;
    });
    return admin !== undefined;
  }

  async #project(id: number | string): Promise<Reference> {
    const project = await this.#api.projects.get(id);
    return reference(project.id, project.path_with_namespace);
  }

  async #group(id: number | string): Promise<Reference> {
    const group = await this.#api.groups.get(id);
    return reference(group.id, group.full_path);
  }

  #once(name: string, ask: () => Promise<Reference | undefined>): Promise<Reference | undefined> {
    let asked = this.#asked.get(name);
    if (asked === undefined) {
      asked = ask().catch((problem: unknown) => {
        if (problem instanceof ApiError && problem.code === "not_found") return undefined;
        this.#asked.delete(name);
        throw problem;
      });
      this.#asked.set(name, asked);
    }
    return asked;
  }
}
