import { isNumericId } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import type { KnownPaths, Resolution } from "../references/lookups";
import { References } from "../references/references";
import { formatId } from "./session";

/**
 * A state whose id starts with its container's numeric id. The id of an object that was moved from another
 * provider may contain a path until the first read.
 *
 * @throws DiagnosticError `reference_not_found` if the path does not exist, and the client's errors
 */
export function resolveId(
  { container }: ResourceDefinition,
  { lookups }: { readonly lookups: KnownPaths },
  state: StoredState,
): Resolution<StoredState> {
  const text = String(state.attributes["id"]);
  const colon = text.indexOf(":");
  const within = colon < 0 ? text : text.slice(0, colon);
  if (isNumericId(within)) return state;
  const key = colon < 0 ? "" : text.slice(colon + 1);
  const references = new References(lookups, state.private);
  return references.settled(() => {
    const { id } = references.named(container, within, ["id"]);
    return {
      ...state,
      attributes: { ...state.attributes, id: formatId({ container: id, key }) },
    };
  });
}
