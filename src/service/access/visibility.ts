import { refused } from "../http/errors";

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
