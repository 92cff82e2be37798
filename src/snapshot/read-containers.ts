import type {
  AllowlistGroup,
  AllowlistProject,
  Client,
  ContainerProtectionRule,
  Environment,
  Invitation,
  JobTokenScope,
  Member,
  PagesDomain,
  PagesSettings,
  Project,
  ProtectedEnvironment,
  SharedGroup,
  SharedProject,
} from "../api";
import type { Notes, Part } from "./notes";

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
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(
    private readonly client: Client,
    private readonly notes: Notes,
  ) {}

  /** The group with those above it, without their members. */
  plain(id: number, hint: Hint = {}): Promise<LiveGroup> {
    return this.#once(`plain ${id}`, async () => {
      const name = hint.path ?? hiddenPath(id);
      const record = await this.notes.read(
        name,
        "settings",
        () => this.client.groups.get(id),
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
      const invitations = this.notes.read(
        hint.path ?? String(id),
        "invitations",
        () => this.client.groupInvitations.list(id).toArray(),
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

/** A project as it was read. What could not be read is undefined; a note says why. */
export interface LiveProject {
  readonly id: number;
  readonly path: string;
  /** Undefined for the target of an allowlist that the token can't see. */
  readonly record: Project | undefined;
  /** Of a project outside the selection: the token's user alone, if the project is visible to members only. */
  members?: readonly Member[] | undefined;
  /** Of a selected project. */
  readonly settings?: ProjectSettings | undefined;
}

export interface ProjectSettings {
  readonly shares: SharedProject["shared_with_groups"];
  readonly members: readonly Member[] | undefined;
  readonly environments: readonly Environment[] | undefined;
  readonly scope: JobTokenScope | undefined;
  readonly allowedProjects: readonly AllowlistProject[] | undefined;
  readonly allowedGroups: readonly AllowlistGroup[] | undefined;
  readonly protectedEnvironments: readonly ProtectedEnvironment[] | undefined;
  readonly pages: PagesSettings | undefined;
  readonly domains: readonly PagesDomain[] | undefined;
  readonly rules: readonly ContainerProtectionRule[] | undefined;
  readonly invitations: readonly Invitation[] | undefined;
}

/** Reads projects, each once, and the groups that they belong to, are shared with or name. */
export class ProjectReader {
  readonly projects = new Map<number, LiveProject>();
  /** Usernames of the personal namespaces that hold projects. */
  readonly namespaceUsers = new Set<string>();
  readonly #mentioned = new Map<number, Promise<void>>();

  constructor(
    private readonly client: Client,
    private readonly notes: Notes,
    private readonly groups: GroupReader,
    private readonly selected: ReadonlySet<number>,
  ) {}

  /** A selected project with all its settings. */
  async whole(id: number, knownPath: string): Promise<void> {
    const record = await this.notes.read(knownPath, "settings", () => this.client.projects.get(id));
    if (record === undefined) return;
    const path = record.path_with_namespace;
    const [settings] = await Promise.all([
      this.#settings(id, path, record.shared_with_groups),
      this.#place(record, (group) => this.groups.withAccess(group, { path: parentOf(path) })),
    ]);
    this.projects.set(id, { id, path, record, settings });
  }

  async #settings(id: number, path: string, shares: ProjectSettings["shares"]): Promise<ProjectSettings> {
    const client = this.client;
    const part = <T>(name: Part, read: () => Promise<T>) => this.notes.read(path, name, read);
    const readPages = async () => {
      const pages = await part("Pages", () => client.pages.get(id));
      const domains = pages && (await part("Pages domains", () => client.pages.domains(id).toArray()));
      return { pages, domains };
    };
    const readAllowlists = async () => {
      const [projects, groups] = await Promise.all([
        part("job token allowlist", () => client.jobTokenScope.allowlist(id).toArray()),
        part("job token allowlist", () => client.jobTokenScope.groupsAllowlist(id).toArray()),
      ]);
      const others = projects?.filter((one) => one.id !== id);
      await Promise.all([
        ...(others ?? []).map((one) => this.#mention(one)),
        ...(groups ?? []).map((one) => this.groups.plain(one.id, { path: groupPathIn(one.web_url) })),
      ]);
      return { allowedProjects: others, allowedGroups: groups };
    };
    const [members, environments, scope, allowlists, protectedEnvironments, pages, rules, invitations] =
      await Promise.all([
        part("members", () => client.members.ofProject(id).toArray()),
        part("environments", () => client.environments.list(id).toArray()),
        part("job token scope", () => client.jobTokenScope.get(id)),
        readAllowlists(),
        part("protected environments", () => client.protectedEnvironments.list(id).toArray()),
        readPages(),
        part("container protection rules", () => client.containerProtectionRules.list(id).toArray()),
        part("invitations", () => client.projectInvitations.list(id).toArray()),
        ...shares.map((share) => this.groups.withMembers(share.group_id, { path: share.group_full_path })),
      ]);
    return {
      shares,
      members,
      environments,
      scope,
      ...allowlists,
      protectedEnvironments,
      ...pages,
      rules,
      invitations,
    };
  }

  /** A project outside the selection that an allowlist names: its record alone. */
  #mention(target: AllowlistProject): Promise<void> {
    const { id, path_with_namespace: path } = target;
    if (this.selected.has(id)) return Promise.resolve();
    const known = this.#mentioned.get(id);
    if (known !== undefined) return known;
    const read = async (): Promise<void> => {
      const found = await this.notes.read(
        path,
        "settings",
        () => this.client.projects.get(id),
        "the project is not visible with this token",
      );
      const record = found ?? { ...target, archived: null, visibility: null, topics: [], description: null };
      await this.#place(record, (group) => this.groups.plain(group, { path: parentOf(path) }));
      this.projects.set(id, { id, path, record: found });
    };
    const begun = read();
    this.#mentioned.set(id, begun);
    return begun;
  }

  /** Reads the group that a project is in, or notes the user whose namespace it is in. */
  async #place(
    { namespace, path_with_namespace: path }: Pick<Project, "namespace" | "path_with_namespace">,
    read: (group: number) => Promise<unknown>,
  ): Promise<void> {
    if (namespace === null) return;
    if (namespace.kind === "user") this.namespaceUsers.add(namespace.full_path ?? parentOf(path)!);
    else await read(namespace.id);
  }
}

/** A group's record on an allowlist has no path: its `web_url` ends with it. Undefined if it can't be read from there. */
function groupPathIn(url: string): string | undefined {
  try {
    const path = /\/groups\/(.+)$/.exec(new URL(url).pathname)?.[1];
    return path && decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
