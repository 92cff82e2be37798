import { diagnosticsOf, error } from "../../diagnostics";
import type { Attributes, Value, ValueObject } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { UpgradeResponse } from "../protocol/protocol";

/** Converts attributes stored under an earlier version to the current one. */
export function upgradeResource(
  type: string,
  definition: ResourceDefinition,
  version: number,
  stored: ValueObject,
): UpgradeResponse {
  if (version > definition.version) return { diagnostics: [newer(type, definition, version)] };
  try {
    const steps = Array.from({ length: definition.version - version }, (_, index) => version + index);
    const upgraded = steps.reduce((attributes, from) => definition.upgrades![from]!(attributes), stored);
    return { attributes: knownAttributes(definition.attributes, upgraded), diagnostics: [] };
  } catch (problem) {
    return { diagnostics: diagnosticsOf(problem) };
  }
}

/** @throws Error if a definition lacks an upgrade */
export function requireUpgrades({ type, version, upgrades }: ResourceDefinition): void {
  for (let from = 0; from < version; from++) {
    if (upgrades?.[from] === undefined) {
      throw new Error(`${type} has no upgrade of states stored under version ${from}.`);
    }
  }
}

/** Unknown keys are dropped, missing ones are null. */
const knownAttributes = (attributes: Attributes, stored: ValueObject): ValueObject =>
  Object.fromEntries(
    ["id", ...Object.keys(attributes)].map((name): [string, Value] => [name, stored[name] ?? null]),
  );

const newer = (type: string, { version: known }: ResourceDefinition, version: number) =>
  error({
    code: "state_schema_newer",
    summary: "State of a newer release",
    detail:
      `The state of this ${type} was stored under version ${version} of its schema, by a newer ` +
      `release of the provider; this release supports versions up to ${known}. Nothing was changed. ` +
      "Use the newer release, or an earlier state.",
  });
