import type {
  AllowlistGroup,
  AllowlistProject,
  Client,
  Invitation,
  Member,
  Project,
  SharedGroup,
} from "../api";
import type { Notes, Part } from "./notes";

/**
 * A project or group with the parts that the snapshot needs. A note in `Notes` contains the reason why a part could
 * not be read.
 */
interface LiveContainer<Found> {
  readonly id: number;
  readonly path: string;
  /** The record of the project or group. Undefined if the token can't see the project or group. */
  readonly record: Found | undefined;
  /**
   * The members of the project or group. For a project outside the selection that only members can see, this list
   * contains only the token's user.
   */
  members?: readonly Member[] | undefined;
  shares?: SharedGroup["shared_with_groups"] | undefined;
  invitations?: readonly Invitation[] | undefined;
}

export type LiveGroup = LiveContainer<SharedGroup>;

export interface LiveProject extends LiveContainer<Project> {
  /** The settings of a selected project. */
  readonly settings?: ProjectSettings | undefined;
}

/**
 * Reads projects and their groups, the groups with which they are shared, and the groups to which they refer. Each
 * part is read once. For a group to which only an allowlist or a path refers, only the record is read. For a group
 * that has access to a project or group, the members are also read. With these members, the fixture gives all users
 * the same access as the service.
 */
export class ContainerReader {
  readonly groups = new Map<number, LiveGroup>();
  readonly projects = new Map<number, LiveProject>();
  /** The usernames of personal namespaces that contain projects. */
  readonly namespaceUsers = new Set<string>();
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(
    private readonly client: Client,
    private readonly notes: Notes,
    private readonly selected: ReadonlySet<number>,
  ) {}

