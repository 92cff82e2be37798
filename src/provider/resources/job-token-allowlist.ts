import { type Diagnostic, warning } from "../../diagnostics";
import {
  EntryNotRemoved,
  type Live,
  type LiveCollection,
  type NamedEntry,
  NotReadBack,
  type Stays,
  unless,
  type Write,
  WriteBatch,
} from "../../framework";
import {
  elementStep,
  invalidValue,
  managed,
  type Reference,
  type ReferenceKind,
  type Value,
} from "../../schema";
import { defineResource, projectAttribute, type Scope } from "../define";
import { isAlreadyThere, isGone } from "../failure-of";
import { allowedGroups, allowedProjects, entriesOf, toGroup, toProject } from "./parts/job-token-allowlists";

const attributes = {
  project: projectAttribute("that the allowlist protects"),
  target_projects: managed.setOfReferences("project", {
    description:
      "All projects whose job tokens may access `project`, by numeric id or full path. Other projects on the " +
      "allowlist are removed; `[]` empties it. If omitted, the projects on the allowlist are not managed. " +
      "The project itself is always on the allowlist and must not be listed.",
  }),
  target_groups: managed.setOfReferences("group", {
    description:
      "All groups whose projects' job tokens may access `project`, by numeric id or full path. Other groups on " +
      "the allowlist are removed; `[]` empties it. If omitted, the groups on the allowlist are not managed.",
  }),
};

const [OF_PROJECTS, OF_GROUPS] = [allowedProjects.name, allowedGroups.name];

/** Both allowlists of a project as a whole (specification, "Job token scope (project)"). */
export const jobTokenAllowlist = defineResource({
  type: "job_token_allowlist",
  version: 0,
  description:
    "Manages the whole job token allowlist of a project: undeclared entries are removed. Destroying it " +
    "empties the sets that it manages. To manage single entries, use `steward_job_token_allowlist_project` and " +
    "`steward_job_token_allowlist_group`. Needs the Maintainer role.",
  attributes,
  container: "project",
  feature: "its job token allowlist",

  owns: {
    whole: ({ target_projects, target_groups }) => [
      ...(target_projects === null ? [] : [OF_PROJECTS]),
      ...(target_groups === null ? [] : [OF_GROUPS]),
      "job token allowlist",
    ],
    entries: ({ target_projects, target_groups }) => [
      ...(target_projects ?? []).map(({ id }) => ({ set: OF_PROJECTS, entry: String(id) })),
      ...(target_groups ?? []).map(({ id }) => ({ set: OF_GROUPS, entry: String(id) })),
    ],
    entryTypes: ["job_token_allowlist_project", "job_token_allowlist_group"],
    deleted: ({ target_projects, target_groups }, state, stays) => ({
      ...state,
      target_projects: leaving(OF_PROJECTS, target_projects, state["target_projects"], stays),
      target_groups: leaving(OF_GROUPS, target_groups, state["target_groups"], stays),
    }),
  },
  check: ({ target_projects }, container) =>
    (target_projects ?? []).flatMap((target) =>
      target.id === container
        ? [
            invalidValue(
              placeOf("target_projects", target),
              "A project is always on its own allowlist. Remove it from the set.",
            ),
          ]
        : [],
    ),

  onPlan: { create: warnOfRemovals },

  async create(scope, declared) {
    await reconcile(scope, await plannedChanges(scope, declared));
    return readBack(scope, declared);
  },
  isBegun: (declared, found, before) =>
    isBegun(declared.target_projects, found.target_projects, before.target_projects) ||
    isBegun(declared.target_groups, found.target_groups, before.target_groups),
  read,
  async update(scope, declared, observed) {
    const { target_projects, target_groups } = declared;
    await reconcile(scope, [
      changesBetween(target_projects, observed.target_projects ?? []),
      changesBetween(target_groups, observed.target_groups ?? []),
    ]);
    return readBack(scope, declared);
  },
  async delete(scope, _key, state, stays) {
    const { collection } = scope;
    // In one reading: another declaration may add its entry meanwhile, and it stays.
    const undeclared = (set: string, present: readonly Reference[]) => ({
      missing: [],
      leftOver: present.filter(({ id }) => !stays({ set, entry: String(id) })),
    });
    const surplus = async <T>(
      name: keyof Sets,
      set: string,
      live: Pick<LiveCollection<number, T>, "all">,
      toReference: (entry: T) => Reference,
    ) => undeclared(set, state[name] === null ? [] : [...(await live.all()).values()].map(toReference));
    await reconcile(
      scope,
      await Promise.all([
        surplus("target_projects", OF_PROJECTS, collection(allowedProjects), toProject),
        surplus("target_groups", OF_GROUPS, collection(allowedGroups), toGroup),
      ]),
    );
  },
  list: async (scope) => [await read(scope)],
  defaults: { target_projects: [], target_groups: [] },
});

/** The elements of a stored set that no other object declares. */
const leaving = (
  set: string,
  entries: readonly Reference[] | null,
  stored: Value | undefined,
  stays: Stays,
): Value =>
  entries === null || !Array.isArray(stored)
    ? null
    : stored.filter((_, index) => !stays({ set, entry: String(entries[index]!.id) }));

async function read({ collection }: Scope) {
  const [projects, groups] = await Promise.all([
    collection(allowedProjects).all(),
    collection(allowedGroups).all(),
  ]);
  return {
    target_projects: [...projects.values()].map(toProject),
    target_groups: [...groups.values()].map(toGroup),
  };
}

