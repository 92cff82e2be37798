import type { Client, Invitation, Member, User } from "../api";
import { roleWord } from "./fixture-data";
import type { Notes } from "./notes";

/** A user, with the facts that the snapshot knows. */
export interface LiveUser {
  readonly id: number;
  readonly username: string;
  readonly name: string | null;
  readonly state: string | null;
  /**
   * The e-mail address; null if the token can't see the address. For a user with a queued invitation, this is the
   * address of the invitation.
   */
  email: string | null;
}

/** The users in a snapshot: members, and other users to whom entries and invitations refer. */
export class People {
  readonly #byId = new Map<number, LiveUser>();
  readonly #creators = new Map<string, LiveUser | undefined>();

  constructor(
    private readonly client: Client,
    private readonly notes: Notes,
  ) {}

  get all(): readonly LiveUser[] {
    return [...this.#byId.values()];
  }

  addMembers(members: readonly Member[] | undefined): void {
    for (const member of members ?? []) this.#add(member).email ??= member.email;
  }

  /** Returns the username of a user that `resolve` or `addMembers` found; undefined for any other user. */
  username(id: number): string | undefined {
    return this.#byId.get(id)?.username;
  }

  /** Returns the user who sent an invitation; undefined if no user with this name is visible. */
  creatorOf({ created_by_name: name }: Invitation): LiveUser | undefined {
    return name ? this.#creators.get(name) : undefined;
  }

  /** Returns the user whose promotion waits for an administrator; undefined for an invitation by e-mail. */
  queuedFor({ invite_email: email, user_name: name }: Invitation): LiveUser | undefined {
    return !name ? undefined : this.#find((user) => isSameAddress(user.email, email));
  }

  /** Looks up a user by id. */
  async resolve(id: number, container: string): Promise<void> {
    const refused = `the entry of the user ${id} is left out, because this token can't see the user`;
    const read = () => this.client.users.get(id);
    if (this.#byId.has(id)) return;
    const user = await this.notes.read(container, "protected environments", read, refused);
    if (user !== undefined) this.#add(user);
  }

  /** Looks up the user whose personal namespace has this path. */
  async resolveNamespace(username: string): Promise<void> {
    const read = () => this.client.users.byUsername(username);
    const user = await this.notes.read(username, "settings", read, NOT_SEARCHABLE);
    if (user !== undefined) this.#add(user);
  }

  /**
   * Looks up the sender of an invitation, and the user whose promotion waits for an administrator. An invitation
   * contains only names of people, and no usernames or ids.
   */
  async resolveInvitations(container: string, invitations: readonly Invitation[] | undefined): Promise<void> {
    for (const { created_by_name: creator, user_name: queued, invite_email: email } of invitations ?? []) {
      if (creator) await this.#resolveCreator(creator, container);
      if (queued) await this.#resolveQueued(email, queued, container);
    }
  }

  async #resolveCreator(name: string, container: string): Promise<void> {
    if (this.#creators.has(name)) return;
    const known = this.#find((user) => user.name === name) ?? (await this.#search(name, name, container));
    this.#creators.set(name, known);
    if (known === undefined)
      this.notes.add(
        container,
        "invitations",
        "the user who sent some of them is not visible with this token",
      );
  }

  async #resolveQueued(email: string, name: string, container: string): Promise<void> {
    if (this.#find((user) => isSameAddress(user.email, email)) !== undefined) return;
    const found = await this.#search(email, name, container);
    if (found === undefined)
      this.notes.add(
        container,
        "invitations",
        "a user who waits for approval is not visible with this token, and is invited by e-mail address instead",
      );
    else found.email = email;
  }

  /**
   * Returns the user with this name and the lowest id in the results of a search; undefined if there is none. The
   * method reads one page of results.
   */
  async #search(text: string, name: string, container: string): Promise<LiveUser | undefined> {
    const readPage = async (): Promise<readonly User[]> => {
      const pages = await this.client.users.list({ search: text }).pages();
      for await (const page of pages ?? []) return page;
      return [];
    };
    const found = await this.notes.read(container, "invitations", readPage, NOT_SEARCHABLE);
    const [first] = [...(found ?? [])]
      .filter((user) => user.name === name)
      .sort((one, other) => one.id - other.id);
    return first && this.#add(first);
  }

  #add({ id, username, name, state }: Omit<LiveUser, "email">): LiveUser {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const user: LiveUser = { id, username, name, state, email: null };
    this.#byId.set(id, user);
    return user;
  }

  /** Returns the matching user with the lowest id, so that the result does not depend on the order of responses. */
  #find(isMatch: (user: LiveUser) => boolean): LiveUser | undefined {
    return this.all.filter(isMatch).sort((one, other) => one.id - other.id)[0];
  }
}

const NOT_SEARCHABLE = "users can't be searched with this token";

const isSameAddress = (one: string | null, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase();

/** A custom role, as a fixture declares it in one top-level group. */
export interface CustomRole {
  readonly group: string;
  readonly id: number;
  readonly name: string;
  readonly base_role: string;
}

/** Returns the custom roles of members of projects and groups, by id. */
export function customRolesOf(
  containers: Iterable<{ readonly path: string; readonly members?: readonly Member[] | undefined }>,
): ReadonlyMap<number, CustomRole> {
  const roles = new Map<number, CustomRole>();
  for (const { path, members = [] } of containers) {
    const [group] = path.split("/") as [string];
    for (const { member_role: role } of members) {
      const base_role = roleWord(role?.base_access_level ?? Number.NaN);
      if (role === null || base_role === undefined) continue;
      const known = roles.get(role.id);
      // The group that is first in the alphabet wins, so that the result does not depend on the order of responses.
      if (known !== undefined && known.group <= group) continue;
      roles.set(role.id, { group, id: role.id, name: role.name ?? String(role.id), base_role });
    }
  }
  return roles;
}
