import type { AccessRule } from "../../framework";
import type { DeploymentGrant, Granting } from "../access-declaration";
import type { DeclaredEntry } from "../resources/parts/access-entries";
import { ADMINISTRATOR } from "../token-permissions";
import { type Person, ruleChange } from "./people";

/** The rules of a protected environment: the people who can deploy, and the people who can approve. */
export interface Protection extends Readonly<Record<Ability, readonly DeclaredEntry[]>> {
  /**
   * The number of approvals that the environment itself requires. The service uses this number only if the
   * environment has no approval rule.
   */
  readonly requiredApprovals: number | null;
}

export type Ability = "deploy" | "approve";

/** The planned changes of protected environments. */
export type Deployments = readonly Granting<"deployments">[];

export const asEntries = (declared: unknown) => (declared ?? []) as readonly DeclaredEntry[];

/** Returns the names that the changed environments have before or after the changes. */
export const environmentNames = (own: Deployments): string[] => [
  ...new Set(
    own.flatMap(({ change: { before, after }, grant }) =>
      [before, after].flatMap((side) => (side === undefined ? [] : String(side.declared[grant.name]))),
    ),
  ),
];

/** Returns the declared entries that name a group, from the changed environments before and after the changes. */
export const groupEntries = (own: Deployments): DeclaredEntry[] =>
  own.flatMap(({ change: { before, after }, grant }) =>
    [before, after].flatMap((side) =>
      [grant.deploy, grant.approve].flatMap((name) =>
        asEntries(side?.declared[name]).filter(({ group }) => group !== null),
      ),
    ),
  );

export const entriesOf = (protection: Protection | undefined, ability: Ability): readonly DeclaredEntry[] =>
  protection?.[ability] ?? [];

/** The lowest level that may deploy to an environment without protection. Users with a higher level may deploy too. */
const DEVELOPER = 30;

/** The ids of the members of each group that an entry names. The function `groupKey` returns the key of an entry. */
export type GroupMembers = ReadonlyMap<string, ReadonlySet<number>>;

/** Returns whether an entry for a group also covers the members of the group's parent groups. */
export const isInherited = ({ group_inheritance_type }: DeclaredEntry): boolean =>
  group_inheritance_type === 1;

export const groupKey = (entry: DeclaredEntry): string =>
  `${entry.group?.id}${isInherited(entry) ? "+" : ""}`;

/**
 * Returns the source of a person's ability: the level (`level`), an entry for the person (`user`), or an entry for a
 * group. Returns undefined if the person does not have the ability.
 */
export function grantOf(
  protection: Protection | undefined,
  ability: Ability,
  { id, level, isActive }: Pick<Person, "id" | "level" | "isActive">,
  members: GroupMembers,
): "level" | "user" | DeclaredEntry | undefined {
  if (!isActive || level <= 0) return undefined;
  if (level >= lowestLevel(protection, ability)) return "level";
  const entries = entriesOf(protection, ability);
  if (entries.some(({ user }) => user?.id === id)) return "user";
  return entries.find((entry) => entry.group !== null && members.get(groupKey(entry))?.has(id) === true);
}

/** Returns the lowest level at which people have an ability; `Infinity` if no level gives the ability. */
export function lowestLevel(protection: Protection | undefined, ability: Ability): number {
  if (protection === undefined) return ability === "deploy" ? DEVELOPER : Number.POSITIVE_INFINITY;
  const levels = entriesOf(protection, ability).map(({ access_level }) => access_level ?? 0);
  return Math.min(Number.POSITIVE_INFINITY, ...levels.filter((level) => level > 0));
}

/** Returns whether two protections admit the same levels, users and groups. */
export const isSame = (
  one: Protection | undefined,
  other: Protection | undefined,
  ability: Ability,
): boolean =>
  lowestLevel(one, ability) === lowestLevel(other, ability) &&
  named(one, ability).join() === named(other, ability).join();

const named = (protection: Protection | undefined, ability: Ability): string[] =>
  entriesOf(protection, ability)
    .flatMap((entry) =>
      entry.user !== null ? [`user ${entry.user.id}`] : entry.group !== null ? [groupKey(entry)] : [],
    )
    .sort();

/** Returns whether a new protection changes who may deploy or approve. The environment had no protection before. */
export function changesPeople(
  { deploy, approve }: DeploymentGrant,
  declared: Readonly<Record<string, unknown>>,
): boolean {
  const after = {
    deploy: asEntries(declared[deploy]),
    approve: asEntries(declared[approve]),
    requiredApprovals: 0,
  };
  return !isSame(undefined, after, "deploy") || !isSame(undefined, after, "approve");
}

/** Returns the number of approvals that a deployment needs. */
export function approvalsOf(protection: Protection | undefined): number {
  if (protection === undefined) return 0;
  const { approve: rules, requiredApprovals } = protection;
  return rules.length === 0
    ? (requiredApprovals ?? 0)
    : rules.reduce((sum, { required_approvals }) => sum + (required_approvals ?? 1), 0);
}

const ABILITIES: readonly Ability[] = ["deploy", "approve"];

/**
 * Returns the changes of entries with the level of administrators, as rules. The report shows such an entry as a
 * rule, because the report can't list the administrators of the instance.
 */
export const administratorRules = (
  before: Protection | undefined,
  after: Protection | undefined,
): AccessRule[] =>
  ABILITIES.flatMap((ability) =>
    ruleChange(
      `administrators named to ${ability}`,
      administrators(before, ability),
      administrators(after, ability),
    ),
  );

const administrators = (protection: Protection | undefined, ability: Ability): string =>
  entriesOf(protection, ability).some(({ access_level }) => access_level === ADMINISTRATOR)
    ? `level ${ADMINISTRATOR}, not counted by person`
    : "no";
