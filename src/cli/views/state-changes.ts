import {
  describeHolder,
  type LockInfo,
  type MigratedState,
  type PushedState,
  type Stacks,
  type StateMove,
} from "../../engine";
import { counted, oneLine } from "../../text";
import type { ViewArguments } from "../arguments/shared-options";
import type { BetweenStacks } from "../arguments/states";
import type { Terminal } from "../terminal/terminal";
import { jsonEvent, writeResult } from "./json/events";

interface EditView extends ViewArguments {
  readonly dryRun: boolean;
}

/** Writes which objects were removed from a state, in Terraform's words. */
export function writeRemoved(removed: readonly string[], terminal: Terminal, view: EditView): void {
  const count = counted(removed.length, "resource instance");
  const sentence = view.dryRun ? `Would remove ${count}.` : `Successfully removed ${count}.`;
  const lines = removed.map((address) => `${view.dryRun ? "Would remove" : "Removed"} ${address}`);
  writeChange(lines, sentence, ["state_removed", { removed }], terminal, view);
}

/** Writes the version of a replaced state, and the version of the state that replaced it. */
export function writePushed(
  state: string,
  { before, after }: PushedState,
  terminal: Terminal,
  view: EditView,
): void {
  const replaced = before === undefined ? "there was no state before" : `it replaces serial ${before.serial}`;
  const push = `${view.dryRun ? "Would push" : "Pushed"} serial ${after.serial} to ${state}; ${replaced}.`;
  const sentence = before === after ? `Nothing to push: ${state} already contains this state.` : push;
  const fields = {
    serial: after.serial,
    lineage: after.lineage,
    previous_serial: before?.serial,
    previous_lineage: before?.lineage,
  };
  writeChange([], sentence, ["state_pushed", fields], terminal, view);
}

/** Writes which states were copied to another backend. */
export function writeMigrated(migrated: readonly MigratedState[], terminal: Terminal, view: EditView): void {
  const copies = migrated.filter(({ version }) => version !== undefined);
  const lines = migrated.map(({ stack, from, to, version, wasThere }) => {
    const what = stack === undefined ? "the state" : `the state of the stack ${stack}`;
    if (version === undefined)
      return `No state of ${stack ?? "this configuration"} in ${from}: nothing to copy.`;
    if (wasThere) return `${to} already contains ${what} (serial ${version.serial}).`;
    if (view.dryRun) return `Would copy ${what} (serial ${version.serial}) from ${from} to ${to}.`;
    return `Copied ${what} (serial ${version.serial}) from ${from} to ${to}, and read it back.`;
  });
  const ofCopies = view.dryRun
    ? "Nothing was written."
    : "The old states are unchanged. Set the new backend in the code. `steward plan` then shows no changes.";
  const sentence = copies.length === 0 ? "Nothing was copied." : ofCopies;
  const states = migrated.map(({ stack, from, to, version, wasThere }) => ({
    stack,
    from,
    to,
    was_there: wasThere,
    serial: version?.serial,
    lineage: version?.lineage,
  }));
  writeChange(lines, sentence, ["state_migrated", { states }], terminal, view);
}

/** Returns the question that Steward asks before it changes the source address of a provider. */
export const providerQuestion = (
  addresses: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): string[] => [
  ...addresses.map((address) => `  ${address}`),
  "",
  `Do you want to change the provider of ${counted(addresses.length, "object")} from ${from} to ${to}?`,
];

/** Writes which objects now have another source address of their provider. */
export function writeProviderReplaced(
  replaced: readonly string[],
  terminal: Terminal,
  view: EditView & { readonly from: string; readonly to: string },
): void {
  const { from, to, dryRun } = view;
  const sentence =
    replaced.length === 0
      ? `No object has the provider ${from}: nothing was changed.`
      : `${dryRun ? "Would change" : "Changed"} the provider of ${counted(replaced.length, "object")} to ${to}.`;
  writeChange(replaced, sentence, ["state_provider_replaced", { replaced, from, to }], terminal, view);
}

/** Writes who held the lock that was removed. */
export function writeUnlocked(
  state: string,
  holder: LockInfo,
  terminal: Terminal,
  { json, color }: ViewArguments,
): void {
  // The response of an HTTP backend to an unlock does not contain the holder.
  const sentence =
    holder.who === ""
      ? `Unlocked: removed the lock ${holder.id} of the state ${state}.`
      : `Unlocked: the state ${state} was held by ${describeHolder(holder)}.`;
  const event = ["state_unlocked", { lock_id: holder.id }] as const;
  writeChange([], sentence, event, terminal, { json, color, dryRun: false });
}

/** Writes the result of a change of states. People get lines and a last sentence; programs get an event. */
function writeChange(
  lines: readonly string[],
  sentence: string,
  [type, fields]: readonly [type: string, fields: Readonly<Record<string, unknown>>],
  { out }: Pick<Terminal, "out">,
  view: EditView,
): void {
  const event = jsonEvent(type, sentence, { ...fields, dry_run: view.dryRun });
  writeResult(out, view, [event], [...lines, sentence].map(oneLine));
}

type Pairs = readonly (readonly [from: string, to: string])[];

/** Writes which objects were moved within a state, in Terraform's words. */
export function writeMovedWithin(moved: Pairs, terminal: Terminal, view: EditView): void {
  const lines = moved.map(([from, to]) => `${view.dryRun ? "Would move" : "Moved"} ${from} to ${to}`);
  writeChange(lines, sentenceOf(moved.length, view), ["state_moved", fieldsOf(moved)], terminal, view);
}

/** Writes which objects a move between two stacks will move. Called before the move. */
export function writeMoving({ from, to, objects: all }: StateMove, { out }: Terminal, view: EditView): void {
  if (view.json || all.length === 0) return;
  const lines = all.map((one) => (one.from === one.to ? `  ${one.from}` : `  ${one.from} -> ${one.to}`));
  const heading = `From the state of the stack ${from.stack} to that of the stack ${to.stack}:`;
  out.lines([heading, ...lines].map(oneLine));
}

/**
 * Writes which objects were moved to the state of another stack. A long list of objects is not repeated, because `writeMoving`
 * wrote this list before the move.
 */
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
  dryRun ? `Would move ${counted(count, "object")}.` : `Successfully moved ${counted(count, "object")}.`;

function nothingToMove(selection: BetweenStacks, { from, to }: Stacks): string {
  if ("declared" in selection)
    return `Nothing to move: the stack ${to} declares no object in the state of the stack ${from}.`;
  if ("patterns" in selection)
    return `Nothing to move: the state of the stack ${from} has no object that matches.`;
  return `Nothing to move: the object is already in the state of the stack ${to} and not in that of ${from}.`;
}
