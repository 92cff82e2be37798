import type { DiskFault } from "../disk/disk";
import type { NetworkFault } from "../network/network";
import { addressOf } from "../world/app";
import { expectedOf, identityOf } from "../world/objects";
import type { Crash, Edit, Hand, ListUse, Run, Step, Story } from "./story";

/** A story in words, a line for each step. */
export function tell(story: Story): string {
  const host = story.host === undefined ? "" : "Terraform; ";
  const places = story.keeping === "file" ? "files" : "the service";
  const pages = story.pageLimit === undefined ? "" : `, lists come in pages of ${story.pageLimit}`;
  const head = `${host}Stacks ${story.stacks.join(", ")}; states in ${places}${pages}; delays of seed ${story.seed}.`;
  return [head, ...story.steps.map((step, index) => `${index + 1}. ${tellStep(step)}`)].join("\n");
}

function tellStep(step: Step): string {
  if ("edit" in step) return tellEdit(step);
  if ("hand" in step) return `Somebody ${tellHand(step)}.`;
  if ("clock" in step) return `The clock jumps by ${Math.round(step.clock / 1000)} s.`;
  if ("list" in step) return tellList(step.list);
  if ("run" in step) return `${capital(tellRun(step.run))}.`;
  return `${capital(tellRun(step.together[0]))}; ${step.after} ms later at the same time ${tellRun(step.together[1])}.`;
}

function tellList({ there, tasks, hands, faults = [] }: ListUse): string {
  const events = [
    ...tasks.map(({ task, key, after }) => [after, `${after} ms: ${task} ${key}`] as const),
    ...hands.map(({ hand, key, after }) => [after, `${after} ms: somebody ${hand}s ${key} by hand`] as const),
  ].sort(([one], [other]) => one - other);
  const words = [...events.map(([, event]) => event), ...faults.map(tellRequestFault)];
  return `Parts of one run use a list that has ${there.join(", ") || "nothing"}: ${words.join("; ")}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function tellEdit(step: Edit): string {
  switch (step.edit) {
    case "declare": {
      const { declaration } = step;
      const notes = [
        ...(declaration.second ? ["through the second configuration"] : []),
        ...(declaration.preventDestroy ? ["with prevent_destroy"] : []),
        ...(declaration.spelling === "id" ? ["by number"] : []),
      ];
      const note = notes.length === 0 ? "" : `, ${notes.join(", ")}`;
      return `Stack ${step.stack} declares ${addressOf(declaration)}: ${identityOf(declaration).trim()} (${expectedOf(declaration)})${note}.`;
    }
    case "drop":
      return `The code drops ${step.name}.`;
    case "empty":
      return `${step.name} gets a count of 0.`;
    case "release":
      return `${step.name} is dropped, with a removed block.`;
    case "content":
      return `The code changes what ${step.name} declares (content ${step.content}).`;
    case "retarget":
      return `${step.name} declares another object (key ${step.key}).`;
    case "rename":
      return `${step.name} is called ${step.to}${step.hasBlock ? ", with a moved block" : ""}.`;
    case "restack":
      return `${step.name} moves to stack ${step.stack}.`;
    case "respell":
      return `${step.name} names its project by ${step.spelling === "id" ? "number" : "path"}.`;
    case "reconfigure":
      return `${step.name} changes the configuration of its provider.`;
    case "protect":
      return `${step.name} gains or loses prevent_destroy.`;
    case "import":
      return `The code imports ${step.name}.`;
    case "whole":
      return `Stack ${step.stack} declares the entries of ${step.at} as one whole list${through(step.second)}.`;
    case "single":
      return `Stack ${step.stack} declares the whole list of ${step.at} as single entries${through(step.second)}.`;
  }
}

const through = (second: boolean | undefined): string => (second ? ", through the second configuration" : "");

const tellHand = ({ hand, thing }: Hand): string => `${hand}s ${identityOf(thing).trim()} by hand`;

function tellRun(run: Run): string {
  const of = "stacks" in run && run.stacks !== undefined ? ` of ${run.stacks.join(", ")}` : "";
  const replaced = run.replaces === undefined ? "" : ` that replaces ${run.replaces.join(", ")}`;
  const what = `${run.do}${run.importExisting ? " with what exists" : ""}${replaced}${of}`;
  const between = "from" in run ? ` from ${run.from} to ${run.to}` : "";
  const name = `${"name" in run ? ` ${run.name}` : ""}${between}`;
  const events = [
    ...(run.network ?? []).map(tellRequestFault),
    ...(run.disk ?? []).map(tellDiskFault),
    ...(run.meanwhile ?? []).map((hand) => `after request ${hand.after} somebody ${tellHand(hand)}`),
    ...(run.crash === undefined ? [] : [tellCrash(run.crash)]),
  ];
  return events.length === 0 ? `${what}${name}` : `${what}${name}: ${events.join("; ")}`;
}

function tellCrash({ power, at, afterWrite }: Crash): string {
  const what = power ? "the power fails" : "killed";
  return at === undefined ? `${what} once the service has done write ${afterWrite}` : `${what} at call ${at}`;
}

const tellRequestFault = ({ on, nth, times = 1, fault }: NetworkFault): string =>
  `${on === "any" ? "request" : on} ${times === 1 ? nth : `${nth} to ${nth + times - 1}`}: ${fault}`;

const tellDiskFault = ({ write, times = 1, fault }: DiskFault): string =>
  `${fault === "full" ? "no space" : "an I/O error"} at write ${write}${times === 1 ? "" : " and after"}`;
