import type { Client, Invitation, Member, SharedGroup } from "../api";
import type { Notes } from "./notes";

/** A group as it was read, with the parts that the snapshot needs. */
export interface LiveGroup {
  readonly id: number;
  readonly path: string;
  /** Undefined if the token can't see the group. */
  readonly record: SharedGroup | undefined;
  members?: readonly Member[] | undefined;
  shares?: SharedGroup["shared_with_groups"] | undefined;
  invitations?: readonly Invitation[] | undefined;
}

/** What is known of a group that the token may not see. */
interface Hint {
  readonly path?: string | null | undefined;
}

/** The path that stands for a group whose path is not known. */
const hiddenPath = (id: number): string => `hidden-group-${id}`;

/**
 * Reads groups, each part once. How much is read of a group depends on its use: a group that only an allowlist or a path
 * names has its record; members of a group with access have theirs, so that the users' access is the same in the copy.
 */
export class GroupReader {
  readonly groups = new Map<number, LiveGroup>();
  readonly #client: Client;
  readonly #notes: Notes;
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(client: Client, notes: Notes) {
    this.#client = client;
    this.#notes = notes;
  }

  /** The group with those above it, without their members. */
  plain(id: number, hint: Hint = {}): Promise<LiveGroup> {
    return this.#once(`plain ${id}`, async () => {
      const name = hint.path ?? hiddenPath(id);
      const record = await this.#notes.read(
        name,
        "settings",
        () => this.#client.groups.get(id),
        "the group is not visible with this token",
      );
      const group: LiveGroup = { id, path: record?.full_path ?? name, record };
      this.groups.set(id, group);
      if (record?.parent_id != null) await this.plain(record.parent_id, { path: parentOf(group.path) });
      return group;
    });
  }

  /** The group and those above it with their members, who have access where the group has. */
  withMembers(id: number, hint: Hint = {}): Promise<LiveGroup> {
    return this.#once(`members ${id}`, async () => {
      const group = await this.plain(id, hint);
      const { record, path } = group;
      if (record === undefined) return group;
      const parent = record.parent_id;
      const above = parent === null ? undefined : this.withMembers(parent, { path: parentOf(path) });
      group.members = await this.#notes.read(
        path,
        "members",
        () => this.#client.members.ofGroup(id).toArray(),
        "not visible with this token",
      );
      await above;
      return group;
    });
  }

  /** The group and those above it with everybody who has access through them: members, and groups they are shared with. */
  withAccess(id: number, hint: Hint = {}): Promise<LiveGroup> {
    return this.#once(`access ${id}`, async () => {
      const group = await this.withMembers(id, hint);
      if (group.record === undefined) return group;
      const { parent_id: parent, shared_with_groups: shares } = group.record;
      group.shares = shares;
      await Promise.all([
        ...(parent === null ? [] : [this.withAccess(parent)]),
        ...shares.map((share) => this.withMembers(share.group_id, { path: share.group_full_path })),
      ]);
      return group;
    });
  }

  /** The group with its own invitations, too. */
  whole(id: number, hint: Hint = {}): Promise<LiveGroup> {
    return this.#once(`whole ${id}`, async () => {
      const invitations = this.#notes.read(
        hint.path ?? String(id),
        "invitations",
        () => this.#client.groupInvitations.list(id).toArray(),
        "the token's user needs the Owner role of the group",
      );
      const group = await this.withAccess(id, hint);
      group.invitations = await invitations;
      return group;
    });
  }

  #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#done.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const begun = read();
    this.#done.set(key, begun);
    return begun;
  }
}

export const parentOf = (path: string): string | undefined =>
  path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : undefined;
