import { type ArgumentsOf, commandLine } from "./command-line";
import { oneEach, option, reworded } from "./option";
import { REFRESH, RUN, SOURCE, STATE } from "./stack-options";

/** The location of the state, for commands with positional arguments. */
export const STATE_LOCATION = oneEach({ ...SOURCE, ...STATE });

export const showLine = commandLine({
  name: "show",
  summary: "show the state, or a saved plan",
  description:
    "Shows a state file, the states of the app's stacks, or a saved plan. With --json, in the format of `terraform show -json`: a state includes its sensitive values, a plan does not.",
  examples: {
    "steward show": "show the state of the app's stacks",
    "steward show --json plan.steward": "show a saved plan as JSON, for conftest and other policy tools",
    "steward show --json terraform.tfstate": "show one state file as JSON; needs no configuration",
  },
  options: reworded(STATE_LOCATION, { json: "print JSON, in the format of `terraform show -json`" }),
  operands: { file: option("[file]: a saved plan, or a state file", { excludes: ["--state"] }) },
  read: (given) => ({ ...given, state: given.file ?? given.state }),
});
export type ShowArguments = ArgumentsOf<typeof showLine>;

export const outputLine = commandLine({
  name: "output",
  summary: "show the outputs in the state",
  description: "Shows all outputs of the last apply, or one of them.",
  examples: {
    "steward output": "all outputs, sensitive ones hidden",
    "steward output url --raw": "one raw value, for a script",
    "steward output --json --state terraform.tfstate": "all of them as JSON; needs no configuration",
  },
  options: {
    ...reworded(STATE_LOCATION, {
      json: "print the outputs as JSON, in the format of `terraform output -json`",
    }),
    raw: option("--raw: write the bare text of one output", { excludes: ["--json"] }),
  },
  operands: { name: option("[name]: an output") },
});

export const explainLine = commandLine({
  name: "explain",
  summary: "show where each setting of a project comes from",
  description:
    "Shows every setting that the app declares for a project: its value, the layer of the fleet or the declaration that it comes from, with file and line, what that overrides, and the live value where it differs. Plans the stacks; takes no lock and changes nothing.",
  examples: {
    "steward explain acme/web-shop": "why the project has its settings",
    "steward explain acme/web-shop --json": "the same as one JSON object",
  },
  options: oneEach(reworded({ ...RUN, ...REFRESH }, { json: "print the settings as one JSON object" })),
  operands: { project: option("<project>: the project, by its full path or its numeric id") },
  read: (given) => ({ ...given, lock: true }),
});
