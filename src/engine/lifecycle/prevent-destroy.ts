import { type Diagnostic, error } from "../../diagnostics";
import { locate, type ResourceDeclaration } from "../../language";
import type { ResourceChange } from "../model/plan";
import { deletesObject } from "../steps/steps";

/** Rejects a change that would destroy an object with `prevent_destroy`. */
export function preventDestroy(
  declaration: ResourceDeclaration | undefined,
  change: ResourceChange,
): Diagnostic[] {
  const { address, deposed } = change;
  if (!declaration?.lifecycle.preventDestroy || !deletesObject({ change }) || deposed !== undefined)
    return [];
  const { construct } = declaration;
  return [
    error({
      code: "destroy_prevented",
      summary: "Instance cannot be destroyed",
      detail:
        `${address} has lifecycle.prevent_destroy set, but the plan calls for this object to be destroyed. Nothing was sent. ` +
        "To continue, remove prevent_destroy from the declaration, or exclude this object with --target.",
      ...locate({ address, construct }, ["lifecycle", "prevent_destroy"]),
    }),
  ];
}
