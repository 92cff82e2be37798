import { isNumericId } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import type { KnownPaths, Resolution } from "../references/lookups";
import { References } from "../references/references";
import { formatId } from "./session";

/**
 * A state whose id begins with its container's numeric id, as all of ours do. One that was moved here from another
 * provider may have a path in its place until the first read.
 *
 * @throws DiagnosticError `reference_not_found` where the path names nothing, and the client's errors where that can't be told
 */
export function resolveId(
  { container }: ResourceDefinition,
  { lookups }: { readonly lookups: KnownPaths },
  state: StoredState,
): Resolution<StoredState> {
  const [within = "", ...key] = String(state.attributes["id"]).split(":");
  if (isNumericId(within)) return state;
  const references = new References(lookups, state.private);
  return references.settled(() => {
    const { id } = references.named(container, within, ["id"]);
    return {
      ...state,
      attributes: { ...state.attributes, id: formatId({ container: id, key: key.join(":") }) },
    };
  });
}
