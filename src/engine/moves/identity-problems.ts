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
    summary: "An object can have moved in several ways",
    detail: [
      `${listed(from)} ${from.length === 1 ? "is" : "are"} the object that ${listed(to)} ` +
        `${to.length === 1 ? "declares" : "declare"}, and not in the configuration any more. Nothing was planned for it. Say which ` +
        "one has moved, with one moved block:",
      "",
      "  moved {",
      `    from = ${from[0]}`,
      `    to   = ${address}`,
      "  }",
      "",
      `With cdktf: resource.moveFromId(${JSON.stringify(from[0])}).`,
    ],
    address,
  });
}

/** With `--target`, both halves of a move have to be among the targets. */
export const notTargeted = (from: string, to: string, left: readonly string[]): Diagnostic =>
  error({
    code: "move_not_targeted",
    summary: "Moved objects are not among the targets",
    detail:
      `${from} has moved to ${to} (the same object), and --target leaves out ${listed(left)}. Add ` +
      `${left.map(targeting).join(" ")}, or run without --target.`,
    address: to,
  });

/** With `--target`, what ends and what takes over a part of it have to be among the targets. */
export const takerNotTargeted = (ending: string, taker: string): Diagnostic =>
  error({
    code: "move_not_targeted",
    summary: "What takes over an object is not among the targets",
    detail:
      `${ending} leaves the configuration, ${taker} declares what it has or a part of that, and --target leaves out ` +
      `${taker}. Add ${targeting(taker)}, or run without --target.`,
    address: ending,
  });

/** Objects that end may be those of declarations that could not be planned, or be taken over by them. */
export const endsHeldBack = (ends: readonly string[], open: readonly string[]): Diagnostic =>
  warning({
    code: "ends_held_back",
    summary: "Objects stay until more is known",
    detail:
      `${ends.join(", ")} would be destroyed, and ${open.join(", ")}, which could not be planned, may be the same object under ` +
      "another address. Nothing is sent for it until that is known: mend what the errors name, and run again.",
  });

/** An import names an object that the state has already. */
export const importOfHeld = (address: string, id: string, holder: string): Diagnostic =>
  error({
    code: "import_already_managed",
    summary: "Already in the state",
    detail:
      `${JSON.stringify(id)} can't be imported to ${address}: the state holds that object at ${holder}, and two addresses ` +
      `can't have one object. Nothing was changed. To give it the new address, take the declaration of ` +
      `${withoutKey(holder)} out, if there is one, and run:`,
    command: { name: "steward state mv", address: holder, args: [address] },
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