/** The lists after their writes were answered. @throws NotReadBack */
const readBack = (scope: Scope, { target_projects, target_groups }: Sets) =>
  read(scope).catch((problem: unknown) => {
    const made = { target_projects: target_projects ?? [], target_groups: target_groups ?? [] };
    throw new NotReadBack(made, problem);
  });

type Sets = {
  readonly target_projects: readonly Reference[] | null;
  readonly target_groups: readonly Reference[] | null;
};

/**
 * Makes both allowlists, of projects and of groups, equal to the wanted entries. Adds missing entries before it removes
 * surplus ones, so that a declared entry never loses access.
 *
 * @throws SomeWritesFailed
 */
async function reconcile(scope: Scope, [projects, groups]: readonly [Changes, Changes]): Promise<void> {
  const { addProject, addGroup, removeProject, removeGroup } = entriesOf(scope);
  const writes = new WriteBatch();
  await writes.all([
    ...projects.missing.map((entry) => adding("target_projects", entry, addProject(entry.id))),
    ...groups.missing.map((entry) => adding("target_groups", entry, addGroup(entry.id))),
  ]);
  await writes.all([
    ...projects.leftOver.map((entry) =>
      removing("target_projects", entry, "project", scope.collection(allowedProjects), removeProject),
    ),
    ...groups.leftOver.map((entry) =>
      removing("target_groups", entry, "group", scope.collection(allowedGroups), removeGroup),
    ),
  ]);
  // The response to an addition holds ids alone, which is not enough to update the cached list.
  if (isChange(projects)) scope.collection(allowedProjects).drop();
  if (isChange(groups)) scope.collection(allowedGroups).drop();
}

type Entries = readonly Reference[] | null;

/** Whether a declared entry was added, or an undeclared one removed. */
function isBegun(declared: Entries, found: Entries, before: Entries): boolean {
  if (declared === null) return false;
  const [wanted, live, was] = [declared, found, before].map((set) => new Set(set?.map(({ id }) => id)));
  return (
    [...wanted!].some((id) => live!.has(id) && !was!.has(id)) ||
    [...was!].some((id) => !live!.has(id) && !wanted!.has(id))
  );
}

const placeOf = (set: keyof Sets, entry: Reference) => [set, elementStep(attributes[set].type, entry, 0)];

const adding = (set: keyof Sets, entry: Reference, answer: Promise<unknown>): Write => ({
  attribute: placeOf(set, entry),
  answer: unless(isAlreadyThere, answer),
});

const removing = (
  set: keyof Sets,
  entry: Reference,
  kind: ReferenceKind,
  live: Pick<Live<number, unknown>, "all" | "drop">,
  remove: (id: number) => Promise<unknown>,
): Write => ({ attribute: [set], answer: removed({ ...entry, kind }, live, remove) });

/** Removes an entry. A 404 may mean that its target is gone while the entry is still listed, so the list decides. */
async function removed(
  entry: NamedEntry,
  live: Pick<Live<number, unknown>, "all" | "drop">,
  remove: (id: number) => Promise<unknown>,
): Promise<void> {
  try {
    await remove(entry.id);
  } catch (problem) {
    if (!isGone(problem)) throw problem;
    live.drop(performance.now());
    if ((await live.all()).has(entry.id)) throw new EntryNotRemoved(entry);
  }
}

interface Changes {
  readonly missing: readonly Reference[];
  readonly leftOver: readonly Reference[];
}

const isChange = ({ missing, leftOver }: Changes): boolean => missing.length + leftOver.length > 0;

const plannedChanges = ({ collection }: Scope, { target_projects, target_groups }: Sets) =>
  Promise.all([
    changesOf(collection(allowedProjects), target_projects, toProject),
    changesOf(collection(allowedGroups), target_groups, toGroup),
  ]);

async function changesOf<T>(
  live: Pick<LiveCollection<number, T>, "all">,
  wanted: readonly Reference[] | null,
  toReference: (entry: T) => Reference,
): Promise<Changes> {
  return wanted === null
    ? changesBetween(wanted, [])
    : changesBetween(wanted, [...(await live.all()).values()].map(toReference));
}

function changesBetween(wanted: readonly Reference[] | null, present: readonly Reference[]): Changes {
  if (wanted === null) return { missing: [], leftOver: [] };
  const [wantedIds, presentIds] = [wanted, present].map((set) => new Set(set.map(({ id }) => id)));
  return {
    missing: wanted.filter(({ id }) => !presentIds!.has(id)),
    leftOver: present.filter(({ id }) => !wantedIds!.has(id)),
  };
}

/** Warns at plan of the undeclared entries that the creation removes, because a create usually deletes nothing. */
async function warnOfRemovals(scope: Scope, declared: Sets): Promise<Diagnostic[]> {
  const [projects, groups] = await plannedChanges(scope, declared);
  const leftOver = [...projects.leftOver, ...groups.leftOver].map(({ id, path }) => path ?? String(id));
  if (leftOver.length === 0) return [];
  return [
    warning({
      code: "replaced_entries",
      summary: "Undeclared entries will be removed",
      detail:
        `The job token allowlist of the project ${scope.container} contains ${listed(leftOver)}, which the configuration ` +
        "does not declare. Creating this object removes these entries. Declare the entries to keep.",
    }),
  ];
}

const SHOWN = 10;

const listed = (names: readonly string[]): string =>
  names.length <= SHOWN
    ? names.join(", ")
    : `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more`;
