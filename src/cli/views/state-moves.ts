import type { Stacks, StateMove } from "../../engine";
import { oneLine } from "../../text";
import type { BetweenStacks } from "../arguments/state";
import type { Terminal } from "../terminal/terminal";
import { type EditView, objects, writeChange } from "./state-changes";

type Pairs = readonly (readonly [from: string, to: string])[];

/** The objects that were moved within a state, in Terraform's wording. */
export function writeMovedWithin(moved: Pairs, terminal: Terminal, view: EditView): void {
  const lines = moved.map(([from, to]) => `${view.dryRun ? "Would move" : "Moved"} ${from} to ${to}`);
  writeChange(lines, sentenceOf(moved.length, view), ["state_moved", fieldsOf(moved)], terminal, view);
}

/** The objects of a move between two stacks, before it is carried out. */
export function writeMoving({ from, to, objects: all }: StateMove, { out }: Terminal, view: EditView): void {
  if (view.json || all.length === 0) return;
  const lines = all.map((one) => (one.from === one.to ? `  ${one.from}` : `  ${one.from} -> ${one.to}`));
  const heading = `From the state of the stack ${from.stack} to that of the stack ${to.stack}:`;
  out.lines([heading, ...lines].map(oneLine));
}

/** The objects that were moved to the state of another stack. Those of many were listed before. */
export function writeMoved(
  { from, to, objects: all }: StateMove,
  selection: BetweenStacks,
  terminal: Terminal,
  view: EditView,
): void {
  const stacks: Stacks = { from: from.stack, to: to.stack };
  const pairs = all.map((one) => [one.from, one.to] as const);
  const isListed = !("addresses" in selection) && !view.dryRun;
  const lines = pairs.map(
    ([before, after]) =>
      `${view.dryRun ? "Would move" : "Moved"} ${before} of the stack ${stacks.from} to ${after} of the stack ${stacks.to}`,
  );
  const sentence = all.length === 0 ? nothingToMove(selection, stacks) : sentenceOf(all.length, view);
  const fields = { ...fieldsOf(pairs), from_stack: stacks.from, to_stack: stacks.to };
  writeChange(isListed ? [] : lines, sentence, ["state_moved", fields], terminal, view);
}

const fieldsOf = (moved: Pairs) => ({ moved: moved.map(([from, to]) => ({ from, to })) });

const sentenceOf = (count: number, { dryRun }: EditView): string =>
  dryRun ? `Would move ${objects(count)}.` : `Successfully moved ${objects(count)}.`;

function nothingToMove(selection: BetweenStacks, { from, to }: Stacks): string {
  if ("declared" in selection)
    return `Nothing to move: the stack ${to} declares no object that the state of the stack ${from} holds.`;
  if ("patterns" in selection)
    return `Nothing to move: the state of the stack ${from} has no object that matches.`;
  return `Nothing to move: the object is already in the state of the stack ${to} and not in that of ${from}.`;
}
