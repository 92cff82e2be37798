import { type Diagnostic, type DiagnosticAction, error } from "../../diagnostics";
import { decide, type Neighbour, type Row, type Share } from "../../framework";
import { defined } from "../../json";
import { groupBy } from "../../schema";
import { freeAddress } from "./declared-elsewhere";
import type { ObjectIndex } from "./object-index";

/**
 * Combines conflicts with one cause: a user moved declarations to another stack, but the state of the previous stack still holds
 * the objects. For several such objects, the errors contain one command that moves all of them. Does not combine conflicts of
 * objects that both stacks declare.
 */
export function movedTogether(conflicts: readonly Conflict[]): Conflict[] {
  const byCause = groupBy(conflicts, ({ problem }) => causeOf(problem));
  return conflicts.map((one) => {
    const { problem } = one;
    const [cause, { address, construct }, stacks] = [causeOf(problem), problem, movedBetween(problem)];
    if (cause === undefined || stacks === undefined || byCause.get(cause)!.length === 1) return one;
    const together = error({
      code: "object_of_two_stacks",
      summary: "Still in the state of another stack",
      detail: `The stack "${stacks.to}" declares objects that are in the state of the stack "${stacks.from}". The next apply of "${stacks.from}" would destroy them. Move them to the state of "${stacks.to}" with this command.`,
      action: { kind: "moveAll", stacks },
      cause,
      ...defined({ address, construct }),
    });
    return { ...one, problem: together };
  });
}

function causeOf(one: Diagnostic): string | undefined {
  const stacks = movedBetween(one);
  return stacks && `moved from the stack ${stacks.from} to the stack ${stacks.to}`;
}

/** Returns the stacks between which the command of a conflict moves an object; undefined for other conflicts. */
const movedBetween = ({ summary, action }: Diagnostic): Stacks | undefined =>
  action?.kind === "move" && summary !== DECLARED_TWICE ? action.stacks : undefined;

/** The summary of the error for one object that two stacks declare. The user must first remove one of the declarations. */
const DECLARED_TWICE = "Declared in two stacks";

/** An object of the stack for which the plan is made. */
export interface PlannedObject {
  readonly address: string;
  readonly construct: string | undefined;
  readonly type: string;
  readonly identity: string;
  /** The address in the saved state, if a move of this plan changes the address. */
  readonly heldAt?: string;
  readonly row: Row;
  /** The parts of shared sets that the object owns. Only a declared object has this field and `service`. */
  readonly shares?: readonly Share[];
  readonly service?: string;
}

/** An object that the decision table refuses because another stack has the object. */
export interface Conflict {
  readonly address: string;
  readonly neighbour: Neighbour;
  readonly problem: Diagnostic;
}

/**
 * Returns the conflicts of an object with another stack: the other stack declares the object, or still has it in its state.
 *
 * @param heldAt the addresses of all objects in the state of the planned stack
 */
export function conflicts(
  stack: string,
  own: PlannedObject,
  { name: other, index }: { readonly name: string; readonly index: ObjectIndex },
  heldAt: ReadonlySet<string>,
): Conflict[] {
  const same = index.of(own.identity);
  if (same.length === 0) return [];
  const declared = same.find(({ source }) => source !== "state")?.address;
  const held = same.find(({ source }) => source !== "configuration");
  const isDeclared = own.row.declared === "yes";
  const has = declared ?? (isDeclared ? held?.address : undefined);
  const neighbour = refusing(own, has, other);
  if (has === undefined || neighbour === undefined) return [];
  const here = objectIn(own.address, stack);
  const isTaken = (address: string) => (isDeclared ? heldAt.has(address) : index.hasObjectAt(address));
  if (!isDeclared) {
    const leaving = { from: stack, to: other };
    const at = own.heldAt ?? own.address;
    const { how, action } = howToForget(leaving, at, has, held !== undefined, isTaken);
    return conflictOf(own, neighbour, {
      summary: "Declared in another stack",
      detail: `The plan would ${own.row.fleet === "keep" ? "forget" : "destroy"} ${here}, and ${objectIn(has, other)} declares the same object. ${how}`,
      action,
    });
  }
  const arriving = { from: other, to: stack };
  if (declared !== undefined) {
    const both = `${here} and ${objectIn(declared, other)} declare the same object. Each would undo the other's changes. Keep only one declaration. To keep the declaration in the stack "${stack}", remove the other declaration`;
    if (held === undefined)
      return conflictOf(own, neighbour, {
        summary: DECLARED_TWICE,
        detail: `${both}. Nothing has to move, because the state of the stack "${other}" does not contain the object.`,
      });
    return conflictOf(own, neighbour, {
      summary: DECLARED_TWICE,
      detail: `${both}, and run this command.`,
      action: isHeld(own)
        ? forgetAction(other, held.address)
        : moveAction(arriving, held.address, own.address, isTaken),
    });
  }
  if (held!.isBegun === true)
    return conflictOf(own, neighbour, {
      summary: "Created by an interrupted run of another stack",
      detail: `${here} declares an object that an interrupted run of the stack "${other}" may have created at ${has}. Plan the stack "${other}" with this command to recover that run. If the object exists, the next plan of this stack describes how to take it over.`,
      action: { kind: "plan", stack: other },
    });
  const { how, action } = howToForget(arriving, has, own.address, isHeld(own), isTaken);
  return conflictOf(own, neighbour, {
    summary: "Still in the state of another stack",
    detail: `${here} declares an object that is in the state of the stack "${other}" at ${has}. The next apply of "${other}" would destroy it. ${how}`,
    action,
  });
}

