import { type Diagnostic, error, warning } from "../../diagnostics";
import type { Neighbour } from "../../framework";
import { type FleetDeclaration, locate, objectName, resourceAddress } from "../../language";
import { allOf, allUpTo, compareNatural, counted, namesUpTo, quotedShellWord } from "../../text";
import type { StateObject } from "../objects/objects";
import type { ResourceChange } from "../results/plan";
import type { Restriction } from "../stack-run/context";
import { isObjectDelete, type Step } from "../steps/steps";
import type { Join } from "./moves";

/**
 * Returns the error for several addresses that hold or declare the same object. Only a `moved` block can say which address moved.
 */
export function ambiguousMove({ from, to }: Pick<Join, "from" | "to">): Diagnostic {
  const address = to[0]!;
  return error({
    code: "move_ambiguous",
    summary: "Ambiguous move",
    detail: `${allOf(from)} ${from.length === 1 ? "is" : "are"} no longer declared, and ${allOf(to)} ${to.length === 1 ? "declares" : "declare"} the same object, so Steward can't determine which address moved. Nothing was planned for this object. Declare the move with a moved block:`,
    action: { kind: "moved", from: from[0]!, to: address },
    address,
  });
}

/**
 * Reports moved objects that a restricted plan leaves out. The plan must cover all moved objects, because the new state has all
 * objects at their new addresses.
 */
export function checkMovesTargeted(
  restriction: Restriction | undefined,
  previousAddresses: ReadonlyMap<string, string>,
  isTargeted: (address: string) => boolean,
): Diagnostic[] {
  const untargeted = [...previousAddresses]
    .filter(([now]) => !isTargeted(now))
    .map(([now, before]) => `${before} -> ${now}`);
  if (untargeted.length === 0 || restriction === undefined) return [];
  const { option } = restriction;
  return [
    error({
      code: "move_not_targeted",
      summary: "Moved objects are not targeted",
      detail:
        `These objects have moved to new addresses, but ${option} leaves them out: ${untargeted.join(", ")}. ` +
        (option === "--target"
          ? "Add their new addresses as targets, or run without --target."
          : `Apply the moves first: run without ${option}, or select other objects.`),
    }),
  ];
}

/** Returns the error for a restricted plan that covers only one of the two addresses of a move. */
export const moveNotTargeted = (
  { option }: Restriction,
  from: string,
  to: string,
  left: readonly string[],
): Diagnostic =>
  error({
    code: "move_not_targeted",
    summary: "Moved objects are not targeted",
    detail:
      `${from} has moved to ${to} (the same object), but ${option} leaves out ${allOf(left)}. ` +
      remedy(
        option,
        left,
        [from, to].filter((address) => !left.includes(address)),
      ),
    address: to,
  });

/**
 * Returns the error for a restricted plan that deletes an object and leaves out the new declaration of this object or of its
 * part.
 */
export const newOwnerNotTargeted = (
  { option }: Restriction,
  { address: deleted, action }: Pick<ResourceChange, "address" | "action">,
  newOwner: string,
): Diagnostic =>
  error({
    code: "move_not_targeted",
    summary: "New owner of an object is not targeted",
    detail: `${action === "delete" || action === "forget" ? `${deleted} is no longer declared` : `The replacement of ${deleted} deletes its object`}, but ${newOwner} declares this object or a part of it. In this run, ${option} leaves out ${newOwner}. ${remedy(option, [newOwner], [deleted])}`,
    address: deleted,
  });

/** Returns a sentence with the options to add: more targets, or more objects to exclude. */
function remedy(option: Restriction["option"], left: readonly string[], covered: readonly string[]): string {
  if (option === "the selection of paths") return `Run without ${option}.`;
  const missing = option === "--target" ? left : covered;
  const options = missing.map((address) => `${option} ${quotedShellWord(address)}`);
  return `Add ${options.join(" ")}, or run without ${option}.`;
}

/**
 * Returns warnings about objects that the plan postpones: objects to delete, and objects that leave a fleet. A declaration that
 * could not be planned may be for such an object. A later plan without this error decides about the object.
 */
