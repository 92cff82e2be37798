import { ApiError, type Client } from "../api";
import type { ContainerKind } from "./define";
import { orNothing } from "./failure-of";
import { ADMINISTRATOR } from "./roles";

/** The scopes that are known to allow no change through this API. Others, such as fine-grained scopes, may allow changes. */
const READ_ONLY: ReadonlySet<string> = new Set([
  "read_api",
  "read_user",
  "openid",
  "profile",
  "email",
  "read_repository",
  "read_registry",
  "read_virtual_registry",
  "read_observability",
  "read_service_ping",
]);

/** Whether all scopes of a token are known to allow no change. */
export const allowNoChange = (scopes: readonly string[]): boolean =>
  scopes.length > 0 && scopes.every((scope) => READ_ONLY.has(scope));

/** The permissions of a token; each request is sent once. */
export class TokenPermissions {
  readonly #api: Client;
  readonly #requested = new Map<string, Promise<unknown>>();

  constructor(api: Client) {
    this.#api = api;
  }

  /** The token's scopes; undefined if the service does not return them. */
  scopes(): Promise<readonly string[] | undefined> {
    return this.#deduplicated("token", async () => (await this.#api.users.token()).scopes);
  }

  /** The level of the token's user; inherited memberships are read only if the project's own record is not enough. */
  async level(kind: ContainerKind, name: string | number, needed: number): Promise<number | undefined> {
    const within =
      kind === "project" ? await this.#deduplicated(`project ${name}`, () => this.#within(name)) : 0;
    if (within === undefined || within >= needed) return within;
    const user = await this.#deduplicated("user", () => this.#api.users.current());
    if (user === undefined) return undefined;
    if (user.is_admin === true) return ADMINISTRATOR;
    if (needed === ADMINISTRATOR) return within;
    const { members } = this.#api;
    return this.#deduplicated(`member of ${kind} ${name}`, async () => {
      const found = await orNothing(
        kind === "project" ? members.inProject(name, user.id) : members.inGroup(name, user.id),
      );
      return Math.max(within, found?.access_level ?? 0);
    });
  }

  async #within(project: string | number): Promise<number> {
    const { project_access_level, group_access_level } = await this.#api.projects.permissions(project);
    return Math.max(project_access_level ?? 0, group_access_level ?? 0);
  }

  /** Sends a request once per key; undefined if the request fails. */
  #deduplicated<T>(what: string, ask: () => Promise<T>): Promise<T | undefined> {
    const known = this.#requested.get(what) as Promise<T | undefined> | undefined;
    if (known !== undefined) return known;
    const requested = ask().catch((problem: unknown) => {
      if (problem instanceof ApiError) return undefined;
      throw problem;
    });
    this.#requested.set(what, requested);
    return requested;
  }
}
