import { type Action, type EngineEvent, objectName } from "../../engine";
import { counted, namesUpTo, oneLine } from "../../text";
import type { ViewArguments } from "../arguments/shared-options";
import type { Counts, OutsideCounts } from "../document/counts";
import type { Terminal } from "../terminal/terminal";
import { type Style, styleFor } from "../terminal/text";
import type { AppShard } from "./run-view";
import type { Wait } from "./waits";

const countOf = (count: number, what: string): string => (count > 0 ? `${count} ${what}, ` : "");

/** Returns the summary line of a plan. */
export function planSentence(counts: Counts): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const stateOnlyPart = `${countOf(imported, "to import")}${countOf(moved, "to move")}`;
  return `Plan: ${stateOnlyPart}${add} to add, ${change} to change, ${remove} to destroy.${existingSentence(counts)}${failedSentence(counts)}`;
}

/**
 * Returns a sentence about the existing objects that a plan imports. The sentence begins with a space. The counts of objects to
 * import and to change already include these objects, as in Terraform.
 */
function existingSentence({ existing = 0, existing_to_change: changing = 0 }: Counts): string {
  if (existing === 0) return "";
  return ` Existing objects: ${existing} to import, ${changing === 0 ? "none" : changing} of them to change.`;
}

/**
 * Returns a sentence with the number of failed objects, and the number of objects that could not be checked. The sentence
 * begins with a space. Returns an empty text if all objects were checked and none failed.
 */
export const failedSentence = ({ failed = 0, unchecked = 0 }: Counts): string =>
  `${objectsThat(failed, "failed")}${objectsThat(unchecked, "could not be checked")}`;

const objectsThat = (count: number, what: string): string =>
  count === 0 ? "" : ` ${counted(count, "object")} ${what}.`;

/** Returns the summary line of an apply or a destroy. */
export function doneSentence(of: "apply" | "destroy", counts: Counts, hasFailed: boolean): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const stateOnlyPart = `${countOf(imported, "imported")}${countOf(moved, "moved")}`;
  const result = hasFailed ? "incomplete, see the errors." : "complete!";
  const failedPart = failedSentence(counts);
  if (of === "destroy") return `Destroy ${result} Resources: ${remove} destroyed.${failedPart}`;
  return `Apply ${result} Resources: ${stateOnlyPart}${add} added, ${change} changed, ${remove} destroyed.${failedPart}`;
}

/**
 * Returns sentences about the objects that were changed or deleted outside of the configuration since the last apply, and what
 * an apply does with them.
 */
export function outsideSentences(
  { changed, deleted }: OutsideCounts,
  {
    planner = "Steward",
    isApplied = false,
  }: { readonly planner?: string; readonly isApplied?: boolean } = {},
): string[] {
  const objects = (count: number) => counted(count, "object was", "objects were");
  const where = `outside of ${planner} since the last apply`;
  const [overwrites, creates] = isApplied
    ? ["the apply overwrote that", "the apply created"]
    : ["applying overwrites that", "applying creates"];
  return [
    ...(changed > 0 ? [`${objects(changed)} changed ${where}: ${overwrites}.`] : []),
    ...(deleted > 0
      ? [`${objects(deleted)} deleted ${where}: ${creates} ${deleted === 1 ? "it" : "them"} again.`]
      : []),
  ];
}

type ObjectEvent = Exclude<EngineEvent, { kind: "progress" | "warned" }>;

const DOING: Readonly<Partial<Record<Action, readonly [doing: string, done: string]>>> = {
  create: ["Creating", "Creation"],
  read: ["Reading", "Read"],
  update: ["Modifying", "Modifications"],
  delete: ["Destroying", "Destruction"],
};
const REPLACING = ["Replacing", "Replacement"] as const;

/** Describes an object for people, including the key of a deposed object. */
export const describeFully = (event: ObjectEvent): string =>
  describeEvent({ ...event, address: objectName(event.address, event.deposed) });

/** Returns a sentence about an event of the engine, in Terraform's words. */
export function describeEvent(event: ObjectEvent): string {
  const id = "id" in event && event.id !== undefined ? ` [id=${event.id}]` : "";
  const seconds = "milliseconds" in event ? `${Math.round(event.milliseconds / 1000)}s` : "";
  const [doing, done] = ("action" in event && DOING[event.action]) || REPLACING;
  switch (event.kind) {
    case "settled":
      return `${event.address}: ${describeRecovered(event)}${id}`;
    case "refresh_start":
      return `${event.address}: Refreshing state...${id}`;
    case "refresh_complete":
      return `${event.address}: Refresh complete${id}`;
    case "apply_start":
      return `${event.address}: ${doing}...${id}`;
    case "apply_complete":
      return `${event.address}: ${done} complete after ${seconds}${id}`;
    case "apply_errored":
      return `${event.address}: ${done} errored after ${seconds}`;
  }
}

const CHANGED = { create: "created", update: "changed", delete: "destroyed" } as const;

/** Returns a sentence about the outcome of a change that an interrupted run had begun. */
function describeRecovered({ action, outcome }: Extract<EngineEvent, { kind: "settled" }>): string {
  const changed = CHANGED[action];
  if (outcome === "done") {
    return action === "create"
      ? "Recovered: created by the interrupted run"
      : `Recovered: ${changed} by the interrupted run`;
  }
  if (outcome === "in-part") return "Recovered in part: the interrupted run did not finish";
  const why = outcome === "foreign" ? "; the live object belongs to another owner" : "";
  return `Was not ${changed} by the interrupted run${why}`;
}

/** Returns a sentence about a pause. */
export const describeWait = ({ seconds, reason }: Wait): string => `Waiting ${seconds}s: ${reason}.`;

/** Returns the heading of a stack, for output about several stacks. */
export const renderStackHeading = (stack: string | undefined, { bold }: Style): string[] => [
  "",
  bold(oneLine(`Stack ${stack ?? ""}`)),
];

/** Writes a text about each stack for people. If there are several stacks, each text has the name of its stack as a heading. */
export function writeByStack<T extends { readonly stack: string | undefined }>(
  all: readonly T[],
  terminal: Terminal,
  { color }: Pick<ViewArguments, "color">,
  linesOf: (one: T) => readonly string[],
): void {
  const style = styleFor(terminal.out, terminal, color);
  for (const one of all) {
    if (all.length > 1) terminal.out.lines(renderStackHeading(one.stack, style));
    terminal.out.lines(linesOf(one));
  }
}

/** The maximum number of stacks that the line about a shard names. */
const MAX_NAMED = 10;

/** Returns a line with the stacks of a shard. */
export function describeShard({ number, total, stacks, ofStacks }: AppShard): string {
  const shard = `Shard ${number}/${total}`;
  if (stacks.length === 0) return `${shard} has none of the ${ofStacks} stacks: nothing to do.`;
  return `${shard} has ${stacks.length} of ${counted(ofStacks, "stack")}: ${namesUpTo(MAX_NAMED, stacks)}.`;
}
