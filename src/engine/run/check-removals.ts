import { type Diagnostic, error } from "../../diagnostics";
import { type Configuration, locate } from "../../language";

/** Rejects `removed` blocks for resources that are still declared. */
export const checkRemovals = ({ removals, resources }: Configuration): Diagnostic[] =>
  [...removals.keys()]
    .map((address) => resources.get(address))
    .filter((declaration) => declaration !== undefined)
    .map((declaration) =>
      error({
        code: "removal_invalid",
        summary: "Invalid removed block",
        detail:
          `A removed block names ${declaration.address}, but it is still declared. ` +
          "Remove the declaration or the removed block.",
        ...locate(declaration),
      }),
    );
