import type { Command } from "commander";
import { completionLine, schemaLine, versionLine } from "./arguments/about";
import { adoptLine } from "./arguments/adopt";
import { applyLine, destroyLine } from "./arguments/apply";
import { ciApplyLine, ciCommentLine, ciIssuesLine } from "./arguments/ci";
import type { CommandLine } from "./arguments/command-line";
import { driftLine } from "./arguments/drift";
import { importLine } from "./arguments/import";
import { initLine } from "./arguments/init";
import { synthLine, validateLine } from "./arguments/offline";
import { planLine } from "./arguments/plan";
import { historyLine, reportLine, reportMergeLine } from "./arguments/report";
import { serveLine, snapshotLine } from "./arguments/service";
import { explainLine, outputLine, showLine } from "./arguments/show";
import * as state from "./arguments/state";
import { execLine, mirrorLine } from "./arguments/terraform";
import type { Terminal } from "./terminal/terminal";

/** Runs a command with its arguments and returns the exit code. `program` defines all commands. */
export type Execute<A> = (args: A, terminal: Terminal, program: Command) => Promise<number>;

/** A command line and its implementation, loaded on use. */
interface RegisteredCommand {
  readonly line: CommandLine<unknown>;
  readonly load: () => Execute<never>;
}

const register = <A>(line: CommandLine<A>, load: () => Execute<A>): RegisteredCommand => ({ line, load });

const loadApply = () => (require("./commands/apply") as typeof import("./commands/apply")).apply;

/** Summaries of the groups of two-word commands, by the first word. */
export const GROUPS: Readonly<Record<string, string>> = {
  state: "inspect and edit the state",
  ci: "work with merge requests and issues of the platform",
};

/** All commands, in the order of the help. */
export const COMMANDS: readonly RegisteredCommand[] = [
  register(initLine, () => (require("./commands/init") as typeof import("./commands/init")).init),
  register(synthLine, () => (require("./commands/offline") as typeof import("./commands/offline")).synth),
  register(
    validateLine,
    () => (require("./commands/offline") as typeof import("./commands/offline")).validate,
  ),
  register(planLine, () => (require("./commands/plan") as typeof import("./commands/plan")).plan),
  register(applyLine, loadApply),
  register(destroyLine, loadApply),
  register(driftLine, () => (require("./commands/drift") as typeof import("./commands/drift")).drift),
  register(explainLine, () => (require("./commands/show") as typeof import("./commands/show")).explain),
  register(historyLine, () => (require("./commands/report") as typeof import("./commands/report")).history),
  register(importLine, () => (require("./commands/import") as typeof import("./commands/import")).importInto),
  register(adoptLine, () => (require("./commands/adopt") as typeof import("./commands/adopt")).adopt),
  register(showLine, () => (require("./commands/show") as typeof import("./commands/show")).show),
  register(outputLine, () => (require("./commands/show") as typeof import("./commands/show")).output),
  register(
    state.listLine,
    () => (require("./commands/state") as typeof import("./commands/state")).listState,
  ),
  register(state.showLine, () => (require("./commands/show") as typeof import("./commands/show")).showState),
  register(
    state.removeLine,
    () => (require("./commands/state-edits") as typeof import("./commands/state-edits")).removeState,
  ),
  register(
    state.moveLine,
    () => (require("./commands/state-edits") as typeof import("./commands/state-edits")).moveState,
  ),
  register(
    state.pullLine,
    () => (require("./commands/state") as typeof import("./commands/state")).pullState,
  ),
  register(
    state.pushLine,
    () => (require("./commands/state-edits") as typeof import("./commands/state-edits")).pushIntoState,
  ),
  register(
    state.migrateLine,
    () => (require("./commands/state-edits") as typeof import("./commands/state-edits")).migrate,
  ),
  register(
    state.replaceProviderLine,
    () =>
      (require("./commands/state-edits") as typeof import("./commands/state-edits")).replaceProviderInState,
  ),
  register(
    state.unlockLine,
    () => (require("./commands/state-edits") as typeof import("./commands/state-edits")).unlockState,
  ),
  register(reportLine, () => (require("./commands/report") as typeof import("./commands/report")).report),
  register(
    reportMergeLine,
    () => (require("./commands/report") as typeof import("./commands/report")).mergeIntoReport,
  ),
  register(ciCommentLine, () => (require("./commands/ci") as typeof import("./commands/ci")).comment),
  register(ciIssuesLine, () => (require("./commands/ci") as typeof import("./commands/ci")).issues),
  register(ciApplyLine, () => (require("./commands/ci") as typeof import("./commands/ci")).ciApply),
  register(schemaLine, () => (require("./commands/schema") as typeof import("./commands/schema")).schema),
  register(
    snapshotLine,
    () => (require("./commands/snapshot") as typeof import("./commands/snapshot")).snapshot,
  ),
  register(serveLine, () => (require("./commands/serve") as typeof import("./commands/serve")).serve),
  register(execLine, () => (require("./commands/terraform") as typeof import("./commands/terraform")).exec),
  register(
    mirrorLine,
    () => (require("./commands/terraform") as typeof import("./commands/terraform")).mirror,
  ),
  register(versionLine, () => (require("./commands/about") as typeof import("./commands/about")).version),
  register(
    completionLine,
    () => (require("./commands/about") as typeof import("./commands/about")).completion,
  ),
];

/** The sections of the help, with the first words of their commands. */
const WORDS: Readonly<Record<string, string>> = {
  "From code to the service:": "init synth validate plan apply destroy explain",
  "Changes from elsewhere:": "drift history report",
  "Merge requests and issues:": "ci",
  "Live settings:": "adopt import snapshot",
  "State and plans:": "show output state",
  "Terraform and OpenTofu:": "exec mirror schema",
  "Tools:": "serve version completion",
};

/** The section of a command, by its first word. */
export const SECTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WORDS).flatMap(([section, words]) => words.split(" ").map((word) => [word, section])),
);
