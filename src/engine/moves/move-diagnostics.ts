import { type Diagnostic, error, warning } from "../../diagnostics";
import type { Row } from "../../framework";
import { objectName } from "../../language";
import { groupBy } from "../../schema";
import { allOf, quotedShellWord } from "../../text";
import type { ResourceChange } from "../model/plan";
import { withoutKey } from "../run/address-keys";
import type { StackRun } from "../run/stack-run";
import { type Restriction, restrictionOf, type Targets } from "../run/targets";
import { isObjectDelete, type Step } from "../steps/steps";

/** An object of the state, and whether its declaration releases it, which may not be known yet. */
export interface HeldObject {
  readonly address: string;
  readonly identity: string;
  readonly released: "yes" | "no" | "not known yet";
}

/** A declaration whose object the state does not hold at the declared address. */
export type WantedObject = Omit<HeldObject, "released">;

/** The objects of the state that are the same object as a declaration. */
export interface Join {
  /** The column of its row; undefined while it is not known which declarations release their objects. */
  readonly held: Extract<Row["held"], "no" | "elsewhere" | "ambiguous"> | undefined;
  /** Addresses that release the object. */
  readonly from: readonly string[];
  /** All declarations of the object. */
  readonly to: readonly string[];
}

/** Joins released objects and declarations by identity, for each declared address. */
export function joinByIdentity(
  held: readonly HeldObject[],
  wanted: readonly WantedObject[],
): ReadonlyMap<string, Join> {
  const joined = new Map<string, Join>();
  const holders = groupBy(
    held.filter(({ released }) => released !== "no"),
    ({ identity }) => identity,
  );
  for (const [identity, to] of groupBy(wanted, ({ identity }) => identity)) {
    const from = (holders.get(identity) ?? []).filter(
      ({ address }) => !to.some((one) => one.address === address),
    );
    const join = { held: heldOf(from, to), from: sortedAddresses(from), to: sortedAddresses(to) };
    for (const { address } of to) joined.set(address, join);
  }
  return joined;
}

function heldOf(from: readonly HeldObject[], to: readonly WantedObject[]): Join["held"] {
  if (from.length === 0) return "no";
  if (from.some(({ released }) => released === "not known yet")) return undefined;
  return from.length === 1 && to.length === 1 ? "elsewhere" : "ambiguous";
}

/**
 * Returns new addresses for objects that do not move, but whose address another object takes. Each gets the address
 * that the chain of moves frees, and is replaced or deleted there.
 */
export function displacements(
  moves: ReadonlyMap<string, string>,
  isTaken: (address: string) => boolean,
): Map<string, string> {
  const sources = new Map([...moves].map(([from, to]) => [to, from]));
  const displaced = new Map<string, string>();
  for (const to of moves.values()) {
    if (moves.has(to) || !isTaken(to)) continue;
    let free = to;
    for (let from = sources.get(free); from !== undefined; from = sources.get(free)) free = from;
    displaced.set(to, free);
  }
  return displaced;
}

const sortedAddresses = (all: readonly { readonly address: string }[]): string[] =>
  all.map(({ address }) => address).sort();

/** Several addresses hold or declare the same object, and only a moved block can show which address moved. */
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

/** A restricted plan must cover moved objects: a state can't be only partially at its old addresses. */
export function checkMovesTargeted(
  { context, previousAddresses }: StackRun,
  { isSelected: isTargeted }: Targets,
): Diagnostic[] {
  const untargeted = [...previousAddresses]
    .filter(([now]) => !isTargeted(now))
    .map(([now, before]) => `${before} -> ${now}`);
  const restriction = restrictionOf(context);
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

/** A restricted plan must cover both addresses of a move, or none. */
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
 * The error of a restricted plan that covers only one of two: a deleted object, and the declaration that takes over
 * a part of it.
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

/** Returns the addresses to add: omitted targets, or objects to exclude too. */
function remedy(option: Restriction["option"], left: readonly string[], covered: readonly string[]): string {
  if (option === "the selection of paths") return `Run without ${option}.`;
  const missing = option === "--target" ? left : covered;
  const options = missing.map((address) => `${option} ${quotedShellWord(address)}`);
  return `Add ${options.join(" ")}, or run without ${option}.`;
}

/**
 * Postpones deletes, and objects that leave their fleets. They may belong to declarations that could not be
 * planned, or such declarations may take them over.
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

/** An import names an object that the state already holds at another address. */
export const importAlreadyManaged = (address: string, id: string, holder: string): Diagnostic =>
  error({
    code: "import_already_managed",
    summary: "Already in the state",
    detail: `${JSON.stringify(id)} can't be imported to ${address}, because the state contains this object at ${holder}. Nothing was changed. To move the object to the new address, remove the declaration of ${withoutKey(holder)} if there is one, and run:`,
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
    summary: "Object is also declared at another address",
    detail: `${objectName(address, deposed)} is the same object as ${holder}${idOf(before)}, which is still declared. Steward only removes ${objectName(address, deposed)} from the state, and does not destroy the object.`,
    address,
  });

const idOf = (values: ResourceChange["before"]): string =>
  typeof values?.["id"] === "string" ? ` (id ${values["id"]})` : "";
