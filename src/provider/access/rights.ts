import {
  type AccessChange,
  isLeftOnDestroy,
  type NeededRight,
  type NotCounted,
  type RightsReport,
} from "../../framework";
import { append, type Reference } from "../../schema";
import type { ContainerKind } from "../define";
import { isGone } from "../failure-of";
import { ADMINISTRATOR, isReadOnly, neededLevel, roleName, TokenPermissions } from "../token-permissions";
import { granting } from "./index";
import { type Reach, reachOf } from "./invitees";
import { orNotCounted, People } from "./people";
import { type AccessScope, unlimitedReads } from "./reads";

/** The lowest level that can see a private project or group. */
const GUEST = 10;

/**
 * The lowest level that can read every setting that a declaration can contain. The refresh before an apply needs
 * this level, even if the apply sends nothing.
 */
const READ_LEVELS: Readonly<Record<ContainerKind, number>> = { project: 40, group: 50 };

/** A role that the token needs in a project or group. */
interface Need {
  readonly kind: ContainerKind;
  readonly id: number;
  readonly path: string;
  readonly level: number;
}

/**
 * Returns the scope and the roles that a token needs to apply planned changes. The token needs roles for writes, and
 * for reading the private projects and groups that the changes name. A role in a group implies the same role in the
 * group's projects and subgroups. The result does not contain such implied roles.
 */
export async function describeRights(
  scope: AccessScope,
  changes: readonly AccessChange[],
): Promise<RightsReport> {
  const token = new TokenPermissions(scope.api);
  const notKnown: NotCounted[] = [];
  const needs = new Map<string, Need>();
  await Promise.all(
    changes.map(async (change) => {
      const own = await orNotCounted(scope, notKnown, change.address, needsOf(scope, change));
      for (const need of own ?? []) {
        const key = `${need.kind} ${need.id}`;
        const level = Math.max(need.level, needs.get(key)?.level ?? 0);
        needs.set(key, { ...need, level });
      }
    }),
  );
  if (needs.size === 0) return { rights: [], notKnown };
  const all = [...needs.values()];
  const needed = all.some(({ level }) => level >= ADMINISTRATOR)
    ? [{ ...all[0]!, level: ADMINISTRATOR }]
    : await withoutImplied(scope, all, notKnown);
  const rights = await Promise.all([...needed].sort(byPath).map((need) => roleOf(token, need)));
  return { rights: [await scopeOf(token, changes.some(isSent)), ...rights], notKnown };
}

/** Returns the scope that a plan needs. A plan without changes needs only a read scope. */
async function scopeOf(token: TokenPermissions, hasChanges: boolean): Promise<NeededRight> {
  const scopes = await token.scopes();
  const name = hasChanges ? "api" : "read_api";
  const isEnough = scopes && (scopes.includes("api") || scopes.includes(name));
  return { kind: "scope", name, has: isEnough === false && !isReadOnly(scopes!) ? undefined : isEnough };
}

const byPath = (one: Need, other: Need): number => (one.path < other.path ? -1 : 1);

/**
 * Returns whether the apply of a change sends a request. To destroy a setting that always exists, apply sends no
 * request.
 */
const isSent = ({ definition, before, after }: AccessChange): boolean =>
  after !== undefined || before === undefined || !isLeftOnDestroy(definition, before.attributes);

async function needsOf(scope: AccessScope, change: AccessChange): Promise<Need[]> {
  const { definition, before, after } = change;
  const kind = definition.container as ContainerKind;
  const sides = [before, after].filter((side) => side !== undefined);
  const needs: Need[] = [];
  for (const { container, declared } of sides) {
    // The needed level is at least the level of the invitation. Users can't invite people above their own level,
    // and can't change or withdraw such invitations.
    const level = isSent(change)
      ? Math.max(neededLevel(definition), levelIn(change, declared))
      : Math.min(neededLevel(definition), READ_LEVELS[kind]);
    needs.push({ kind, id: container, path: await scope.nameOf(kind, container), level });
    for (const seen of [...targetsOf(change, declared), ...groupsByPath(change, declared)]) {
      const { path, isPrivate } = await visibilityOf(scope, seen);
      if (isPrivate) needs.push({ kind: seen.kind, id: seen.id, path, level: GUEST });
    }
  }
  return needs;
}

type Named = Reference & { readonly kind: ContainerKind };
type Declared = Readonly<Record<string, unknown>>;

/**
 * Returns the projects and groups that allowlist entries name. The token must be able to see these projects and groups,
 * because the service refuses an entry for an object that the token can't see.
 */
const targetsOf = (change: AccessChange, declared: Declared): Named[] =>
  granting([change], "job_tokens").flatMap(({ grant }) =>
    (["project", "group"] as const).flatMap((kind) => {
      const value = (declared[grant[kind] ?? ""] ?? []) as Reference | readonly Reference[];
      return [value].flat().map((one) => ({ ...one, kind }));
    }),
  );