export function endsPostponed(ends: readonly Step[], unplanned: readonly string[]): readonly Diagnostic[] {
  const deletes = addressesOf(ends.filter(isObjectDelete));
  const leaving = addressesOf(ends.filter((step) => !isObjectDelete(step)));
  const postponed = (summary: string, objects: string, kept: string): Diagnostic[] =>
    objects === ""
      ? []
      : [
          warning({
            code: "ends_held_back",
            summary,
            detail: `Steward could not plan ${unplanned.join(", ")}, which may be the same object as ${objects}. ${kept} Fix the other errors, then run again.`,
          }),
        ];
  return [
    ...postponed("Destroy postponed", deletes, `Steward therefore does not destroy ${deletes} in this run.`),
    ...postponed(
      "Removal from the state postponed",
      leaving,
      `Steward therefore keeps ${leaving} in the state in this run.`,
    ),
  ];
}

const addressesOf = (steps: readonly Step[]): string => steps.map(({ change }) => change.address).join(", ");

/** Returns the warning for an object that is no longer declared at one address, but still declared at another address. */
export const stillDeclared = (
  { address, deposed, before }: Pick<ResourceChange, "address" | "deposed" | "before">,
  holder: string,
): Diagnostic =>
  warning({
    code: "still_declared",
    summary: "Object is also declared at another address",
    detail: `${objectName(address, deposed)} is the same object as ${holder}${idOf(before)}, which is still declared. Steward only removes ${objectName(address, deposed)} from the state, and does not destroy the object.`,
    address,
  });

const idOf = (values: ResourceChange["before"]): string =>
  typeof values?.["id"] === "string" ? ` (id ${values["id"]})` : "";

/** The addresses of declarations of other stacks, each with the name of its stack. */
type Takers = ReadonlyMap<string, string>;

/**
 * Returns the warning for an object that declarations of other stacks take over. The state of this stack keeps the object until
 * the states of the other stacks contain it.
 */
export function takenOverLater(
  { address, deposed }: Pick<ResourceChange, "address" | "deposed">,
  neighbours: readonly Neighbour[],
): Diagnostic {
  const others = neighbours.filter(({ stack }) => stack !== undefined);
  const areUncertain = others.every(({ relation }) => relation === "stack may have part");
  const takers = takersOf(others);
  return warning({
    code: "taken_over_later",
    summary: "Destroy postponed",
    detail: `This stack no longer declares ${objectName(address, deposed)}, but ${areUncertain ? mayDeclare(takers) : listed(takers)} this object or a part of it. Steward keeps the object until ${stacksOf(takers)} ${new Set(takers.values()).size === 1 ? "is" : "are"} applied, because destroying the object could remove settings that another stack declares. Apply ${nameOfStack(firstOf(takers).stack)} with this command, then apply this stack.`,
    action: firstOf(takers),
    address,
  });
}

/**
 * Returns the error for an update that stops managing a set too early: another stack declares a part, but its state lacks the
 * part.
 */
export function releasedTooEarly(change: ResourceChange, because: readonly Neighbour[]): Diagnostic {
  const what = `${change.address} no longer declares a set, but ${listed(takersOf(because))} a part of that set.`;
  return tooEarly(change, because, what, "update");
}

/**
 * Returns the error for a replacement that deletes an object too early: another stack declares the object or a part, but its
 * state lacks it.
 */
export function replacedTooEarly(change: ResourceChange, because: readonly Neighbour[]): Diagnostic {
  const takers = takersOf(because);
  const areUncertain = because.every(({ relation }) => relation === "stack may have part");
  const what = `The replacement of ${change.address} deletes its object, but ${areUncertain ? mayDeclare(takers) : listed(takers)} this object or a part of it.`;
  return tooEarly(change, because, what, "replacement");
}

