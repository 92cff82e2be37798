import { type DiagnosticText, diagnosticsOf, error } from "../../diagnostics";
import type { Value } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { Moves } from "../definition/provider-definition";
import type { MoveRequest, MoveResponse } from "../protocol/protocol";

/** Converts another provider's state to one of this provider. Sends no request. */
export function moveResource(
  definition: ResourceDefinition,
  moves: Moves | undefined,
  request: MoveRequest,
): MoveResponse {
  const isKnown = request.sourceProvider.split("/").slice(-2).join("/") === moves?.from;
  const move = isKnown ? moves?.of.find(({ from }) => from === request.sourceType) : undefined;
  const toOurState = move?.to[definition.type];
  if (move === undefined || toOurState === undefined)
    return { diagnostics: [error(notSupported(definition, moves, request))] };
  if (request.sourceVersion > move.version) return { diagnostics: [error(newer(request, move.version))] };
  try {
    const { attributes, warnings = [] } = toOurState(request.sourceState);
    const names = ["id", ...Object.keys(definition.attributes)];
    const whole = Object.fromEntries(names.map((name): [string, Value] => [name, attributes[name] ?? null]));
    return { state: { attributes: whole }, diagnostics: warnings };
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
      `A moved block points from ${sourceType} (of ${sourceProvider}) to ${type}, which ` +
      (sources.length === 0
        ? "accepts no other types. "
        : `accepts only ${sources.join(" and ")} of ${moves?.from}. `) +
      "Remove the old resource from the state with a removed block, and import the object.",
  };
}

const newer = ({ sourceType, sourceVersion }: MoveRequest, known: number): DiagnosticText => ({
  code: "move_source_newer",
  summary: "State of a newer release of the other provider",
  detail:
    `The ${sourceType} of a moved block is stored under version ${sourceVersion} of its schema, ` +
    `and this provider supports versions up to ${known}. Use a newer release of it; or remove ` +
    "the old resource from the state with a removed block, and import the object.",
});
