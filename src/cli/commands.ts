import type { Command } from "commander";
import { adoptLine } from "./arguments/adopt";
import { applyLine, destroyLine } from "./arguments/apply";
import { ciApplyLine, ciCommentLine, ciIssuesLine } from "./arguments/ci";
import type { CommandLine } from "./arguments/command-line";
import { completionLine } from "./arguments/completion";
import { driftLine } from "./arguments/drift";
import { execLine } from "./arguments/exec";
import { explainLine } from "./arguments/explain";
import { historyLine } from "./arguments/history";
import { importLine } from "./arguments/import";
import { initLine } from "./arguments/init";
import { mirrorLine } from "./arguments/mirror";
import { outputLine } from "./arguments/output";
import { planLine } from "./arguments/plan";
import { reportLine } from "./arguments/report";
import { reportMergeLine } from "./arguments/report-merge";
import { schemaLine } from "./arguments/schema";
import { serveLine } from "./arguments/serve";
import { showLine } from "./arguments/show";
import { snapshotLine } from "./arguments/snapshot";
import * as state from "./arguments/state";
import { synthLine } from "./arguments/synth";
import { validateLine } from "./arguments/validate";
import { versionLine } from "./arguments/version";
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
  register(synthLine, () => (require("./commands/synth") as typeof import("./commands/synth")).synth),
  register(
    validateLine,
    () => (require("./commands/validate") as typeof import("./commands/validate")).validate,
  ),
  register(planLine, () => (require("./commands/plan") as typeof import("./commands/plan")).plan),
  register(applyLine, loadApply),
  register(destroyLine, loadApply),
  register(driftLine, () => (require("./commands/drift") as typeof import("./commands/drift")).drift),
  register(explainLine, () => (require("./commands/explain") as typeof import("./commands/explain")).explain),
  register(historyLine, () => (require("./commands/history") as typeof import("./commands/history")).history),
  register(importLine, () => (require("./commands/import") as typeof import("./commands/import")).importInto),
  register(adoptLine, () => (require("./commands/adopt") as typeof import("./commands/adopt")).adopt),
  register(showLine, () => (require("./commands/show") as typeof import("./commands/show")).show),
  register(outputLine, () => (require("./commands/output") as typeof import("./commands/output")).output),
  register(
    state.listLine,
    () => (require("./commands/state/list") as typeof import("./commands/state/list")).listState,
  ),
  register(
    state.showLine,
    () => (require("./commands/state/show") as typeof import("./commands/state/show")).showState,
  ),
  register(
    state.removeLine,
    () => (require("./commands/state/remove") as typeof import("./commands/state/remove")).removeState,
  ),
  register(
    state.moveLine,
    () => (require("./commands/state/move") as typeof import("./commands/state/move")).moveState,
  ),
  register(
    state.pullLine,
    () => (require("./commands/state/pull") as typeof import("./commands/state/pull")).pullState,
  ),
  register(
    state.pushLine,
    () => (require("./commands/state/push") as typeof import("./commands/state/push")).pushIntoState,
  ),
  register(
    state.migrateLine,
    () => (require("./commands/state/migrate") as typeof import("./commands/state/migrate")).migrate,
  ),
  register(
    state.replaceProviderLine,
    () =>
      (require("./commands/state/replace-provider") as typeof import("./commands/state/replace-provider"))
        .replaceProviderInState,
  ),
  register(
    state.unlockLine,
    () => (require("./commands/state/unlock") as typeof import("./commands/state/unlock")).unlockState,
  ),
  register(reportLine, () => (require("./commands/report") as typeof import("./commands/report")).report),
  register(
    reportMergeLine,
    () => (require("./commands/report-merge") as typeof import("./commands/report-merge")).mergeIntoReport,
  ),
  register(
    ciCommentLine,
    () => (require("./commands/ci/comment") as typeof import("./commands/ci/comment")).comment,
  ),
  register(
    ciIssuesLine,
    () => (require("./commands/ci/issues") as typeof import("./commands/ci/issues")).issues,
  ),
  register(
    ciApplyLine,
    () => (require("./commands/ci/apply") as typeof import("./commands/ci/apply")).ciApply,
  ),
  register(schemaLine, () => (require("./commands/schema") as typeof import("./commands/schema")).schema),
  register(
    snapshotLine,
    () => (require("./commands/snapshot") as typeof import("./commands/snapshot")).snapshot,
  ),
  register(serveLine, () => (require("./commands/serve") as typeof import("./commands/serve")).serve),
  register(execLine, () => (require("./commands/exec") as typeof import("./commands/exec")).exec),
  register(mirrorLine, () => (require("./commands/mirror") as typeof import("./commands/mirror")).mirror),
  register(versionLine, () => (require("./commands/version") as typeof import("./commands/version")).version),
  register(
    completionLine,
    () => (require("./commands/completion") as typeof import("./commands/completion")).completion,
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
