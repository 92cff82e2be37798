import { ApiError, type Client, type Member } from "../api";
import type { GroupReader, LiveGroup } from "./read-groups";
import type { LiveProject, ProjectReader } from "./read-projects";

/** The lowest levels at which a member sees a private group, and a private project. */
const SEES_GROUP = 5;
const SEES_PROJECT = 10;

/**
 * Makes the token's user a member of the private groups and projects that the snapshot holds in part, if nothing else in
 * it lets the user see them. On the service the reason is outside the selection, such as a project below a group.
 * Without this, the copy would hide entries of allowlists and shares from the same user.
 */
export async function keepVisible(
  client: Client,
  { groups }: Pick<GroupReader, "groups">,
  { projects }: Pick<ProjectReader, "projects">,
): Promise<void> {
  const hidden = (one: LiveGroup | LiveProject) => one.record?.visibility === "private";
  if (![...groups.values(), ...projects.values()].some(hidden)) return;
  const me = await client.users.current();
  if (me.is_admin) return;
  const asMember = (access_level: number): Member => ({
    ...me,
    access_level,
    expires_at: null,
    email: null,
    member_role: null,
  });
  const seen = new SeenGroups(groups, [...projects.values()], me.id);
  for (const group of byId(groups.values())) {
    if (!hidden(group) || seen.has(group.id)) continue;
    const held = await levelOr(SEES_GROUP, () => client.members.inGroup(group.id, me.id));
    group.members = [...(group.members ?? []), asMember(held)];
  }
  for (const project of byId(projects.values())) {
    if (!hidden(project) || project.settings !== undefined) continue;
    const held = await levelOr(SEES_PROJECT, () => client.members.inProject(project.id, me.id));
    project.members = [asMember(held)];
  }
}

const byId = <One extends { readonly id: number }>(all: Iterable<One>): One[] =>
  [...all].sort((one, other) => one.id - other.id);

/** The user's level, or the lowest that sees it if the user is no member: something else makes it visible. */
async function levelOr(lowest: number, read: () => Promise<Member>): Promise<number> {
  try {
    return Math.max(lowest, (await read()).access_level);
  } catch (problem) {
    if (problem instanceof ApiError && ["not_found", "forbidden"].includes(problem.code)) return lowest;
    throw problem;
  }
}

/** The groups that a user sees by memberships in the snapshot: as a member, through a share, or from above. */
class SeenGroups {
  readonly #groups: ReadonlyMap<number, LiveGroup>;
  readonly #seen = new Set<number>();

  constructor(groups: ReadonlyMap<number, LiveGroup>, projects: readonly LiveProject[], user: number) {
    this.#groups = groups;
    const isMember = (members: readonly Member[] | undefined): boolean =>
      members?.some(({ id, access_level }) => id === user && access_level >= SEES_GROUP) ?? false;
    const isMemberOf = (id: number): boolean =>
      this.#upwards(id).some((one) => isMember(groups.get(one)?.members));
    for (const { id } of groups.values()) {
      const chain = this.#upwards(id);
      const isShared = chain.some((one) =>
        groups.get(one)?.shares?.some((share) => isMemberOf(share.group_id)),
      );
      if (isMember(groups.get(id)?.members)) for (const above of chain) this.#seen.add(above);
      else if (isShared || isMemberOf(id)) this.#seen.add(id);
    }
    for (const { record, settings } of projects) {
      if (isMember(settings?.members) && record?.namespace?.kind === "group")
        for (const above of this.#upwards(record.namespace.id)) this.#seen.add(above);
    }
  }

  has(id: number): boolean {
    return this.#seen.has(id);
  }

  /** The group and those above it. */
  #upwards(id: number): number[] {
    const parent = this.#groups.get(id)?.record?.parent_id ?? null;
    return parent === null ? [id] : [id, ...this.#upwards(parent)];
  }
}
