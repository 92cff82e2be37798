import { isWhollyKnown, type ValueObject } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";

/**
 * What an apply has to make true: what was planned, where that is another value than the configuration's, as
 * `ignore_changes` has it (a host plans on the prior value, and at apply hands over the configuration as it is written).
 * What is left out and may be left out stays so.
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
