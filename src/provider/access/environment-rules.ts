import type { AccessRule } from "../../framework";
import type { DeclaredEntry } from "../resources/parts/access-entries";
import { ADMINISTRATOR } from "../token-permissions";
import type { Person } from "./people";

/** An entry of a protected environment: exactly one of the three is not null. */
export interface Entry {
  readonly user: number | null;
  readonly group: number | null;
  readonly level: number | null;
  /** Whether members of the groups above the entry's group count. */
  readonly isInherited: boolean;
  readonly approvals: number;
}

/** The rules of a protected environment. */
export interface Protection {
  readonly deploy: readonly Entry[];
  readonly approve: readonly Entry[];
  /** The number of approvals that the environment itself requires; it counts where no approval rule does. */
  readonly approvalCount: number;
}

export type Ability = "deploy" | "approve";

/** Developers and above deploy to an environment that is not protected (`settled`). */
const DEVELOPER = 30;

/** The members of the groups that entries name, by `groupKey`. */
export type GroupMembers = ReadonlyMap<string, ReadonlySet<number>>;

export const groupKey = ({ group, isInherited }: Pick<Entry, "group" | "isInherited">): string =>
  `${group}${isInherited ? "+" : ""}`;

/** How a person has an ability: by level, by name, or as a member of this group; undefined if the person has not. */
export function grantOf(
  protection: Protection | undefined,
  ability: Ability,
  { id, level, isActive }: Pick<Person, "id" | "level" | "isActive">,
  members: GroupMembers,
): "level" | "user" | Entry | undefined {
  if (!isActive || level <= 0) return undefined;
  if (level >= lowestLevel(protection, ability)) return "level";
  const entries = protection?.[ability] ?? [];
  if (entries.some(({ user }) => user === id)) return "user";
  return entries.find((entry) => entry.group !== null && members.get(groupKey(entry))?.has(id) === true);
}

/** The lowest level that has an ability by level; `Infinity` if none does. */
export function lowestLevel(protection: Protection | undefined, ability: Ability): number {
  if (protection === undefined) return ability === "deploy" ? DEVELOPER : Number.POSITIVE_INFINITY;
  const levels = protection[ability].flatMap(({ level }) => (level === null || level <= 0 ? [] : [level]));
  return Math.min(Number.POSITIVE_INFINITY, ...levels);
}

/** Whether both sides admit the same levels, users and groups. */
export const isSame = (
  one: Protection | undefined,
  other: Protection | undefined,
  ability: Ability,
): boolean =>
  lowestLevel(one, ability) === lowestLevel(other, ability) &&
  named(one, ability).join() === named(other, ability).join();

const named = (protection: Protection | undefined, ability: Ability): string[] =>
  (protection?.[ability] ?? [])
    .flatMap((entry) =>
      entry.user !== null ? [`user ${entry.user}`] : entry.group !== null ? [groupKey(entry)] : [],
    )
    .sort();

/** The number of approvals that a deployment needs. */
export function approvalsOf(protection: Protection | undefined): number {
  if (protection === undefined) return 0;
  const { approve, approvalCount } = protection;
  return approve.length === 0 ? approvalCount : approve.reduce((sum, { approvals }) => sum + approvals, 0);
}

/** The entries of a declaration. */
export const declaredEntries = (elements: unknown): readonly Entry[] =>
  ((elements ?? []) as readonly DeclaredEntry[]).map((element) => ({
    user: element.user?.id ?? null,
    group: element.group?.id ?? null,
    level: element.user === null && element.group === null ? element.access_level : null,
    isInherited: element.group !== null && element.group_inheritance_type === 1,
    approvals: element.required_approvals ?? 1,
  }));

const ABILITIES: readonly Ability[] = ["deploy", "approve"];

/**
 * Entries that name the administrators of the instance. They are not counted by person, because the report can't tell who they
 * are: the level stands for them.
 */
export const administratorRules = (
  before: Protection | undefined,
  after: Protection | undefined,
): AccessRule[] =>
  ABILITIES.flatMap((ability) => {
    const [isNamedBefore, is] = [before, after].map((side) => hasAdministrators(side, ability));
    const name = `administrators named to ${ability}`;
    return isNamedBefore === is ? [] : [{ name, before: namedBy(isNamedBefore!), after: namedBy(is!) }];
  });

const hasAdministrators = (protection: Protection | undefined, ability: Ability): boolean =>
  protection?.[ability].some(({ level }) => level === ADMINISTRATOR) ?? false;

const namedBy = (isNamed: boolean): string =>
  isNamed ? `level ${ADMINISTRATOR}, not counted by person` : "no";
