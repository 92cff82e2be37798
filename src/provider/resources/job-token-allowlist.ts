import {
  EntryNotRemoved,
  type NamedEntry,
  NotReadBack,
  type Stays,
  unless,
  WriteBatch,
} from "../../framework";
import {
  elementStep,
  invalidValue,
  managed,
  type Reference,
  type Value,
  type ValueObject,
} from "../../schema";
import { defineResource, projectAttribute, type Scope } from "../define";
import { isAlreadyThere, isGone } from "../failure-of";
import { type Allowlist, allowedGroups, allowedProjects, allowlistsOf } from "./parts/job-token-allowlists";

const attributes = {
  project: projectAttribute("that the allowlist protects"),
  target_projects: managed.setOfReferences(
    "project",
    "All projects whose job tokens may access `project`, by numeric id or full path. Steward removes other projects " +
      "from the allowlist; `[]` removes all projects. If omitted, Steward does not manage the projects on the " +
      "allowlist. " +
      "The project itself is always on the allowlist, and must not be in this set.",
  ),
  target_groups: managed.setOfReferences(
    "group",
    "All groups whose projects' job tokens may access `project`, by numeric id or full path. Steward removes other " +
      "groups from the allowlist; `[]` removes all groups. If omitted, Steward does not manage the groups on the " +
      "allowlist.",
  ),
};

/** For each set of the resource: the attribute, the kind of object that the set's entries name, and the name of the set. */
const SETS = [
  { attribute: "target_projects", kind: "project", name: allowedProjects.name },
  { attribute: "target_groups", kind: "group", name: allowedGroups.name },
] as const;

type SetOf = (typeof SETS)[number];
type PerSet<T> = Readonly<Record<SetOf["attribute"], T>>;
type Sets = PerSet<readonly Reference[] | null>;

const perSet = <T>(of: (set: SetOf) => T): PerSet<T> => ({
  target_projects: of(SETS[0]),
  target_groups: of(SETS[1]),
});

async function perSetAtOnce<T>(of: (set: SetOf) => Promise<T>): Promise<PerSet<T>> {
  const [target_projects, target_groups] = await Promise.all([of(SETS[0]), of(SETS[1])]);
  return { target_projects, target_groups };
}