  /**
   * Reads the group with its parent groups, without their members. `hint` is the path of the group, in case the token
   * can't see the group.
   */
  plain(id: number, hint?: string | null): Promise<LiveGroup> {
    return this.#once(`plain ${id}`, async () => {
      const name = hint ?? `hidden-group-${id}`;
      const record = await this.notes.read(
        name,
        "settings",
        () => this.client.groups.get(id),
        "the group is not visible with this token",
      );
      const group: LiveGroup = { id, path: record?.full_path ?? name, record };
      this.groups.set(id, group);
      if (record?.parent_id != null) await this.plain(record.parent_id, parentOf(group.path));
      return group;
    });
  }

  /**
   * Reads the group and its parent groups with their members. Members of a parent group have the same access as members of the
   * group.
   */
  withMembers(id: number, hint?: string | null): Promise<LiveGroup> {
    return this.#once(`members ${id}`, async () => {
      const group = await this.plain(id, hint);
      const { record, path } = group;
      if (record === undefined) return group;
      const parent = record.parent_id;
      const above = parent === null ? undefined : this.withMembers(parent, parentOf(path));
      group.members = await this.notes.read(
        path,
        "members",
        () => this.client.members.ofGroup(id).toArray(),
        "not visible with this token",
      );
      await above;
      return group;
    });
  }

  /**
   * Reads the group and its parent groups, with the members of these groups and the groups with which these groups are
   * shared.
   */
  withAccess(id: number, hint?: string | null): Promise<LiveGroup> {
    return this.#once(`access ${id}`, async () => {
      const group = await this.withMembers(id, hint);
      if (group.record === undefined) return group;
      const { parent_id: parent, shared_with_groups: shares } = group.record;
      group.shares = shares;
      await Promise.all([
        ...(parent === null ? [] : [this.withAccess(parent)]),
        ...shares.map((share) => this.withMembers(share.group_id, share.group_full_path)),
      ]);
      return group;
    });
  }

  /** Reads the group as `withAccess` does, and the invitations to the group. */
  wholeGroup(id: number, hint?: string | null): Promise<LiveGroup> {
    return this.#once(`whole ${id}`, async () => {
      const invitations = this.notes.read(
        hint ?? String(id),
        "invitations",
        () => this.client.groupInvitations.list(id).toArray(),
        "the token's user needs the Owner role of the group",
      );
      const group = await this.withAccess(id, hint);
      group.invitations = await invitations;
      return group;
    });
  }

  /** Reads a selected project with all its settings. */
  async wholeProject(id: number, knownPath: string): Promise<void> {
    const { client, notes } = this;
    const record = await notes.read(knownPath, "settings", () => client.projects.get(id));
    if (record === undefined) return;
    const { path_with_namespace: path, shared_with_groups: shares } = record;
    const part = <T>(name: Part, read: () => Promise<T>) => notes.read(path, name, read);
    const mention = (projects: readonly AllowlistProject[], allowed: readonly AllowlistGroup[]) =>
      Promise.all([
        ...projects.map((one) => this.#mention(one)),
        ...allowed.map((one) => this.plain(one.id, groupPathIn(one.web_url))),
      ]);
    const { members, settings, invitations } = await allOf({
      members: part("members", () => client.members.ofProject(id).toArray()),
      settings: readSettings(client, id, part, mention),
      invitations: part("invitations", () => client.projectInvitations.list(id).toArray()),
      place: this.#place(record, (group) => this.withAccess(group, parentOf(path))),
      sharing: Promise.all(shares.map((one) => this.withMembers(one.group_id, one.group_full_path))),
    });
    this.projects.set(id, { id, path, record, members, shares, invitations, settings });
  }

  /** Reads only the record of a project that an allowlist names and that is outside the selection. */
  async #mention(target: AllowlistProject): Promise<void> {
    const { id, path_with_namespace: path } = target;
    if (this.selected.has(id)) return;
    await this.#once(`project ${id}`, async () => {
      const found = await this.notes.read(
        path,
        "settings",
        () => this.client.projects.get(id),
        "the project is not visible with this token",
      );
      const record = found ?? { ...target, archived: null, visibility: null, topics: [], description: null };
      await this.#place(record, (group) => this.plain(group, parentOf(path)));
      this.projects.set(id, { id, path, record: found });
    });
  }

  /** Reads the group of a project. For a project in a personal namespace, records the user of this namespace. */
  async #place(
    { namespace, path_with_namespace: path }: Pick<Project, "namespace" | "path_with_namespace">,
    read: (group: number) => Promise<unknown>,
  ): Promise<void> {
    if (namespace === null) return;
    if (namespace.kind === "user") this.namespaceUsers.add(namespace.full_path ?? parentOf(path)!);
    else await read(namespace.id);
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

/** The settings that only projects have. */
export type ProjectSettings = Awaited<ReturnType<typeof readSettings>>;

/** Reads the settings of a project. Calls `mention` for each project on the allowlists of this project. */
function readSettings(
  client: Client,
  id: number,
  part: <T>(name: Part, read: () => Promise<T>) => Promise<T | undefined>,
  mention: (projects: readonly AllowlistProject[], groups: readonly AllowlistGroup[]) => Promise<unknown>,
) {
  const readPages = async () => {
    const settings = await part("Pages", () => client.pages.get(id));
    const domains = settings && (await part("Pages domains", () => client.pages.domains(id).toArray()));
    return settings && { ...settings, domains: domains ?? [] };
  };
  const readAllowlists = async () => {
    const { all, groups } = await allOf({
      all: part("job token allowlist", () => client.jobTokenScope.allowlist(id).toArray()),
      groups: part("job token allowlist", () => client.jobTokenScope.groupsAllowlist(id).toArray()),
    });
    const projects = all?.filter((one) => one.id !== id);
    await mention(projects ?? [], groups ?? []);
    return { projects, groups };
  };
  return allOf({
    environments: part("environments", () => client.environments.list(id).toArray()),
    scope: part("job token scope", () => client.jobTokenScope.get(id)),
    allowlists: readAllowlists(),
    protectedEnvironments: part("protected environments", () =>
      client.protectedEnvironments.list(id).toArray(),
    ),
    pages: readPages(),
    rules: part("container protection rules", () => client.containerProtectionRules.list(id).toArray()),
  });
}

/** Waits for all promises in an object, and returns their values under the same names. */
async function allOf<Parts extends Readonly<Record<string, Promise<unknown>>>>(
  parts: Parts,
): Promise<{ readonly [Name in keyof Parts]: Awaited<Parts[Name]> }> {
  const values = await Promise.all(Object.values(parts));
  return Object.fromEntries(Object.keys(parts).map((name, at) => [name, values[at]])) as never;
}

/**
 * Returns the path of a group on an allowlist. The allowlist's record of the group has no path, but its `web_url`
 * ends with the path. Undefined if the URL does not contain the path.
 */
function groupPathIn(url: string): string | undefined {
  try {
    const path = /\/groups\/(.+)$/.exec(new URL(url).pathname)?.[1];
    return path && decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
