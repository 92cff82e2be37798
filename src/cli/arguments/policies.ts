import { type Command, Option, type OptionValues } from "commander";
import { failRequires } from "./selection";
import { repeated } from "./stack-options";

/** The rules that a plan is checked against, and what is accepted against them. */
export interface PolicyArguments {
  /** Modules that export rules, in addition to those that cdktf.json names. */
  readonly policies: readonly string[];
  /** Files of waivers. */
  readonly waivers: readonly string[];
  /** One rule that is waived for this run. */
  readonly waive: { readonly rule: string; readonly reason: string } | undefined;
}

export const definePolicies = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--policy <module>",
        "check the plan against the rules that this module exports, in addition to `policy` of cdktf.json; may be given more than once",
      ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
    )
    .addOption(waiversOption())
    .option("--waive <rule>", "accept what this rule finds, for this run alone; needs --reason")
    .option("--reason <text>", "with --waive: why, for the reports");

export const waiversOption = (): Option =>
  repeated(
    "--waivers",
    "file",
    "accept what the waivers of this YAML file name, each until a day; may be given more than once",
    "one at a time",
  );

export function readPolicies(options: OptionValues): PolicyArguments {
  const { waive: rule, reason } = options as Record<string, string | undefined>;
  if (rule !== undefined && (reason ?? "").trim() === "") failRequires("--waive", "--reason TEXT");
  if (rule === undefined && reason !== undefined) failRequires("--reason", "--waive");
  return {
    policies: options["policy"] ?? [],
    waivers: options["waivers"] ?? [],
    waive: rule === undefined ? undefined : { rule, reason: reason! },
  };
}
