import { type Diagnostic, error, warning } from "../../diagnostics";
import { objectName } from "../../language";
import { quotedShellWord } from "../../text";
import type { ResourceChange } from "../model/plan";
import { withoutKey } from "../run/targets";
import type { Ambiguity } from "./pair-by-identity";

/** Several addresses hold or declare the same object: only a moved block can tell which one moved. */
export function ambiguousMove({ from, to }: Ambiguity): Diagnostic {
  const address = to[0]!;
  return error({
    code: "move_ambiguous",
    summary: "Ambiguous move",
    detail:
      `${listed(from)} ${from.length === 1 ? "is" : "are"} the object that ${listed(to)} ` +
      `${to.length === 1 ? "declares" : "declare"}, and left the configuration. Nothing was planned for it. Declare which ` +
      "one has moved with a moved block:",
    action: { kind: "moved", from: from[0]!, to: address },
    address,
  });
}

/** With `--target`, both addresses of a move must be targeted. */
export const moveNotTargeted = (from: string, to: string, left: readonly string[]): Diagnostic =>
  error({
    code: "move_not_targeted",
    summary: "Moved objects are not targeted",
    detail:
      `${from} has moved to ${to} (the same object), and --target leaves out ${listed(left)}. Add ` +
      `${left.map(targetOption).join(" ")}, or run without --target.`,
    address: to,
  });

/**
 * With `--target`, a deleted object and the declaration that takes over a part of it must both be targeted.
 */
export const newOwnerNotTargeted = (deleted: string, newOwner: string): Diagnostic =>
  error({
    code: "move_not_targeted",
    summary: "New owner of an object is not targeted",
    detail:
      `${deleted} leaves the configuration, ${newOwner} declares all or part of the same object, but --target excludes ` +
      `${newOwner}. Add ${targetOption(newOwner)}, or run without --target.`,
    address: deleted,
  });

/** The objects to delete may be those of declarations that could not be planned, or be taken over by them. */
export const deletesPostponed = (deletes: readonly string[], unplanned: readonly string[]): Diagnostic =>
  warning({
    code: "ends_held_back",
    summary: "Destroy postponed: the object may have moved",
    detail:
      `${deletes.join(", ")} would be destroyed, but ${unplanned.join(", ")}, which could not be planned, may be the same object at ` +
      "another address. Nothing is sent for it until that is known: fix the reported errors, then run again.",
  });

/** An import names an object that the state already holds at another address. */
export const importAlreadyManaged = (address: string, id: string, holder: string): Diagnostic =>
  error({
    code: "import_already_managed",
    summary: "Already in the state",
    detail:
      `${JSON.stringify(id)} can't be imported to ${address}: the state holds that object at ${holder}, and two addresses ` +
      `can't share one object. Nothing was changed. To move it to the new address, remove the declaration of ` +
      `${withoutKey(holder)}, if there is one, and run:`,
    action: { kind: "move", from: holder, to: address },
    address,
  });

/** An object leaves one address and stays declared at another. */
export const stillDeclared = (
  { address, deposed, before }: Pick<ResourceChange, "address" | "deposed" | "before">,
  holder: string,
): Diagnostic =>
  warning({
    code: "still_declared",
    summary: "The same object is declared at another address",
    detail:
      `${objectName(address, deposed)} is the same object as ${holder}${idOf(before)}, which stays declared. Nothing is ` +
      `sent for it: the state drops ${objectName(address, deposed)}, and ${holder} keeps the object.`,
    address,
  });

const targetOption = (address: string): string => `--target ${quotedShellWord(address)}`;

const idOf = (values: ResourceChange["before"]): string =>
  typeof values?.["id"] === "string" ? ` (id ${values["id"]})` : "";

const listed = (addresses: readonly string[]): string =>
  addresses.length < 2 ? addresses.join() : `${addresses.slice(0, -1).join(", ")} and ${addresses.at(-1)}`;
