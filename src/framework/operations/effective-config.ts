import { isWhollyKnown, type ValueObject } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";

/**
 * The configuration that an apply must establish: the planned value if it differs from the configured one
 * because of `ignore_changes` (a host plans with the prior value, and applies with the configuration as
 * written). Omitted optional attributes stay omitted.
 */
export const effectiveConfig = (
  { attributes }: ResourceDefinition,
  planned: StoredState,
  config: ValueObject,
): ValueObject =>
  Object.fromEntries(
    Object.entries(config).map(([name, written]) => {
      const value = planned.attributes[name];
      const presence = attributes[name]?.presence;
      const isManaged = written !== null || presence === "required" || presence === "optional";
      return [name, isManaged && value !== undefined && isWhollyKnown(value) ? value : written];
    }),
  );
