import { ApiError, type Client, type Member } from "../../api";

/** A project or group, by its path. Changes contain the name of a project or group in a form such as `project acme/web`. */
export interface Container {
  readonly kind: "project" | "group";
  readonly path: string;
}

/**
 * Reads the memberships of people in projects and groups, including inherited memberships and shared groups
 * (https://docs.gitlab.com/api/members/: `members/all`). Reads the membership of a person in a group only once.
 */
export class Memberships {
  readonly #levels = new Map<string, Promise<number>>();

  constructor(private readonly client: Client) {}

  /**
   * Returns the access level of a person. The level is 0 without a membership, for an expired or pending membership, and for a
   * project or group that the token can't see.
   *
   * @param enough the level that the caller needs. Steward first reads the group of a project, and does not read the project if
   * the level in the group is enough
   * @throws ApiError if the service does not return the membership
   */
  async levelIn({ kind, path }: Container, user: number, enough: number): Promise<number> {
    if (kind === "group") return this.#ask("group", path, user);
    const group = path.split("/").slice(0, -1).join("/");
    const inherited = group === "" ? 0 : await this.#ask("group", group, user);
    if (inherited >= enough) return inherited;
    return Math.max(inherited, await this.#ask("project", path, user));
  }

  #ask(kind: Container["kind"], path: string, user: number): Promise<number> {
    const key = `${kind} ${path}\n${user}`;
    const known = this.#levels.get(key);
    if (known !== undefined) return known;
    const { members } = this.client;
    const found = (kind === "group" ? members.inGroup(path, user) : members.inProject(path, user))
      .then(levelOf)
      .catch((problem: unknown) => {
        if (problem instanceof ApiError && problem.code === "not_found") return 0;
        throw problem;
      });
    this.#levels.set(key, found);
    return found;
  }
}

function levelOf({ access_level: level, expires_at: end, membership_state: state, state: ofUser }: Member) {
  const hasEnded = end !== null && Date.parse(end) <= Date.now();
  const isActive = [state, ofUser].every((one) => one === null || one === "active");
  return hasEnded || !isActive ? 0 : level;
}
