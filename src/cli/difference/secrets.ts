import type { AttributePath } from "../../diagnostics";
import { hiddenPaths, type ResourceChange } from "../../engine";
import type { Field } from "./difference";
import { hasHidden } from "./render";

type Secretive = Pick<ResourceChange, "beforeSensitive" | "afterSensitive"> &
  Partial<Pick<ResourceChange, "before" | "after">>;

/** Returns the paths of all values of a change that may not be shown. */
export const hiddenPathsOf = ({
  before = null,
  beforeSensitive,
  after = null,
  afterSensitive,
}: Secretive): readonly AttributePath[] => [
  ...hiddenPaths(before, beforeSensitive),
  ...hiddenPaths(after, afterSensitive),
];

/**
 * Returns the names of the attributes whose values may not be printed as a whole. The result also includes the
 * attributes of `paths`, because a difference does not show an unchanged sensitive part.
 */
export const secretNames = (
  fields: readonly Field[],
  paths: readonly AttributePath[] = [],
): ReadonlySet<string> =>
  new Set([
    ...fields.flatMap(({ name, difference }) => (hasHidden(difference) ? [name] : [])),
    ...paths.flatMap(([name]) => (name === undefined ? [] : [String(name)])),
  ]);