function tooEarly(
  { address, construct }: ResourceChange,
  because: readonly Neighbour[],
  what: string,
  change: string,
): Diagnostic {
  const takers = takersOf(because);
  return error({
    code: "taken_over_later",
    summary: "Another stack must be applied first",
    detail: `${what} The state of ${stacksOf(takers)} does not contain this part yet, so no state would contain the part after this ${change}. Apply ${nameOfStack(firstOf(takers).stack)} with this command, then apply this stack. If that stack also waits for this one, apply only ${allOf([...takers.keys()].sort(compareNatural))} there, with --target.`,
    action: firstOf(takers),
    address,
    ...(construct !== undefined && { construct }),
  });
}

const takersOf = (neighbours: readonly Neighbour[]): Takers =>
  new Map(neighbours.map(({ address, stack }) => [address, stack!]));

function firstOf(takers: Takers) {
  const [stack] = takers.values();
  return { kind: "apply" as const, stack: stack! };
}

const nameOfStack = (stack: string): string => `the stack "${stack}"`;

function stacksOf(takers: Takers): string {
  const stacks = [...new Set(takers.values())].sort(compareNatural);
  return allOf(stacks.map(nameOfStack));
}

const mayDeclare = (takers: Takers): string =>
  `${allOf([...takers.keys()].sort(compareNatural))} may declare`;

const listed = (takers: Takers): string =>
  `${allOf([...takers.keys()].sort(compareNatural))} ${takers.size === 1 ? "declares" : "declare"}`;

/** The numbers of a fleet's members in its list, in the state, and only in the state. */
interface Counts {
  readonly listed: { readonly size: number };
  readonly held: number;
  readonly leaving: number;
}

export const shrinks = (
  { path, selection, members, onLeave }: FleetDeclaration,
  { listed, held, leaving }: Counts,
  construct: string | undefined,
): Diagnostic => {
  const kind = selection?.kind ?? "member";
  const missing =
    leaving === held ? `All ${counted(held, kind)}` : `${leaving} of the ${counted(held, kind)}`;
  const outcome =
    onLeave === "reset"
      ? "Steward then deletes their objects on the service."
      : "Steward then stops managing them, and keeps their settings.";
  return error({
    code: "fleet_shrinks",
    summary: listed.size === 0 ? `Fleet lists no ${kind}s` : "More than a tenth of a fleet is missing",
    detail: `The fleet ${path} lists ${counted(listed.size, kind)}. ${missing} in the state ${leaving === 1 ? "is" : "are"} missing from the list. Steward keeps the settings and the state of missing ${kind}s. Check the selection of the fleet, and the permissions of the token's user. If the ${kind}s left intentionally, add --allow-leaving ${leaving}. ${outcome}`,
    ...locate({ address: `local.${members}`, construct }),
  });
};

/** Returns the error for undeclared objects that may have belonged to a fleet. */
export function fleetUnknown(objects: readonly StateObject[], path: string | undefined): Diagnostic {
  const [first] = objects;
  const { resource, address } = first!;
  const names = namesUpTo(
    3,
    objects.map((object) => object.address),
  );
  return error({
    code: "fleet_not_recorded",
    summary: "Unknown fleet of an undeclared object",
    detail: `${names} ${objects.length === 1 ? "is" : "are"} no longer declared. An older release wrote this state without recording its fleets. Steward therefore does not know whether ${path === undefined ? "a fleet" : `the fleet ${path}`} declared ${objects.length === 1 ? "this object" : "these objects"}, and sends nothing for ${objects.length === 1 ? "it" : "them"}. To destroy the settings, declare \`removed { from = ${resourceAddress(resource)}, lifecycle { destroy = true } }\` and apply. To keep the settings, remove each address from the state with this command.`,
    address,
    action: { kind: "stateRm", address },
  });
}

/** The maximum number of addresses in an error. */
const SHOWN = 3;

export const needsLeftOut = (
  { change: { address, construct } }: Step,
  needed: readonly string[],
): Diagnostic =>
  error({
    code: "dependency_left_out",
    summary: "Needed change is left out",
    detail: `The change of ${address} depends on the change of ${allUpTo(SHOWN, [...new Set(needed)])}, which this run leaves out. Nothing was sent. Select both, or apply the dependency first.`,
    address,
    ...(construct !== undefined && { construct }),
  });