/** Returns conflicts with objects of another stack: both stacks own parts of one set, for example a whole list and one entry. */
export function overlaps(stack: string, own: PlannedObject, other: string, index: ObjectIndex): Conflict[] {
  const found = (own.shares ?? []).flatMap((share) =>
    index
      .sharing(own.service, share)
      .filter(({ identity }) => identity !== own.identity)
      .map((object) => ({ object, share })),
  );
  // Each declaration gets one diagnostic, even if it shares several parts.
  const first = new Map([...found].reverse().map((one) => [one.object.address, one]));
  return [...first.values()].flatMap(({ object, share }) => {
    const neighbour = refusing(own, object.address, other);
    if (neighbour === undefined) return [];
    const both = `${objectIn(own.address, stack)} and ${objectIn(object.address, other)}`;
    return conflictOf(own, neighbour, {
      summary: DECLARED_TWICE,
      detail: `${both} both manage a part of the ${setOf(share)}. Each would undo the other's changes. Keep one of them. Remove the other object from the state of its stack, or its next apply removes the shared part. For the stack "${other}", use this command.`,
      action: forgetAction(other, object.address),
    });
  });
}

const isHeld = ({ row }: PlannedObject): boolean => row.held === "here";

/**
 * Returns the object of another stack as a neighbour if it makes the decision table refuse the planned object; otherwise
 * undefined.
 */
function refusing({ row }: PlannedObject, address: string | undefined, stack: string): Neighbour | undefined {
  if (address === undefined) return undefined;
  const neighbour: Neighbour = { relation: "stack has it", address, stack };
  return decide(row, [neighbour]).verdict === "refuse" ? neighbour : undefined;
}

/** Returns the name of the set to which a part belongs, without the id of the container. */
const setOf = ({ place }: Share): string => place.replace(/ of \w+ \d+$/, "");

function conflictOf(
  { address, construct }: PlannedObject,
  neighbour: Neighbour,
  text: Pick<Diagnostic, "summary" | "detail" | "action">,
): Conflict[] {
  const where = { address, ...(construct !== undefined && { construct }) };
  return [{ address, neighbour, problem: error({ code: "object_of_two_stacks", ...text, ...where }) }];
}

/** Returns the name of an object for messages. */
export const objectIn = (address: string, stack: string): string => `${address} in the stack "${stack}"`;

/** Returns whether the state to which an object moves has another object at an address. */
type IsTaken = (address: string) => boolean;

/**
 * Returns the command that resolves the conflict. If the states of both stacks hold the object, the command removes it from the
 * state of the stack that does not declare it. Otherwise, the command moves the object.
 */
function howToForget(stacks: Stacks, at: string, declared: string, isInBoth: boolean, isTaken: IsTaken) {
  const { from, to } = stacks;
  const how = `Both states contain it. Remove it from the state of "${from}" with this command.`;
  if (isInBoth) return { how, action: forgetAction(from, at) };
  const action = moveAction(stacks, at, declared, isTaken);
  const why = `, first to a free address, because ${declared} contains another object. The next plan moves it to the right address`;
  return {
    how: `Move it to the state of "${to}" with this command${action.to === declared ? "" : why}.`,
    action,
  };
}

const forgetAction = (stack: string, address: string): DiagnosticAction => ({
  kind: "stateRm",
  address,
  stack,
});

type Stacks = Readonly<Record<"from" | "to", string>>;

/**
 * Returns the command that moves an object to the address of the declaration. If that address is occupied, the command moves the
 * object to a free address, and the next plan moves it to the declared address.
 */
const moveAction = (stacks: Stacks, from: string, declared: string, isTaken: IsTaken) =>
  ({ kind: "move", from, to: freeAddress(declared, from, isTaken), stacks }) as const;
