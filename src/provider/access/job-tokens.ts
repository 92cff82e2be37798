import type { AccessAbility, AccessChange, AccessHolder, AccessPlace } from "../../framework";
import { isUnknown, type Reference } from "../../schema";
import { atMost } from "../../text";
import { allowedGroups, allowedProjects, toGroup, toProject } from "../resources/parts/job-token-allowlists";
import type { ProjectChanges } from "./invitees";
import { type Access, ability, hasContent, notCountedIn, ruleChange } from "./people";

/** Whose job tokens reach a project: those on the allowlist, or everybody's while the limit is off. */
interface Allowed {
  isLimited: boolean;
  readonly project: Map<number, Reference>;
  readonly group: Map<number, Reference>;
}

/** Which projects' job tokens gain and lose access to a project. */
export async function jobTokenPlaces(
  access: Access,
  { id, name, changes }: ProjectChanges,
): Promise<AccessPlace[]> {
  const own = changes.filter(({ type }) => type.startsWith("job_token_"));
  if (own.length === 0) return [];
  const addresses = own.map(({ address }) => address);
  const unknown = own.flatMap(({ address, unknown: names }) =>
    names.map((attribute) => ({ what: address, why: `${attribute} is known only after apply` })),
  );
  if (unknown.length > 0) return [notCountedIn(name, unknown, addresses)];
  try {
    const before = await liveAllowed(access, id);
    const after = { ...before, project: new Map(before.project), group: new Map(before.group) };
    // Removals come first: an entry that another declaration adds stays.
    const written = own.filter(({ isUnchanged }) => !isUnchanged);
    for (const change of written) if (change.before?.container === id) removeFrom(after, change, id);
    for (const change of written)
      if (change.after?.container === id) addTo(after, change, change.after.declared);
    const [holdersBefore, holdersAfter] = await Promise.all(
      [before, after].map((side) => holders(access, side)),
    );
    const rules = ruleChange("job token limit", onOff(before), onOff(after));
    const found = {
      ...notCountedIn(name, [], addresses),
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

/** Reads the setting and both allowlists. */
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

type Declared = Readonly<Record<string, unknown>>;

/**
 * What deleting an object takes away. A whole list that is deleted empties the sets that it manages, whatever the state knows
 * of them; one that is changed leaves the sets alone that it no longer manages.
 */
function removeFrom(allowed: Allowed, { type, before, after, isKept }: AccessChange, project: number): void {
  const sets = setsOf(type, before!.declared);
  const hasStayed = after?.container === project && !isUnknown(after.attributes["id"]);
  for (const kind of KINDS) {
    const entries = sets[kind];
    if (entries === null || (type === AUTHORITATIVE && hasStayed)) continue;
    const leaving = type === AUTHORITATIVE ? [...allowed[kind].keys()] : entries.map(({ id }) => id);
    for (const id of leaving) if (!isKept({ set: SETS[kind], entry: String(id) })) allowed[kind].delete(id);
  }
}

function addTo(allowed: Allowed, { type, configured }: AccessChange, declared: Declared): void {
  const sets = setsOf(type, declared);
  const limit = declared["inbound_enabled"];
  if (typeof limit === "boolean" && configured.has("inbound_enabled")) allowed.isLimited = limit;
  for (const kind of KINDS) {
    const entries = sets[kind];
    // An authoritative set leaves no other entries.
    if (type === AUTHORITATIVE && entries !== null) allowed[kind].clear();
    for (const entry of entries ?? []) allowed[kind].set(entry.id, entry);
  }
}

const KINDS = ["project", "group"] as const;
const SETS = { project: allowedProjects.name, group: allowedGroups.name };
const AUTHORITATIVE = "job_token_allowlist";

function setsOf(type: string, declared: Declared) {
  const many = (name: string) => (declared[name] ?? null) as readonly Reference[] | null;
  const one = (name: string) => (declared[name] == null ? null : [declared[name] as Reference]);
  return type === AUTHORITATIVE
    ? { project: many("target_projects"), group: many("target_groups") }
    : { project: one("target_project"), group: one("target_group") };
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

/** Entries neither gain nor lose what everybody has before or after. */
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
