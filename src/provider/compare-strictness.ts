import { RESOURCES } from "./registry";
import { PROVIDER_NAME } from "./source";
import { strictnessBy } from "./strictness";

/** The strictness rules from the file of each resource, by type. */
export const STRICTNESS = Object.fromEntries(
  RESOURCES.map(({ type, access }) => [`${PROVIDER_NAME}_${type}`, access.strictness]),
);

/** Compares the access that the declared values of one object allow: see `strictnessBy`. */
export const compareStrictness = strictnessBy(STRICTNESS);
