import type { MembershipGrant } from "./access-declaration";
import { compareStrictness } from "./compare-strictness";
import { RESOURCES } from "./registry";
import { PROVIDER_NAME } from "./source";

type Values = Readonly<Record<string, unknown>>;

/** The levels of the roles Maintainer and Owner on the platform (https://docs.gitlab.com/api/members/#roles). */
const MAINTAINER = 40;
const OWNER = 50;

const MEMBERSHIPS = new Map<string, MembershipGrant>(
  RESOURCES.flatMap(({ type, access }) =>
    access.grants === "membership" ? [[`${PROVIDER_NAME}_${type}`, access as MembershipGrant] as const] : [],
  ),
);

/**
 * Returns the access level of the membership that a change grants or extends. Returns undefined if the change grants no
 * membership. For a custom role, the function returns at least Maintainer, because the role may allow more than the
 * role's level. For an unknown level, the function returns Owner.
 *
 * @param before null for an object that is created or replaced
 */
export function grantedLevel(type: string, before: Values | null, after: Values | null): number | undefined {
  const grant = MEMBERSHIPS.get(type);
  if (grant === undefined || after === null) return undefined;
  const change = compareStrictness(type, before, after);
  if (change !== "looser" && change !== "mixed") return undefined;
  const level = after[grant.level];
  if (typeof level !== "number") return OWNER;
  return (after[grant.customRole] ?? null) === null ? level : Math.max(level, MAINTAINER);
}
