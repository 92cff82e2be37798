import { type DiagnosticText, diagnosticsOf, error } from "../../diagnostics";
import type { Value, ValueObject } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import { identitySchemaOf } from "../definition/identity-schema";
import type { Moves } from "../definition/provider-definition";
import type { AttributesResponse, MoveRequest, StateResponse } from "../protocol/protocol";

/** Converts stored attributes from an earlier schema version to the current version. */
export function upgradeResource(
  type: string,
  definition: ResourceDefinition,
  version: number,
  stored: ValueObject,
): AttributesResponse {
  const { version: current = 0, upgrades } = definition;
  if (version > current) return { diagnostics: [newer(`state of this ${type}`, version, current)] };
  try {
    const steps = Array.from({ length: current - version }, (_, index) => version + index);
    const upgraded = steps.reduce((attributes, from) => upgrades![from]!(attributes), stored);
    return { attributes: stateOf(definition, upgraded), diagnostics: [] };
  } catch (problem) {
    return { diagnostics: diagnosticsOf(problem) };
  }
}

/** Returns the stored identity with exactly the attributes of its schema. Missing attributes are null until the next read. */
export function upgradeIdentity(
  type: string,
  definition: ResourceDefinition,
  version: number,
  stored: ValueObject,
): AttributesResponse {
  const known = identitySchemaOf(definition);
  if (version > known.version) {
    return { diagnostics: [newer(`identity of this ${type}`, version, known.version)] };
  }
  return { attributes: only(Object.keys(known.attributes), stored), diagnostics: [] };
}

/** @throws Error if the definition lacks the upgrade from one of the older schema versions */
export function requireUpgrades({ type, version = 0, upgrades }: ResourceDefinition): void {
  for (let from = 0; from < version; from++) {
    if (upgrades?.[from] === undefined) {
      throw new Error(`${type} has no upgrade of states stored under version ${from}.`);
    }
  }
}

/** Returns the stored values with these names. Missing values are null. */
const only = (names: readonly string[], stored: ValueObject): ValueObject =>
  Object.fromEntries(names.map((name): [string, Value] => [name, stored[name] ?? null]));

const stateOf = ({ attributes }: ResourceDefinition, stored: ValueObject): ValueObject =>
  only(["id", ...Object.keys(attributes)], stored);

const newer = (stored: string, version: number, known: number) =>
  error({
    code: "state_schema_newer",
    summary: "State was written by a newer release",
    detail: `The ${stored} was stored with schema version ${version} by a newer release of the provider. This release supports versions up to ${known}. Use the newer release, or restore an earlier state.`,
  });

/** Converts the state of an object from another provider to a state of this provider. Sends no request. */
export function moveResource(
  definition: ResourceDefinition,
  moves: Moves | undefined,
  request: MoveRequest,
): StateResponse {
  const isKnown = request.sourceProvider.split("/").slice(-2).join("/") === moves?.from;
  const move = isKnown ? moves?.of.find(({ from }) => from === request.sourceType) : undefined;
  const toOurState = move?.to[definition.type];
  if (move === undefined || toOurState === undefined)
    return { diagnostics: [error(notSupported(definition, moves, request))] };
  if (request.sourceVersion > move.version)
    return { diagnostics: [error(newerSource(request, move.version))] };
  try {
    const { attributes, warnings = [] } = toOurState(request.sourceState);
    return { state: { attributes: stateOf(definition, attributes) }, diagnostics: warnings };
  } catch (problem) {
    return { diagnostics: diagnosticsOf(problem) };
  }
}

function notSupported(
  definition: ResourceDefinition,
  moves: Moves | undefined,
  { sourceType, sourceProvider, type }: MoveRequest,
): DiagnosticText {
  const sources = (moves?.of ?? []).filter(({ to }) => definition.type in to).map(({ from }) => from);
  return {
    code: "move_not_supported",
    summary: "Resource type can't be moved",
    detail:
      `A moved block changes the type ${sourceType} (of ${sourceProvider}) to ${type}, which ` +
      (sources.length === 0
        ? "accepts no other types. "
        : `accepts only ${sources.join(" and ")} of ${moves?.from}. `) +
      "Remove the old resource from the state with a removed block, and import the object.",
  };
}

const newerSource = ({ sourceType, sourceVersion }: MoveRequest, known: number): DiagnosticText => ({
  code: "move_source_newer",
  summary: "Other provider is too new",
  detail: `The ${sourceType} of a moved block has schema version ${sourceVersion}, but this provider supports versions up to ${known}. Use a newer release of this provider. Otherwise remove the old resource from the state with a removed block, and import the object.`,
});
