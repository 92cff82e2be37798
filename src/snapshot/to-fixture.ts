import type { Invitation, Member, SharedGroup } from "../api";
import { dateText, type FixtureData, given, otherThan, roleWord } from "./fixture-data";
import type { LiveUser, MemberRoles, People } from "./people";
import { type ProjectContext, pagesHostOf, toProjectData } from "./project-data";
import { type LiveGroup, type LiveProject, parentOf } from "./read-containers";

/** Everything that a snapshot read. */
export interface LiveData {
  readonly groups: ReadonlyMap<number, LiveGroup>;
  readonly projects: ReadonlyMap<number, LiveProject>;
  readonly people: People;
  readonly roles: MemberRoles;
  /** Pages is disabled on the whole instance. */
  readonly isWithoutPages: boolean;
}

/** Converts what was read to a fixture, without settings that have the embedded service's defaults. */
export function toFixture(live: LiveData): FixtureData {
  const { people, roles } = live;
  const groups = [...live.groups.values()];
  const projects = [...live.projects.values()];
  const groupPaths = new Map(groups.map(({ id, path }) => [id, path]));
  const projectPaths = new Map(projects.map(({ id, path }) => [id, path]));
  const context: ProjectContext = {
    people,
    groupPath: (id) => groupPaths.get(id),
    projectPath: (id) => projectPaths.get(id),
  };
  const pagesHost = pagesHostOf(projects);
  const declared = groups.map((group) => toGroupData(group, live));
  return {
    instance:
      live.isWithoutPages || pagesHost !== undefined
        ? { pages_enabled: live.isWithoutPages ? false : undefined, pages_host: pagesHost }
        : undefined,
    users: toUsersData(people.all),
    groups: [...declared, ...missingAbove(declared, projects, people)],
    projects: projects.map((project) => ({
      ...toContainerData(project, project.settings ?? project, people, roles),
      ...toProjectData(project, context),
    })),
  };
}

interface ContainerParts {
  readonly members?: readonly Member[] | undefined;
  readonly shares?: SharedGroup["shared_with_groups"] | undefined;
  readonly invitations?: readonly Invitation[] | undefined;
}

type ContainerRecord = Pick<SharedGroup, "name" | "description" | "visibility">;

function toContainerData(
  {
    id,
    path,
    record,
  }: { readonly id: number; readonly path: string; readonly record: ContainerRecord | undefined },
  { members = [], shares = [], invitations = [] }: ContainerParts = {},
  people: People,
  roles: MemberRoles,
) {
  return {
    path,
    id,
    name: otherThan(path.slice(path.lastIndexOf("/") + 1), record?.name),
    description: record?.description || undefined,
    visibility: otherThan("private", record?.visibility),
    members: given(
      withRole(members, (member) => ({
        user: member.username,
        role: roleWord(member.access_level),
        member_role: roles.idOf(member),
        expires_at: dateText(member.expires_at),
      })),
    ),
    shared_with: given(
      withRole(shares, (share) => ({
        group: share.group_full_path,
        role: roleWord(share.group_access_level),
        expires_at: dateText(share.expires_at),
      })),
    ),
    invitations: given(
      withRole(invitations, (invitation) => ({
        email: invitation.invite_email,
        role: roleWord(invitation.access_level),
        expires_at: dateText(invitation.expires_at),
        created_at: dateText(invitation.created_at),
        created_by: people.creatorOf(invitation)?.username,
        queued_user: people.queuedFor(invitation)?.username,
      })),
    ),
  };
}

/** The entries whose level a fixture has a word for. */
const withRole = <Live, Entry extends { readonly role: string | undefined }>(
  all: readonly Live[],
  toEntry: (one: Live) => Entry,
): Entry[] => all.map(toEntry).filter(({ role }) => role !== undefined);

const toGroupData = (group: LiveGroup, { people, roles }: LiveData) => ({
  ...toContainerData(group, group, people, roles),
  member_roles: given(roles.of(group.path)),
});

/** Groups that no request returned: those above a group that the token can't see. */
function missingAbove(
  groups: readonly { readonly path: string }[],
  projects: readonly LiveProject[],
  people: People,
): { readonly path: string }[] {
  const known = new Set([...groups.map(({ path }) => path), ...people.all.map(({ username }) => username)]);
  const missing = new Set<string>();
  for (const { path } of [...groups, ...projects]) {
    for (let above = parentOf(path); above !== undefined; above = parentOf(above)) {
      if (!known.has(above)) missing.add(above);
    }
  }
  return [...missing].map((path) => ({ path }));
}

const STATES: ReadonlySet<string> = new Set(["active", "blocked", "deactivated", "banned"]);

function toUsersData(users: readonly LiveUser[]) {
  const addresses = new Map(
    users.flatMap(({ email, id }) => (email === null ? [] : [[email.toLowerCase(), id]])),
  );
  return users.map(({ id, username, name, state, email }) => {
    const usual = `${username}@example.com`;
    const isTaken = addresses.has(usual.toLowerCase()) && addresses.get(usual.toLowerCase()) !== id;
    // The service gives the usual address to users without one.
    const address = email ?? (isTaken ? `${id}.${usual}` : usual);
    return {
      username,
      id,
      name: otherThan(username, name),
      email: otherThan(usual, address),
      state: otherThan("active", stateOf(state)),
    };
  });
}

/** The live platform has more states of blocked users. */
const stateOf = (state: string | null): string | undefined =>
  state === null || STATES.has(state)
    ? (state ?? undefined)
    : state.includes("block")
      ? "blocked"
      : undefined;
