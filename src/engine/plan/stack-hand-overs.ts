import { type Diagnostic, error, warning } from "../../diagnostics";
import { decide, HELD, NEW, type Neighbour, type Row } from "../../framework";
import { objectName } from "../../language";
import { allOf, compareNatural } from "../../text";
import type { ResourceChange } from "../model/plan";
import type { OtherStacks } from "../stacks/other-stacks";
import type { Step } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";

/** Declarations of other stacks, with the names of their stacks. */
type Takers = ReadonlyMap<string, string>;

/**
 * Decides about new objects that exist as parts of others, and about updates that leave a set to another stack.
 * Both depend on the leaving objects of this stack and of the other stacks.
 *
 * @param released addresses of leaving objects, by the addresses of new objects that are parts of them
 */
export async function decideHandOvers(
  { run, steps, others }: PlanGraph,
  released: ReadonlyMap<string, string>,
): Promise<void> {
  const concerned =
    others === undefined ? [...released.keys()].flatMap((one) => steps.get(one) ?? []) : steps.planned;
  for (const step of concerned) {
    const { action, address } = step.change;
    if (action === "create") {
      const from = released.get(address);
      const neighbours = from === undefined ? await leavingOwners(step, others) : [partOf(from)];
      const { verdict, because } = decide(NEW, neighbours);
      if (verdict === "adopt")
        steps.add({ ...step, change: { ...step.change, takesOver: because[0]!.address } });
    } else if (action === "update" && others !== undefined) {
      const { verdict, because } = decide(UPDATED, await waitingStacks(step, others));
      if (verdict === "refuse") run.report([releasedTooEarly(step.change, because)]);
    }
  }
}

const UPDATED: Row = { ...HELD, difference: "update" };

const partOf = (address: string): Neighbour => ({ relation: "part of a leaving object", address });

/** Objects that other stacks leave, and that have a new object as a part. */
async function leavingOwners(step: Step, others: OtherStacks | undefined): Promise<readonly Neighbour[]> {
  const { leaving = [] } = (await others?.announce(step)) ?? {};
  return leaving.map((address) => ({ relation: "part of what a stack leaves", address }));
}

/** Declarations of other stacks for parts of a set that an update leaves, unless the update keeps the parts. */
async function waitingStacks(step: Step, others: OtherStacks): Promise<readonly Neighbour[]> {
  const { yetToTake } = await others.announce(step);
  // A set that the update still has is compared with the other stacks as a conflict.
  if (yetToTake.size === 0 || (await others.owner(step.provider, step.change.type, step.planned!))) return [];
  return [...yetToTake].map(([address, stack]) => ({ relation: "stack has part", address, stack }));
}

/**
 * Declarations of other stacks take over objects that are no longer declared here. Until they have them, this state
 * keeps them.
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

/** An update would leave a set to another stack, whose state does not hold it yet. */
function releasedTooEarly(change: ResourceChange, because: readonly Neighbour[]): Diagnostic {
  const what = `${change.address} no longer declares a set, but ${listed(takersOf(because))} a part of that set.`;
  return tooEarly(change, because, what, "update");
}

/** A replacement would delete an object that another stack takes over, and whose state does not hold it yet. */
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
