import type { CommandLine } from "./command-line";

export interface ExecArguments {
  readonly program: string;
  readonly words: readonly string[];
}

export const execLine: CommandLine<ExecArguments> = {
  name: "exec",
  summary: "run Terraform or OpenTofu with the provider of this process",
  description:
    "Runs a program, such as Terraform, OpenTofu or cdktf, and serves the provider to it from this process: it needs no mirror, and no `init` for this provider. Arguments, input, output and exit code are the program's own; of a program that a signal ended the exit code is 128 and the signal's number. The token of STEWARD_TOKEN or STEWARD_TOKEN_FILE stays in this process: the program does not get it.",
  examples: [
    ["steward exec -- terraform plan", "plan with Terraform, in the folder of its configuration"],
    ["steward exec -- tofu apply -auto-approve", "apply with OpenTofu"],
    ["steward exec -- cdktf deploy web --skip-provider-lock", "deploy a stack with the cdktf CLI"],
  ],
  define: (command) =>
    void command
      .usage("-- PROGRAM ARGUMENTS...")
      .argument("<program>", "the program, found by PATH")
      .argument("[arguments...]", "its arguments, passed on as they are")
      // An option behind the program is the program's.
      .passThroughOptions(),
  read: (_, [program, ...words]) => ({ program: program!, words }),
};
