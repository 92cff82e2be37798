import type { CommandLine } from "./command-line";
import { defineRequestPace, type RequestArguments, readRequests } from "./requests";

export interface ExecArguments extends Pick<RequestArguments, "maxRequestsPerMinute"> {
  readonly program: string;
  readonly args: readonly string[];
}

export const execLine: CommandLine<ExecArguments> = {
  name: "exec",
  summary: "run Terraform or OpenTofu with a provider served by this process",
  description:
    "Runs a program, such as Terraform, OpenTofu or cdktf, and serves the provider to it from " +
    "this process: it needs no mirror, and no `init` for this provider. Arguments, input, " +
    "output and exit code are those of the program; if a signal ended it, the exit code is " +
    "128 plus the signal number. The token of STEWARD_TOKEN or STEWARD_TOKEN_FILE stays in " +
    "this process: the program does not get it.",
  examples: [
    ["steward exec -- terraform plan", "plan with Terraform, in the folder of its configuration"],
    ["steward exec -- tofu apply -auto-approve", "apply with OpenTofu"],
    ["steward exec -- cdktf deploy web --skip-provider-lock", "deploy a stack with the cdktf CLI"],
  ],
  define: (command) =>
    void defineRequestPace(command)
      .usage("[options] -- PROGRAM ARGUMENTS...")
      .argument("<program>", "the program to run, searched for in PATH")
      .argument("[arguments...]", "arguments for the program, passed unchanged")
      // Options after the program belong to the program.
      .passThroughOptions(),
  read: (options, [program, ...args]) => {
    const { maxRequestsPerMinute } = readRequests(options);
    return { program: program!, args, maxRequestsPerMinute };
  },
};
