import type { AccessAbility, AccessHolder, AccessPlace, NotCounted } from "../../framework";
import { isUnknown, type Reference } from "../../schema";
import { atMost } from "../../text";
import type { Granting } from "../access-declaration";
import { allowedGroups, allowedProjects, toGroup, toProject } from "../resources/parts/job-token-allowlists";
import type { ProjectChanges } from "./invitees";
import { type Access, ability, hasContent, notCountedIn, orNotCounted, ruleChange } from "./people";

/**
 * The projects and groups whose job tokens can access a project. If the job token limit is off, the job tokens of all
 * projects can access the project.
 */
interface Allowed {
  isLimited: boolean;
  readonly project: Map<number, Reference>;
  readonly group: Map<number, Reference>;
}

/** Returns the projects whose job tokens gain or lose access to a project. */
export async function jobTokenPlaces(
  access: Access,
  { id, name }: ProjectChanges,
  own: readonly Granting<"job_tokens">[],
): Promise<AccessPlace[]> {
  if (own.length === 0) return [];
  const addresses = own.map(({ change }) => change.address);
  const unknown = own.flatMap(({ change: { address, unknown: names } }) =>
    names.map((attribute) => ({ what: address, why: `${attribute} is known only after apply` })),
  );
  if (unknown.length > 0) return [notCountedIn(name, unknown, addresses)];
  const notCounted: NotCounted[] = [];
  try {
    const before = access.people.isLimited
      ? await relevantAllowed(access, id, own, notCounted)
      : await liveAllowed(access, id);
    const after = { ...before, project: new Map(before.project), group: new Map(before.group) };
    // The loop applies removals before additions, so that the result contains an entry that one declaration
    // removes and another adds.
    const written = own.filter(({ change }) => !change.isUnchanged);
    for (const one of written) if (one.change.before?.container === id) removeFrom(after, one, id);
    for (const one of written)
      if (one.change.after?.container === id) addTo(after, one, one.change.after.declared);
    const [holdersBefore, holdersAfter] = await Promise.all(
      [before, after].map((side) => holders(access, side)),
    );
    const rules = ruleChange("job token limit", onOff(before), onOff(after));
    const found = {
      ...notCountedIn(name, notCounted, addresses),
      abilities: [withEverybody(holdersBefore!, holdersAfter!)],
      rules,
    };
    return access.isWhole || hasContent(found) ? [found] : [];
  } catch (problem) {
    const reason = { what: "the job token allowlist", why: access.reasonOf(problem) };
    return [notCountedIn(name, [reason], addresses)];
  }
}

const onOff = ({ isLimited }: Allowed): string => (isLimited ? "on" : "off");

/** Reads the job token limit and both allowlists of a project. */
async function liveAllowed(access: Access, project: number): Promise<Allowed> {
  const [limit, projects, groups] = await Promise.all([
    access.api.jobTokenScope.get(project),
    access.collection(project, allowedProjects).all(),
    access.collection(project, allowedGroups).all(),
  ]);
  return {
    isLimited: limit.inbound_enabled,
    project: new Map([...projects].map(([id, entry]) => [id, toProject(entry)])),
    group: new Map([...groups].map(([id, entry]) => [id, toGroup(entry)])),
  };
}

/**
 * Reads the job token limit, and only those allowlists that decide who gains and loses access. The function does not
 * read the limit if the plan has read the limit. If the limit stays off, no allowlist matters. If the job token
 * limit stays on, the function reads only the allowlists that the changes write. If the plan switches the limit on,
 * the function reads both allowlists, and reports an unreadable allowlist as not counted.
 */
async function relevantAllowed(
  access: Access,
  project: number,
  own: readonly Granting<"job_tokens">[],
  notCounted: NotCounted[],
): Promise<Allowed> {
  const isLimited = plannedLimits(own, project, "before").at(0) ?? (await liveLimit(access, project));
  const isLimitedAfter = plannedLimits(own, project, "after").at(-1) ?? isLimited;
  const isWritten = (kind: (typeof KINDS)[number]) => own.some(({ grant }) => grant[kind] !== undefined);
  const lists = { project: allowedProjects, group: allowedGroups };
  const entries = async (kind: (typeof KINDS)[number]): Promise<Map<number, Reference>> => {
    if (!isLimitedAfter || (isLimited && !isWritten(kind))) return new Map();
    const toReference = kind === "project" ? toProject : toGroup;
    const reading = access.collection<number, never>(project, lists[kind] as never).all();
    const found = isLimited
      ? await reading
      : await orNotCounted(access, notCounted, `the job token allowlist of ${kind}s`, reading);
    return new Map([...(found ?? [])].map(([id, entry]) => [id, toReference(entry)]));
  };
  return { isLimited, project: await entries("project"), group: await entries("group") };
}

