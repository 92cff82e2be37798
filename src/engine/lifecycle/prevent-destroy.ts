import { type Diagnostic, error } from "../../diagnostics";
import { locate, type ResourceDeclaration } from "../../language";
import type { ResourceChange } from "../model/plan";
import type { StackRun } from "../run/stack-run";
import { withoutKey } from "../run/targets";
import { isObjectDelete } from "../steps/steps";

/**
 * Rejects a change that would destroy an object with `prevent_destroy`: at its address, or at the one where the state
 * holds it, which declares another object now.
 */
export function preventDestroy(
  { context, origins }: StackRun,
  declaration: ResourceDeclaration | undefined,
  change: ResourceChange,
): Diagnostic[] {
  const { address, type } = change;
  if (isProtected(declaration, change))
    return [
      prevented(
        declaration,
        address,
        `${address} has lifecycle.prevent_destroy set, but the plan calls for this object to be destroyed. Nothing was sent. ` +
          "To continue, remove prevent_destroy from the declaration, or exclude this object with --target.",
      ),
    ];
  const origin = origins.get(address) ?? address;
  const former = context.configuration.resources.get(withoutKey(origin));
  if (!isProtected(former, change)) return [];
  return [
    prevented(
      former,
      origin,
      `${origin} has lifecycle.prevent_destroy set, and the state holds the ${type} "${String(change.before?.["id"])}" at this ` +
        "address, which declares another object now: the plan calls for the one that it held to be destroyed. Nothing was " +
        "sent. To continue, declare the object elsewhere, with a moved block to its new address, or remove prevent_destroy " +
        "from the declaration.",
    ),
  ];
}

const isProtected = (
  declaration: ResourceDeclaration | undefined,
  change: ResourceChange,
): declaration is ResourceDeclaration =>
  declaration?.lifecycle.preventDestroy === true &&
  isObjectDelete({ change }) &&
  change.deposed === undefined;

const prevented = ({ construct }: ResourceDeclaration, address: string, detail: string): Diagnostic =>
  error({
    code: "destroy_prevented",
    summary: "Instance cannot be destroyed",
    detail,
    ...locate({ address, construct }, ["lifecycle", "prevent_destroy"]),
  });
