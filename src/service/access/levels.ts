import { z } from "zod";
import { refused } from "../http/errors";

/** Access levels of the specification (Invitation access levels), and the level of administrators. */
export const LEVEL = {
  none: 0,
  minimal: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  administrator: 60,
} as const;

/** Schema of the access level of a member, an invitation or a share. */
export const memberLevel = () => z.union([0, 5, 10, 15, 20, 30, 40, 50].map((level) => z.literal(level)));

const DESCRIPTIONS = new Map<number, string>([
  [0, "No access"],
  [5, "Minimal Access"],
  [10, "Guest"],
  [15, "Planner"],
  [20, "Reporter"],
  [30, "Developers + Maintainers"],
  [40, "Maintainers"],
  [50, "Owners"],
  [60, "Administrators"],
]);

/** How a deploy access level or approval rule describes its level. */
export const levelDescription = (level: number): string => DESCRIPTIONS.get(level) ?? `Level ${level}`;

/** From the narrowest to the widest. */
export const VISIBILITIES = ["private", "internal", "public"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/**
 * Checks that a project or subgroup is at most as visible as its group.
 *
 * @param given the visibility that is asked for.
 * @param group that of the group above; missing for a top-level group.
 * @throws HttpError 400 that names both.
 */
export function requireVisibility(given: Visibility, group: string | undefined): void {
  const words: readonly string[] = VISIBILITIES;
  if (group === undefined || words.indexOf(given) <= words.indexOf(group)) return;
  throw refused(400, { visibility_level: [`${given} is not allowed in a ${group} group.`] });
}
