import { type CommandLine, reword } from "./command-line";
import {
  defineRefresh,
  defineRun,
  defineSource,
  defineState,
  failConflict,
  type RunArguments,
  readRun,
  readSource,
  readState,
  type SourceArguments,
  type StateArguments,
} from "./stack-options";

export interface ShowArguments extends SourceArguments, StateArguments {
  /** A saved plan or a state file. */
  readonly file: string | undefined;
}

export const showLine: CommandLine<ShowArguments> = {
  name: "show",
  summary: "show the state, or a saved plan",
  description:
    "Shows a state file, the states of the app's stacks, or a saved plan. With --json, in the format of `terraform show -json`: a state includes its sensitive values, a plan does not.",
  examples: [
    ["steward show", "show the state of the app's stacks"],
    ["steward show --json plan.steward", "show a saved plan as JSON, for conftest and other policy tools"],
    ["steward show --json terraform.tfstate", "show one state file as JSON; needs no configuration"],
  ],
  define: (command) =>
    void reword(defineState(defineSource(command, "one at a time")), {
      "--json": "print JSON, in the format of `terraform show -json`",
    }).argument("[file]", "a saved plan, or a state file"),
  read: (options, [file]) => {
    const { state } = readState(options);
    if (file !== undefined && state !== undefined) failConflict("FILE", "--state");
    return { ...readSource(options), state: file ?? state, file };
  },
};

export interface OutputArguments extends SourceArguments, StateArguments {
  /** All outputs if undefined. */
  readonly name: string | undefined;
  /** Writes the bare value, for scripts. */
  readonly raw: boolean;
}

export const outputLine: CommandLine<OutputArguments> = {
  name: "output",
  summary: "show the outputs in the state",
  description: "Shows all outputs of the last apply, or one of them.",
  examples: [
    ["steward output", "all outputs, sensitive ones hidden"],
    ["steward output url --raw", "one raw value, for a script"],
    ["steward output --json --state terraform.tfstate", "all of them as JSON; needs no configuration"],
  ],
  define: (command) =>
    void reword(defineState(defineSource(command, "one at a time")), {
      "--json": "print the outputs as JSON, in the format of `terraform output -json`",
    })
      .option("--raw", "write the bare text of one output")
      .argument("[name]", "an output"),
  read: (options, [name]) => {
    const raw = options["raw"] === true;
    if (raw && options["json"] === true) failConflict("--raw", "--json");
    return { ...readSource(options), ...readState(options), name, raw };
  },
};

export interface ExplainArguments extends RunArguments {
  /** By its full path or its numeric id. */
  readonly project: string;
}

export const explainLine: CommandLine<ExplainArguments> = {
  name: "explain",
  summary: "show where each setting of a project comes from",
  description:
    "Shows every setting that the app declares for a project: its value, the layer of the fleet or the declaration that it comes from, with file and line, what that overrides, and the live value where it differs. Plans the stacks; takes no lock and changes nothing.",
  examples: [
    ["steward explain acme/web-shop", "why the project has its settings"],
    ["steward explain acme/web-shop --json", "the same as one JSON object"],
  ],
  define: (command) =>
    void reword(defineRefresh(defineRun(command, "one at a time")), {
      "--json": "print the settings as one JSON object",
    }).argument("<project>", "the project, by its full path or its numeric id"),
  read: (options, [project]) => ({ ...readRun(options), project: project! }),
};
