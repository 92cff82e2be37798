import { adoptLine, importLine, initLine, snapshotLine } from "./arguments/adopt";
import { ciApplyLine, ciCommentLine, ciIssuesLine, ciJudgeLine } from "./arguments/ci";
import type { CommandLine, Execute } from "./arguments/command-line";
import { driftLine } from "./arguments/drift";
import {
  completionLine,
  schemaLine,
  serveLine,
  synthLine,
  validateLine,
  versionLine,
} from "./arguments/offline";
import { applyLine, destroyLine, planLine } from "./arguments/plan";
import { historyLine, reportLine, reportMergeLine, withReports } from "./arguments/reports";
import * as state from "./arguments/states";
import { execLine, mirrorLine } from "./arguments/terraform";
import { FORMATS } from "./reports/report-formats";

/** The command line of a command, and a function that loads the command's implementation when the command runs. */
interface RegisteredCommand {
  readonly line: CommandLine<unknown>;
  readonly load: () => Execute<never>;
}

const register = <N extends string, A>(
  line: CommandLine<A>,
  load: () => Readonly<Record<N, Execute<A>>>,
  name: N,
): RegisteredCommand => ({ line, load: () => load()[name] });

const reporting = <A>(line: CommandLine<A>) => withReports(line, FORMATS);

/** The functions that load the modules with commands. Each module is loaded only when one of its commands runs. */
const load = {
  offline: () => require("./commands/offline") as typeof import("./commands/offline"),
  plan: () => require("./commands/plan") as typeof import("./commands/plan"),
  apply: () => require("./commands/apply") as typeof import("./commands/apply"),
  drift: () => require("./commands/drift") as typeof import("./commands/drift"),
  show: () => require("./commands/show") as typeof import("./commands/show"),
  report: () => require("./commands/report") as typeof import("./commands/report"),
  import: () => require("./commands/import") as typeof import("./commands/import"),
  adopt: () => require("./commands/adopt") as typeof import("./commands/adopt"),
  state: () => require("./commands/state") as typeof import("./commands/state"),
  stateEdits: () => require("./commands/state-edits") as typeof import("./commands/state-edits"),
  ci: () => require("./commands/ci") as typeof import("./commands/ci"),
  ciJudge: () => require("./commands/ci-judge") as typeof import("./commands/ci-judge"),
  ciApply: () => require("./commands/ci-apply") as typeof import("./commands/ci-apply"),
  snapshot: () => require("./commands/snapshot") as typeof import("./commands/snapshot"),
  serve: () => require("./commands/serve") as typeof import("./commands/serve"),
  terraform: () => require("./commands/terraform") as typeof import("./commands/terraform"),
  about: () => require("./commands/about") as typeof import("./commands/about"),
};

/** The summary of each command group, such as `state`. The key is the first word of the group's commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  state: "inspect and edit the state",
  ci: "work with merge requests and issues of the platform",
};

/** All commands, in the order of the help. */
export const COMMANDS: readonly RegisteredCommand[] = [
  register(initLine, load.adopt, "init"),
  register(synthLine, load.offline, "synth"),
  register(validateLine, load.offline, "validate"),
  register(reporting(planLine), load.plan, "plan"),
  register(reporting(applyLine), load.apply, "apply"),
  register(reporting(destroyLine), load.apply, "apply"),
  register(reporting(driftLine), load.drift, "drift"),
  register(state.explainLine, load.show, "explain"),
  register(historyLine, load.report, "history"),
  register(importLine, load.import, "importInto"),
  register(adoptLine, load.adopt, "adopt"),
  register(state.showLine, load.show, "show"),
  register(state.outputLine, load.show, "output"),
  register(state.listLine, load.state, "listState"),
  register(state.showStateLine, load.show, "showState"),
  register(state.removeLine, load.stateEdits, "removeState"),
  register(state.moveLine, load.stateEdits, "moveState"),
  register(state.pullLine, load.state, "pullState"),
  register(state.pushLine, load.stateEdits, "pushIntoState"),
  register(state.migrateLine, load.stateEdits, "migrate"),
  register(state.replaceProviderLine, load.stateEdits, "replaceProviderInState"),
  register(state.unlockLine, load.stateEdits, "unlockState"),
  register(reporting(reportLine), load.report, "report"),
  register(reporting(reportMergeLine), load.report, "mergeIntoReport"),
  register(ciCommentLine, load.ci, "comment"),
  register(ciJudgeLine, load.ciJudge, "judge"),
  register(ciIssuesLine, load.ci, "issues"),
  register(reporting(ciApplyLine), load.ciApply, "ciApply"),
  register(schemaLine, load.offline, "schema"),
  register(snapshotLine, load.snapshot, "snapshot"),
  register(serveLine, load.serve, "serve"),
  register(execLine, load.terraform, "exec"),
  register(mirrorLine, load.terraform, "mirror"),
  register(versionLine, load.about, "version"),
  register(completionLine, load.about, "completion"),
];

/** The keys are the sections of the help. The values are the first words of the commands in a section, separated by spaces. */
const WORDS: Readonly<Record<string, string>> = {
  "Main commands:": "init synth validate plan apply destroy",
  "Drift and reports:": "drift history report explain",
  "Import existing settings:": "adopt import snapshot",
  "State and saved plans:": "show output state",
  "Merge requests and issues:": "ci",
  "Terraform and OpenTofu:": "exec mirror schema",
  "Tools:": "serve version completion",
};

/** The keys are the first words of commands. The values are the sections of the help that list these commands. */
export const SECTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WORDS).flatMap(([section, words]) => words.split(" ").map((word) => [word, section])),
);
