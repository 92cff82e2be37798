import { type Command, Option, type OptionValues } from "commander";
import { fail } from "../../diagnostics";
import { type CommandLine, defineView, readView, type ViewArguments } from "./command-line";
import { defineSelection, failRequires, readSelection, type SelectionArguments } from "./selection";
import { defineRequests, failConflict, type RequestArguments, readRequests } from "./stack-options";

const ADOPT_FORMATS = ["ts", "hcl", "json"] as const;

export interface AdoptArguments extends ViewArguments, SelectionArguments, RequestArguments {
  /** The folder of a new app or configuration; or the file of an app to add to. */
  readonly target: string;
  /** Whether the target is a file of an app. */
  readonly isInto: boolean;
  /** The stack to add to, where the file has several. */
  readonly stack: string | undefined;
  readonly format: (typeof ADOPT_FORMATS)[number];
  readonly includeEmails: boolean;
  /** Also declares settings that are at the service's default. */
  readonly allSettings: boolean;
  /** The project on the platform that keeps the states of a new app; undefined for files beside it. */
  readonly backend: string | undefined;
}

/** Where a new app keeps its states. */
export const defineBackend = (command: Command): Command =>
  command.option(
    "--backend <project>",
    "the project on the platform that keeps the states of the app, by its number or path (default: files beside the app)",
  );

export const readBackend = (options: OptionValues): string | undefined => options["backend"];

export const adoptLine: CommandLine<AdoptArguments> = {
  name: "adopt",
  summary: "write an app that declares what is live",
  description:
    "Reads the live settings of projects and groups, and writes an app that declares them, with imports of the live objects: the first plan shows imports and nothing else. A group includes its own invitations and the projects in it. Writes nothing to the service and no state; a read-only token is enough. Settings at the service's default are left out, and archived projects are skipped. Run again into the same folder, it updates the files that were not edited since; --into adds to an app that was edited, or that you wrote.",
  examples: [
    ["steward adopt acme --out infra", "an app for the group acme and its projects"],
    ["steward adopt acme/web acme/api --out infra", "an app for two projects"],
    ["steward adopt acme --include-subgroups --out infra", "the projects of subgroups too"],
    ["steward adopt --all --topic payments --out infra", "all your projects with a topic"],
    ["steward adopt acme --out infra --format hcl", "a configuration for Terraform or OpenTofu"],
    ["steward adopt acme --into infra/main.ts", "add what the app does not declare yet to its stack"],
  ],
  define(command) {
    command.argument("[name...]", "projects and groups, by numeric id or full path");
    defineSelection(command)
      .option("--out <dir>", "folder to write the app to; new, empty, or of an earlier adoption")
      .option(
        "--into <file>",
        "instead: file of an app that declares its stack; what the app does not declare is added there, with imports",
      )
      .option("--stack <name>", "with --into: the stack to add to, where the file has several")
      .addOption(
        new Option("--format <format>", "TypeScript, or Terraform's HCL or JSON syntax")
          .choices(ADOPT_FORMATS)
          .default("ts"),
      )
      .option(
        "--include-emails",
        "write e-mail addresses into the code (default: into emails.auto.tfvars.json, which git ignores)",
      )
      .option("--all-settings", "also declare settings that are at the service's default");
    defineBackend(command);
    defineRequests(command);
    defineView(command);
  },
  read(options, names) {
    const { out, into, format } = options as {
      readonly out?: string;
      readonly into?: string;
      readonly format: AdoptArguments["format"];
    };
    const target = out ?? into;
    if (target === undefined) {
      return fail({
        code: "invalid_arguments",
        summary: "Missing option",
        detail:
          "Give the folder to write to with --out DIR, or the file of an app to add to with --into FILE.",
      });
    }
    if (out !== undefined && into !== undefined) failConflict("--out", "--into");
    if (into !== undefined && format !== "ts") failConflict("--into", `--format ${format}`);
    const stack: string | undefined = options["stack"];
    if (stack !== undefined && into === undefined) failRequires("--stack", "--into");
    const backend = readBackend(options);
    if (backend !== undefined && into !== undefined) failConflict("--backend", "--into");
    if (backend !== undefined && format !== "ts") failConflict("--backend", `--format ${format}`);
    return {
      ...readView(options),
      ...readSelection(options, names),
      target,
      isInto: into !== undefined,
      stack,
      format,
      includeEmails: options["includeEmails"] === true,
      allSettings: options["allSettings"] === true,
      backend,
      ...readRequests(options),
    };
  },
};