/** Returns the values of the job token limit in the plan's objects of a project, before or after the changes. */
const plannedLimits = (
  own: readonly Granting<"job_tokens">[],
  project: number,
  side: "before" | "after",
): boolean[] =>
  own.flatMap(({ change, grant: { limit } }) => {
    if (limit === undefined) return [];
    const { before, after, live, isUnchanged, configured } = change;
    const isHere = (object: typeof after) => object?.container === project;
    const isWritten = isHere(after) && !isUnchanged && configured.has(limit);
    const now = isHere(before) ? before!.attributes : isHere(after) ? live : undefined;
    const value = side === "before" ? now?.[limit] : isWritten ? after!.declared[limit] : undefined;
    return typeof value === "boolean" ? [value] : [];
  });

const liveLimit = async ({ api, ask }: Access, project: number): Promise<boolean> =>
  (await ask(() => api.jobTokenScope.get(project))).inbound_enabled;

type Declared = Readonly<Record<string, unknown>>;

/**
 * Removes from `allowed` the entries that a change removes from the live allowlist. If the plan deletes an object
 * that owns whole allowlists, this function removes all live entries, also entries that the state does not contain.
 * If a changed object stops managing a set, the set's entries stay in `allowed`.
 */
function removeFrom(allowed: Allowed, { change, grant }: Granting<"job_tokens">, project: number): void {
  const { before, after, isKept } = change;
  const sets = setsOf(grant, before!.declared);
  const hasStayed = after?.container === project && !isUnknown(after.attributes["id"]);
  for (const kind of KINDS) {
    const entries = sets[kind];
    if (entries === null || (grant.isWhole && hasStayed)) continue;
    const leaving = grant.isWhole ? [...allowed[kind].keys()] : entries.map(({ id }) => id);
    for (const id of leaving) if (!isKept({ set: SETS[kind], entry: String(id) })) allowed[kind].delete(id);
  }
}

function addTo(allowed: Allowed, { change, grant }: Granting<"job_tokens">, declared: Declared): void {
  const sets = setsOf(grant, declared);
  const limit = grant.limit === undefined ? undefined : declared[grant.limit];
  if (typeof limit === "boolean" && change.configured.has(grant.limit!)) allowed.isLimited = limit;
  for (const kind of KINDS) {
    const entries = sets[kind];
    // An object that owns the whole allowlist removes all entries that it does not declare.
    if (grant.isWhole && entries !== null) allowed[kind].clear();
    for (const entry of entries ?? []) allowed[kind].set(entry.id, entry);
  }
}

const KINDS = ["project", "group"] as const;
const SETS = { project: allowedProjects.name, group: allowedGroups.name };
/** Returns the declared entries of projects and of groups; null for a set that is not declared. */
function setsOf(grant: Granting<"job_tokens">["grant"], declared: Declared) {
  const entries = (name: string | undefined): readonly Reference[] | null => {
    const value = (name === undefined ? null : (declared[name] ?? null)) as
      | Reference
      | readonly Reference[]
      | null;
    return value === null ? null : [value].flat();
  };
  return { project: entries(grant.project), group: entries(grant.group) };
}

const EVERY_PROJECT: AccessHolder = { kind: "everybody", name: "every project" };

async function holders(access: Access, allowed: Allowed): Promise<readonly AccessHolder[]> {
  if (!allowed.isLimited) return [EVERY_PROJECT];
  const named = KINDS.flatMap((kind) =>
    [...allowed[kind].values()].map(async ({ id, path }) => ({
      kind,
      name: path ?? (await access.nameOf(kind, id)),
    })),
  );
  return Promise.all(named);
}

/**
 * Returns the ability to use job tokens. If every project has access before or after the change, the lists name
 * "every project" instead of single entries.
 */
export function withEverybody(
  before: readonly AccessHolder[],
  after: readonly AccessHolder[],
): AccessAbility {
  const change = ability("use_job_tokens", before, after);
  const [isOpenBefore, isOpen] = [before, after].map((side) => side.includes(EVERY_PROJECT));
  if (isOpen && !isOpenBefore) return { ...change, gains: [EVERY_PROJECT], loses: [] };
  if (isOpenBefore && !isOpen)
    return { ...change, gains: [], loses: [{ ...EVERY_PROJECT, ...exceptFor(change.after) }] };
  return change;
}

const SHOWN = 10;

function exceptFor(allowed: readonly AccessHolder[]): Pick<AccessHolder, "note"> {
  if (allowed.length === 0) return {};
  const names = allowed.map(({ kind, name }) => `${kind} ${name}`);
  return { note: `except ${atMost(names, SHOWN).join(", ")}` };
}
