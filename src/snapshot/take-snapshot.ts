import { ApiError, type Client, type Member } from "../api";
import { type Diagnostic, error, hasErrors } from "../diagnostics";
import type { ContainerSelection, LiveContainer, RunOptions } from "../framework";
import { connect, createProvider } from "../provider";
import { anonymized } from "./anonymize";
import type { FixtureData } from "./fixture-data";
import { type Note, Notes, sortNotes, UNAVAILABLE } from "./notes";
import { People } from "./people";
import { ContainerReader, type LiveGroup, type LiveProject } from "./read-containers";
import { replaceAddresses } from "./replace-addresses";
import { type LiveData, toFixture } from "./to-fixture";
import { writeYaml } from "./write-yaml";

/** The minimum levels with which a member sees a private group or a private project. */
const SEES_GROUP = 5;
const SEES_PROJECT = 10;

/**
 * Adds the token's user as a member of each private group and private project that the copy would hide from the user.
 * The snapshot contains only a part of these groups and projects. On the service, the user sees these groups and projects for a reason outside the selection, such as a
 * project below a group. Without the membership, the copy would hide entries of allowlists and shares from this
 * user.
 */
async function keepVisible(client: Client, { groups, projects }: ContainerReader): Promise<void> {
  const isHidden = (one: LiveGroup | LiveProject) => one.record?.visibility === "private";
  if (![...groups.values(), ...projects.values()].some(isHidden)) return;
  const me = await client.users.current();
  if (me.is_admin) return;
  const asMember = (access_level: number): Member => ({
    ...me,
    access_level,
    expires_at: null,
    email: null,
    member_role: null,
    membership_state: null,
  });
  const seen = seenGroups(groups, [...projects.values()], me.id);
  for (const group of byId(groups.values())) {
    if (!isHidden(group) || seen.has(group.id)) continue;
    const held = await levelOr(SEES_GROUP, () => client.members.inGroup(group.id, me.id));
    group.members = [...(group.members ?? []), asMember(held)];
  }
  for (const project of byId(projects.values())) {
    if (!isHidden(project) || project.settings !== undefined) continue;
    const held = await levelOr(SEES_PROJECT, () => client.members.inProject(project.id, me.id));
    project.members = [asMember(held)];
  }
}

const byId = <One extends { readonly id: number }>(all: Iterable<One>): One[] =>
  [...all].sort((one, other) => one.id - other.id);

/**
 * Returns the user's level in a container, but at least `lowest`, the lowest level that can see the container. A user
 * with a lower level, or without a membership, sees the container for another reason.
 */
async function levelOr(lowest: number, read: () => Promise<Member>): Promise<number> {
  try {
    return Math.max(lowest, (await read()).access_level);
  } catch (problem) {
    if (problem instanceof ApiError && ["not_found", "forbidden"].includes(problem.code)) return lowest;
    throw problem;
  }
}

/**
 * Returns the groups that a user sees by memberships in the snapshot. A membership of a parent group or a subgroup
 * is enough, and so is a share.
 */
function seenGroups(
  groups: ReadonlyMap<number, LiveGroup>,
  projects: readonly LiveProject[],
  user: number,
): ReadonlySet<number> {
  /** Returns the id of a group and the ids of its parent groups. */
  const upwards = (id: number): number[] => {
    const parent = groups.get(id)?.record?.parent_id ?? null;
    return parent === null ? [id] : [id, ...upwards(parent)];
  };
  const isMember = (members: readonly Member[] | undefined): boolean =>
    members?.some(({ id, access_level }) => id === user && access_level >= SEES_GROUP) ?? false;
  const isMemberOf = (id: number): boolean => upwards(id).some((one) => isMember(groups.get(one)?.members));
  const seen = new Set<number>();
  for (const { id, members } of groups.values()) {
    const chain = upwards(id);
    const isShared = chain.some((one) =>
      groups.get(one)?.shares?.some((share) => isMemberOf(share.group_id)),
    );
    if (isMember(members)) for (const above of chain) seen.add(above);
    else if (isShared || isMemberOf(id)) seen.add(id);
  }
  for (const { record, members, settings } of projects) {
    if (settings && isMember(members) && record?.namespace?.kind === "group")
      for (const above of upwards(record.namespace.id)) seen.add(above);
  }
  return seen;
}