/** Returns the level that an invitation gives; 0 for other changes. */
const levelIn = (change: AccessChange, declared: Declared): number =>
  Math.max(0, ...granting([change], "membership").map(({ grant }) => Number(declared[grant.level] ?? 0)));

/**
 * Returns the groups that environment entries name by path. The token must be able to see these groups, because Steward
 * looks up each path.
 */
const groupsByPath = (change: AccessChange, declared: Declared): Named[] =>
  granting([change], "deployments").flatMap(({ grant: { deploy, approve } }) =>
    [deploy, approve].flatMap((name) =>
      ((declared[name] ?? []) as readonly { readonly group: Reference | null }[]).flatMap(({ group }) =>
        group?.path === undefined ? [] : [{ ...group, kind: "group" as const }],
      ),
    ),
  );

async function visibilityOf({ api }: AccessScope, { kind, id }: Named) {
  try {
    if (kind === "group") {
      const { full_path, visibility } = await api.groups.get(id);
      return { path: full_path, isPrivate: visibility === "private" };
    }
    const { path_with_namespace, visibility } = await api.projects.get(id);
    return { path: path_with_namespace, isPrivate: visibility === "private" };
  } catch (problem) {
    // An object that the token can't see counts as private, because the token needs a role in it.
    if (!isGone(problem)) throw problem;
    return { path: String(id), isPrivate: true };
  }
}

/** Returns the smallest set of needs that implies all other needs. */
async function withoutImplied(scope: AccessScope, needs: readonly Need[], notKnown: NotCounted[]) {
  const reads = unlimitedReads(scope);
  const access = { ...reads, people: new People(reads) };
  // Parent groups and shares are read only if one need is for a group, because only then can one need imply another need.
  const hasGroups = needs.length > 1 && needs.some(({ kind }) => kind === "group");
  const reaches = new Map<Need, Reach>();
  await Promise.all(
    needs.map(async (need) => {
      const what = `whether another role gives ${roleName(need.level)} in ${need.path}`;
      const reading = hasGroups ? reachOf(access, need) : Promise.resolve(undefined);
      reaches.set(need, (await orNotCounted(scope, notKnown, what, reading)) ?? (() => 0));
    }),
  );
  const left = new NeedsLeft(needs);
  /** For each need that implies others, the needs that were removed. */
  const given = new Map<Need, Need[]>();
  for (const need of [...needs].sort((one, other) => one.level - other.level || byPath(one, other))) {
    left.delete(need);
    const orphans = [need, ...(given.get(need) ?? [])];
    const givers = orphans.map((one) => left.giverOf(one, reaches.get(one)!));
    // If this need has implied other needs that were removed, the remaining needs must also imply the removed ones.
    // Otherwise this need must stay.
    if (givers.includes(undefined)) left.add(need);
    else for (const [at, one] of orphans.entries()) append(given, givers[at]!, one);
  }
  return left.all();
}

/**
 * The needs that remain after the removal of implied needs. The index `#below` makes it faster to find the need that
 * implies another need.
 */
class NeedsLeft {
  readonly #all: Set<Need>;
  readonly #groups: Set<Need>;
  /** The needs for projects and groups below each path. The paths are in lower case. */
  readonly #below = new Map<string, Need[]>();

  constructor(needs: readonly Need[]) {
    this.#all = new Set(needs);
    this.#groups = new Set(needs.filter(({ kind }) => kind === "group"));
    for (const need of needs) {
      const parts = need.path.toLowerCase().split("/");
      for (const at of parts.keys()) if (at > 0) append(this.#below, parts.slice(0, at).join("/"), need);
    }
  }

  all = (): Need[] => [...this.#all];

  delete(need: Need): void {
    this.#all.delete(need);
    this.#groups.delete(need);
  }

  add(need: Need): void {
    this.#all.add(need);
    if (need.kind === "group") this.#groups.add(need);
  }

  /**
   * Returns a remaining need that implies this need; undefined if there is none. A group member's role also applies
   * to everything below the group and, through shares, to other groups and projects. A member can also see the
   * parent groups.
   */
  giverOf({ kind, level, path }: Need, reach: Reach): Need | undefined {
    for (const group of this.#groups) if (reach(group.id, group.level) >= level) return group;
    if (level > GUEST || kind !== "group") return undefined;
    return this.#below.get(path.toLowerCase())?.find((one) => this.#all.has(one));
  }
}

async function roleOf(token: TokenPermissions, { kind, id, path, level }: Need): Promise<NeededRight> {
  const held = await token.level(kind, id, level);
  const has = held === undefined ? undefined : held >= level;
  const right = { kind: "role" as const, name: roleName(level), has };
  return level >= ADMINISTRATOR ? right : { ...right, at: { kind, name: path } };
}