/** The two complete job token allowlists of a project (specification, "Job token scope (project)"). */
export const jobTokenAllowlist = defineResource({
  type: "job_token_allowlist",
  description:
    "Manages the whole job token allowlist of a project: Steward removes undeclared entries. Under Terraform, a " +
    "create removes nothing, and the next plan shows the removals. A destroy empties the declared sets. To manage " +
    "single entries, use `steward_job_token_allowlist_project` and " +
    "`steward_job_token_allowlist_group`. The token's user needs the Maintainer role.",
  attributes,
  container: "project",
  // Adoption must declare empty lists too. An entry that someone adds later gives access. Steward reports the entry as drift
  // only if the code declares the list.
  isAccessRelevant: true,
  feature: "its job token allowlist",
  access: {
    grants: "job_tokens",
    project: "target_projects",
    group: "target_groups",
    isWhole: true,
    strictness: { attributes: { target_projects: "allowed-names", target_groups: "allowed-names" } },
  },

  owns: {
    whole: (declared) => [
      ...SETS.flatMap(({ attribute, name }) => (declared[attribute] === null ? [] : [name])),
      "job token allowlist",
    ],
    entries: (declared) =>
      SETS.flatMap(({ attribute, name }) =>
        (declared[attribute] ?? []).map(({ id }) => ({ set: name, entry: String(id) })),
      ),
    entryTypes: ["job_token_allowlist_project", "job_token_allowlist_group"],
    deleted: (declared, state, isKept) => ({
      ...state,
      ...perSet(({ attribute, name }) => leaving(name, declared[attribute], state[attribute], isKept)),
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

  async create(scope, declared) {
    await reconcile(scope, await plannedChanges(scope, declared));
    return readBack(scope, declared);
  },
  isBegun: (declared, found, before) =>
    SETS.some(({ attribute }) => isBegun(declared[attribute], found[attribute], before[attribute])),
  read,
  async update(scope, declared, observed) {
    await reconcile(
      scope,
      perSet(({ attribute }) => changesBetween(declared[attribute], observed[attribute] ?? [])),
    );
    return readBack(scope, declared);
  },
  async delete(scope, _key, state, isKept) {
    await reconcile(scope, await surplus(scope, state, isKept));
  },
  isDestroyed: async (scope, state, isKept) => {
    const left = await surplus(scope, state, isKept);
    return SETS.every(({ attribute }) => left[attribute].leftOver.length === 0);
  },
  list: async (scope) => [await read(scope)],
  defaults: { target_projects: [], target_groups: [] },
});

/**
 * Returns the entries that a destroy removes: all live entries of the managed sets, except the entries that another
 * declaration owns. The function reads each list once.
 */
function surplus(scope: Scope, state: ValueObject, isKept: Stays): Promise<PerSet<Changes>> {
  const live = allowlistsOf(scope);
  return perSetAtOnce(async ({ attribute, kind, name }) => {
    const present = state[attribute] === null ? [] : await live[kind].all();
    return { missing: [], leftOver: present.filter(({ id }) => !isKept({ set: name, entry: String(id) })) };
  });
}

/** Returns the elements of a recorded set that a destroy removes: the elements that no other object declares. */
const leaving = (
  set: string,
  entries: readonly Reference[] | null,
  stored: Value | undefined,
  isKept: Stays,
): Value =>
  entries === null || !Array.isArray(stored)
    ? null
    : stored.filter((_, index) => !isKept({ set, entry: String(entries[index]!.id) }));

function read(scope: Scope) {
  const live = allowlistsOf(scope);
  return perSetAtOnce(({ kind }) => live[kind].all());
}

/** Reads the lists after successful writes. @throws NotReadBack */
const readBack = (scope: Scope, declared: Sets) =>
  read(scope).catch((problem: unknown) => {
    throw new NotReadBack(
      perSet(({ attribute }) => declared[attribute] ?? []),
      problem,
    );
  });

/**
 * Sends the changes that make both allowlists equal to the declaration. The function adds missing entries before it
 * removes other entries, so that a declared entry never loses access.
 *
 * @throws SomeWritesFailed
 */
async function reconcile(scope: Scope, changes: PerSet<Changes>): Promise<void> {
  const live = allowlistsOf(scope);
  const writes = new WriteBatch();
  await writes.all(
    SETS.flatMap(({ attribute, kind }) =>
      changes[attribute].missing.map((entry) => ({
        attribute: placeOf(attribute, entry),
        answer: unless(isAlreadyThere, live[kind].add(entry.id)),
      })),
    ),
  );
  await writes.all(
    SETS.flatMap(({ attribute, kind }) =>
      changes[attribute].leftOver.map((entry) => ({
        attribute: [attribute],
        answer: removed({ ...entry, kind }, live[kind]),
      })),
    ),
  );
  // The response to an addition contains only ids, but the cached list needs more fields. The cached list is
  // therefore dropped.
  for (const { attribute, kind } of SETS) if (changes[attribute].missing.length > 0) live[kind].drop();
}

type Entries = readonly Reference[] | null;

/**
 * Returns whether an interrupted create has changed the live list: added a declared entry or removed an undeclared
 * entry.
 */
function isBegun(declared: Entries, found: Entries, before: Entries): boolean {
  if (declared === null) return false;
  const [wanted, live, was] = [declared, found, before].map((set) => new Set(set?.map(({ id }) => id)));
  return (
    [...wanted!].some((id) => live!.has(id) && !was!.has(id)) ||
    [...was!].some((id) => !live!.has(id) && !wanted!.has(id))
  );
}

const placeOf = (set: keyof Sets, entry: Reference) => [set, elementStep(attributes[set].type, entry, 0)];

/**
 * Waits for the removal of an entry. After a 404, the function reads the list, which may still contain the entry. The
 * service also responds 404 if it can't find the project or group that the entry names.
 */
async function removed(entry: NamedEntry, live: Allowlist): Promise<void> {
  try {
    await live.remove(entry.id);
  } catch (problem) {
    if (!isGone(problem)) throw problem;
    live.drop(performance.now());
    if ((await live.all()).some(({ id }) => id === entry.id)) throw new EntryNotRemoved(entry);
  }
}

interface Changes {
  readonly missing: readonly Reference[];
  readonly leftOver: readonly Reference[];
}

function plannedChanges(scope: Scope, declared: Sets): Promise<PerSet<Changes>> {
  const live = allowlistsOf(scope);
  return perSetAtOnce(async ({ attribute, kind }) => {
    const wanted = declared[attribute];
    return changesBetween(wanted, wanted === null ? [] : await live[kind].all());
  });
}

function changesBetween(wanted: readonly Reference[] | null, present: readonly Reference[]): Changes {
  if (wanted === null) return { missing: [], leftOver: [] };
  const [wantedIds, presentIds] = [wanted, present].map((set) => new Set(set.map(({ id }) => id)));
  return {
    missing: wanted.filter(({ id }) => !presentIds!.has(id)),
    leftOver: present.filter(({ id }) => !wantedIds!.has(id)),
  };
}
