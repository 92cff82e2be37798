import { type Given, option, repeatable } from "./option";

/** Files of waivers. */
export const WAIVERS = {
  waivers: repeatable(
    "--waivers <file>",
    "accept what the waivers of this YAML file name, each until a day; may be given more than once",
  ),
};

/** The rules that a plan is checked against, and what is accepted against them. */
export const POLICIES = {
  /** Modules that export rules, in addition to those that cdktf.json names. */
  policies: repeatable(
    "--policy <module>",
    "check the plan against the rules that this module exports, in addition to `policy` of cdktf.json; may be given more than once",
  ),
  ...WAIVERS,
  waive: option("--waive <rule>", "accept what this rule finds, for this run alone; needs --reason", {
    requires: "--reason TEXT",
  }),
  reason: option("--reason <text>", "with --waive: why, for the reports", { requires: "--waive" }),
};
export type PolicyArguments = Given<typeof POLICIES>;
