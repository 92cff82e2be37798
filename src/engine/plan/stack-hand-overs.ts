import { type Diagnostic, error, warning } from "../../diagnostics";
import { objectName } from "../../language";
import { allOf, compareNatural } from "../../text";
import type { ResourceChange } from "../model/plan";
import type { OtherStacks } from "../stacks/other-stacks";
import type { Step } from "../steps/steps";
import type { Neighbour } from "../table/row";
import type { PlanGraph } from "./plan-graph";

/** Declarations of other stacks, with the names of their stacks. */
type Takers = ReadonlyMap<string, string>;

/**
 * Compares the steps that stay with what other stacks hold and release: creates adopt what the state of another stack holds
 * and nobody declares there, and an update that leaves a set to another stack comes after that stack.
 */
export async function handOver({ run, steps, others }: PlanGraph): Promise<void> {
  if (others === undefined) return;
  for (const step of steps.all) {
    const { action } = step.change;
    if (action === "create" && step.change.takesOver === undefined) {
      const [takesOver] = (await others.announce(step)).leaving;
      if (takesOver !== undefined) steps.add({ ...step, change: { ...step.change, takesOver } });
    } else if (action === "update") run.report(await refuseRelease(step, others));
  }
}

async function refuseRelease(step: Step, others: OtherStacks): Promise<readonly Diagnostic[]> {
  const { yetToTake } = await others.announce(step);
  // What it still declares itself is compared with the other stacks as a conflict.
  const isRelease =
    yetToTake.size > 0 && (await others.owner(step.provider, step.change.type, step.planned!)) === undefined;
  return isRelease ? [releasedTooEarly(step.change, yetToTake)] : [];
}

/** Declarations of other stacks take over what is no longer declared here: until they have it, this state keeps it. */
export function takenOverLater(
  { address, deposed }: Pick<ResourceChange, "address" | "deposed">,
  neighbours: readonly Neighbour[],
): Diagnostic {
  const others = neighbours.filter(({ stack }) => stack !== undefined);
  const areUncertain = others.every(({ relation }) => relation === "stack may have part");
  const takers = new Map(others.map((one) => [one.address, one.stack!]));
  return warning({
    code: "taken_over_later",
    summary: "Destroy postponed",
    detail: `This stack no longer declares ${objectName(address, deposed)}, but ${areUncertain ? mayDeclare(takers) : listed(takers)} this object or a part of it. Steward keeps the object until ${stacksOf(takers)} ${new Set(takers.values()).size === 1 ? "is" : "are"} applied, because destroying the object could remove settings that another stack declares. Apply ${nameOfStack(firstOf(takers).stack)} with this command, then apply this stack.`,
    action: firstOf(takers),
    address,
  });
}

/** An update would leave a set to another stack, whose state does not hold it yet. */
const releasedTooEarly = ({ address, construct }: ResourceChange, takers: Takers): Diagnostic =>
  error({
    code: "taken_over_later",
    summary: "Another stack must be applied first",
    detail: `${address} no longer declares a set, but ${listed(takers)} a part of that set. The state of ${stacksOf(takers)} does not contain this part yet, so no state would contain the part after this update. Apply ${nameOfStack(firstOf(takers).stack)} with this command, then apply this stack.`,
    action: firstOf(takers),
    address,
    ...(construct !== undefined && { construct }),
  });

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