/** Finds the selected projects and groups with the provider's lister, as adoption and coverage do. */
async function selectContainers(
  selection: ContainerSelection,
  run: RunOptions,
): Promise<{ readonly containers: readonly LiveContainer[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { provider, diagnostics } = createProvider().configure({}, run);
  if (provider === undefined || hasErrors(diagnostics)) return { containers: [], diagnostics };
  try {
    const containers: LiveContainer[] = [];
    const problems: Diagnostic[] = [];
    for await (const found of provider.findContainers!(selection, run.signal)) {
      containers.push(...found.containers);
      problems.push(...found.diagnostics);
    }
    return { containers, diagnostics: problems };
  } finally {
    await provider.close();
  }
}

/** The options of a snapshot. `env` contains the address and the token of the service. */
export interface SnapshotOptions
  extends Pick<RunOptions, "env" | "signal" | "maxConcurrency" | "pace" | "onRequest"> {
  readonly selection: ContainerSelection;
  /** Whether the snapshot contains invented names instead of the names of people, projects and groups. */
  readonly anonymize: boolean;
  /**
   * Returns the replacement of an e-mail address in the snapshot. The function must return equal replacements for equal
   * addresses. By default, the snapshot keeps the addresses.
   */
  readonly replaceAddress?: ((address: string) => string) | undefined;
  /** The function to call after each read of a container. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number; readonly last: string }) => void)
    | undefined;
}

export interface Snapshot {
  /** The fixture as YAML. */
  readonly text: string;
  readonly data: FixtureData;
  /** The missing parts, with the reasons. */
  readonly notes: readonly Note[];
  /** The numbers of selected projects and groups. */
  readonly selected: { readonly projects: number; readonly groups: number };
}

/**
 * Reads the selected projects and groups, with the objects to which they refer, as a fixture of the embedded
 * service.
 *
 * @returns only diagnostics if a name of the selection can't be found, or if nothing can be read
 */
export async function takeSnapshot(
  options: SnapshotOptions,
): Promise<{ readonly snapshot?: Snapshot; readonly diagnostics: readonly Diagnostic[] }> {
  const { selection, anonymize, replaceAddress } = options;
  const { containers, diagnostics } = await selectContainers(selection, options);
  if (diagnostics.length > 0) return { diagnostics };
  const stop = new AbortController();
  const signals = [stop.signal, ...(options.signal ? [options.signal] : [])];
  const { client, close } = connect({}, { ...options, signal: AbortSignal.any(signals) });
  try {
    const notes = new Notes();
    const live = await readAll(client, containers, notes, { onProgress: options.onProgress, stop });
    const kept = live.isWithoutPages ? notes.all.filter(({ part }) => part !== "Pages") : notes.all;
    const whole = toFixture(live);
    const found = replaceAddress === undefined ? whole : replaceAddresses(whole, replaceAddress);
    const [data, named] = anonymize ? anonymized(found, kept) : [found, kept];
    const shown = sortNotes(named);
    const count = (kind: string) => containers.filter((container) => container.kind === kind).length;
    return {
      snapshot: {
        text: writeYaml(data, shown),
        data,
        notes: shown,
        selected: { projects: count("project"), groups: count("group") },
      },
      diagnostics: [],
    };
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    const { code, summary, message } = problem;
    return { diagnostics: [error({ code, summary, detail: message })] };
  } finally {
    await close();
  }
}

async function readAll(
  client: Client,
  containers: readonly LiveContainer[],
  notes: Notes,
  { onProgress, stop }: Pick<SnapshotOptions, "onProgress"> & { readonly stop: AbortController },
): Promise<LiveData> {
  const of = (kind: string) => containers.filter((container) => container.kind === kind);
  const selected = new Set(of("project").map(({ id }) => id));
  const reader = new ContainerReader(client, notes, selected);
  let done = 0;
  const completed = (last: string) => onProgress?.({ done: ++done, total: containers.length, last });
  const work = [
    ...of("group").map(({ id, path }) => reader.wholeGroup(id, path).then(() => completed(path))),
    ...of("project").map(({ id, path }) => reader.wholeProject(id, path).then(() => completed(path))),
  ];
  await settleAll(work, stop);
  await resolveGroups(reader);
  await keepVisible(client, reader);
  const people = new People(client, notes);
  const { groups, projects } = reader;
  for (const { members } of [...groups.values(), ...projects.values()]) people.addMembers(members);
  await resolvePeople(people, reader);
  const whole = [...projects.values()].filter(({ settings }) => settings !== undefined);
  const withoutPages = notes.all.filter(({ part, reason }) => part === "Pages" && reason === UNAVAILABLE);
  return {
    groups,
    projects,
    people,
    isWithoutPages: whole.length > 0 && withoutPages.length === whole.length,
  };
}

/**
 * Waits for all work. The first failure cancels the remaining work. The function throws the first failure after all
 * work has ended.
 */
async function settleAll(work: readonly Promise<unknown>[], stop: AbortController): Promise<void> {
  try {
    await Promise.all(work);
  } catch (problem) {
    stop.abort();
    await Promise.allSettled(work);
    throw problem;
  }
}

/** Sorts by path, so that equal data leads to equal look-ups. */
const inOrder = <Container extends { readonly path: string }>(all: Iterable<Container>): Container[] =>
  [...all].sort((one, other) => (one.path < other.path ? -1 : 1));

const entriesOf = ({ settings }: LiveProject) =>
  (settings?.protectedEnvironments ?? []).flatMap(({ deploy_access_levels, approval_rules }) => [
    ...deploy_access_levels,
    ...approval_rules,
  ]);

/** Reads the groups that entries of protected environments name by id. Most of these groups are already known from shares. */
async function resolveGroups(reader: ContainerReader): Promise<void> {
  for (const project of inOrder(reader.projects.values()))
    for (const { group_id } of entriesOf(project)) if (group_id !== null) await reader.plain(group_id);
}

/** Looks up the users that settings name by id or by a person's name. */
async function resolvePeople(
  people: People,
  { groups, projects, namespaceUsers }: ContainerReader,
): Promise<void> {
  for (const username of namespaceUsers) await people.resolveNamespace(username);
  const all = inOrder(projects.values());
  for (const project of all)
    for (const { user_id } of entriesOf(project))
      if (user_id !== null) await people.resolve(user_id, project.path);
  for (const { path, invitations } of [...inOrder(groups.values()), ...all])
    await people.resolveInvitations(path, invitations);
}
