import { type Command, Option, type OptionValues } from "commander";

/** The rules that a plan is checked against. */
export interface PolicyArguments {
  /** Modules that export rules, in addition to those that cdktf.json names. */
  readonly policies: readonly string[];
}

export const definePolicies = (command: Command): Command =>
  command.addOption(
    new Option(
      "--policy <module>",
      "check the plan against the rules that this module exports, in addition to `policy` of cdktf.json; may be given more than once",
    ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
  );

export const readPolicies = (options: OptionValues): PolicyArguments => ({
  policies: options["policy"] ?? [],
});
