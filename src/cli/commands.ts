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

function loadApply() {
  const { apply }: typeof import("./commands/apply") = require("./commands/apply");
  return apply;
}

/** Summaries of the groups of two-word commands, by the first word. */
export const GROUPS: Readonly<Record<string, string>> = {
  state: "inspect and edit the state",
  ci: "work with merge requests and issues of the platform",
};

/** All commands, in the order of the help. */
export const COMMANDS: readonly RegisteredCommand[] = [
  register(initLine, () => {
    const { init }: typeof import("./commands/init") = require("./commands/init");
    return init;
  }),
  register(synthLine, () => {
    const { synth }: typeof import("./commands/synth") = require("./commands/synth");
    return synth;
  }),
  register(validateLine, () => {
    const { validate }: typeof import("./commands/validate") = require("./commands/validate");
    return validate;
  }),
  register(planLine, () => {
    const { plan }: typeof import("./commands/plan") = require("./commands/plan");
    return plan;
  }),
  register(applyLine, loadApply),
  register(destroyLine, loadApply),
  register(driftLine, () => {
    const { drift }: typeof import("./commands/drift") = require("./commands/drift");
    return drift;
  }),
  register(explainLine, () => {
    const { explain }: typeof import("./commands/explain") = require("./commands/explain");
    return explain;
  }),
  register(historyLine, () => {
    const { history }: typeof import("./commands/history") = require("./commands/history");
    return history;
  }),
  register(importLine, () => {
    const { importInto }: typeof import("./commands/import") = require("./commands/import");
    return importInto;
  }),
  register(adoptLine, () => {
    const { adopt }: typeof import("./commands/adopt") = require("./commands/adopt");
    return adopt;
  }),
  register(showLine, () => {
    const { show }: typeof import("./commands/show") = require("./commands/show");
    return show;
  }),
  register(outputLine, () => {
    const { output }: typeof import("./commands/output") = require("./commands/output");
    return output;
  }),
  register(state.listLine, () => {
    const { listState }: typeof import("./commands/state/list") = require("./commands/state/list");
    return listState;
  }),
  register(state.showLine, () => {
    const { showState }: typeof import("./commands/state/show") = require("./commands/state/show");
    return showState;
  }),
  register(state.removeLine, () => {
    const { removeState }: typeof import("./commands/state/remove") = require("./commands/state/remove");
    return removeState;
  }),
  register(state.moveLine, () => {
    const { moveState }: typeof import("./commands/state/move") = require("./commands/state/move");
    return moveState;
  }),
  register(state.pullLine, () => {
    const { pullState }: typeof import("./commands/state/pull") = require("./commands/state/pull");
    return pullState;
  }),
  register(state.pushLine, () => {
    const { pushIntoState }: typeof import("./commands/state/push") = require("./commands/state/push");
    return pushIntoState;
  }),
  register(state.migrateLine, () => {
    const { migrate }: typeof import("./commands/state/migrate") = require("./commands/state/migrate");
    return migrate;
  }),
  register(state.replaceProviderLine, () => {
    const {
      replaceProviderInState,
    }: typeof import("./commands/state/replace-provider") = require("./commands/state/replace-provider");
    return replaceProviderInState;
  }),
  register(state.unlockLine, () => {
    const { unlockState }: typeof import("./commands/state/unlock") = require("./commands/state/unlock");
    return unlockState;
  }),
  register(reportLine, () => {
    const { report }: typeof import("./commands/report") = require("./commands/report");
    return report;
  }),
  register(reportMergeLine, () => {
    const { mergeIntoReport }: typeof import("./commands/report-merge") = require("./commands/report-merge");
    return mergeIntoReport;
  }),
  register(ciCommentLine, () => {
    const { comment }: typeof import("./commands/ci/comment") = require("./commands/ci/comment");
    return comment;
  }),
  register(ciIssuesLine, () => {
    const { issues }: typeof import("./commands/ci/issues") = require("./commands/ci/issues");
    return issues;
  }),
  register(ciApplyLine, () => {
    const { ciApply }: typeof import("./commands/ci/apply") = require("./commands/ci/apply");
    return ciApply;
  }),
  register(schemaLine, () => {
    const { schema }: typeof import("./commands/schema") = require("./commands/schema");
    return schema;
  }),
  register(snapshotLine, () => {
    const { snapshot }: typeof import("./commands/snapshot") = require("./commands/snapshot");
    return snapshot;
  }),
  register(serveLine, () => {
    const { serve }: typeof import("./commands/serve") = require("./commands/serve");
    return serve;
  }),
  register(execLine, () => {
    const { exec }: typeof import("./commands/exec") = require("./commands/exec");
    return exec;
  }),
  register(mirrorLine, () => {
    const { mirror }: typeof import("./commands/mirror") = require("./commands/mirror");
    return mirror;
  }),
  register(versionLine, () => {
    const { version }: typeof import("./commands/version") = require("./commands/version");
    return version;
  }),
  register(completionLine, () => {
    const { completion }: typeof import("./commands/completion") = require("./commands/completion");
    return completion;
  }),
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
