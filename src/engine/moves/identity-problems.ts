import { type Diagnostic, error, warning } from "../../diagnostics";
import { objectName } from "../../language";
import { quotedShellWord } from "../../text";
import type { ResourceChange } from "../model/plan";
import { withoutKey } from "../run/targets";
import type { Ambiguity } from "./pair-by-identity";

/** Several addresses hold one object, or want it: nobody but a person knows which is which. */
export function ambiguous({ from, to }: Ambiguity): Diagnostic {
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

/** With `--target`, both halves of a move have to be among the targets. */
export const notTargeted = (from: string, to: string, left: readonly string[]): Diagnostic =>
  error({
    code: "move_not_targeted",
    summary: "Moved objects are not targeted",
    detail:
      `${from} has moved to ${to} (the same object), and --target leaves out ${listed(left)}. Add ` +
      `${left.map(targeting).join(" ")}, or run without --target.`,
    address: to,
  });

/** With `--target`, what ends and what takes over a part of it have to be among the targets. */
export const takerNotTargeted = (ending: string, taker: string): Diagnostic =>
  error({
    code: "move_not_targeted",
    summary: "New owner of an object is not targeted",
    detail:
      `${ending} leaves the configuration, ${taker} declares all or part of the same object, but --target excludes ` +
      `${taker}. Add ${targeting(taker)}, or run without --target.`,
    address: ending,
  });

/** Objects that end may be those of declarations that could not be planned, or be taken over by them. */
export const endsHeldBack = (ends: readonly string[], open: readonly string[]): Diagnostic =>
  warning({
    code: "ends_held_back",
    summary: "Destroy postponed: the object may have moved",
    detail:
      `${ends.join(", ")} would be destroyed, but ${open.join(", ")}, which could not be planned, may be the same object at ` +
      "another address. Nothing is sent for it until that is known: fix the reported errors, then run again.",
  });

/** An import names an object that the state has already. */
export const importOfHeld = (address: string, id: string, holder: string): Diagnostic =>
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

/** An object that is not declared at its address any more, and at another one is. */
export const keptAsDeclared = (
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

const targeting = (address: string): string => `--target ${quotedShellWord(address)}`;

const idOf = (values: ResourceChange["before"]): string =>
  typeof values?.["id"] === "string" ? ` (id ${values["id"]})` : "";

const listed = (addresses: readonly string[]): string =>
  addresses.length < 2 ? addresses.join() : `${addresses.slice(0, -1).join(", ")} and ${addresses.at(-1)}`;
