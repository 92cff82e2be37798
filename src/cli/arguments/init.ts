import type { ContainerSelection } from "../../engine";
import { defineBackend, readBackend } from "./adopt";
import { type CommandLine, defineView, readView, type ViewArguments } from "./command-line";
import { failRequires } from "./selection";

export interface InitArguments extends ViewArguments {
  /** The folder of the new app. */
  readonly folder: string;
  /** The live projects and groups to adopt; undefined for a sample app. */
  readonly from: ContainerSelection | undefined;
  readonly includeEmails: boolean;
  /** Also declares settings that are at the service's default. */
  readonly allSettings: boolean;
  /** The project on the platform that keeps the states; undefined for files beside the app. */
  readonly backend: string | undefined;
}

export const initLine: CommandLine<InitArguments> = {
  name: "init",
  summary: "create an app with a test and a pipeline",
  description:
    "Creates a folder with a typed app, its `cdktf.json`, a test, a pipeline, and a fixture to try it on with `steward serve`. Without --from it is a sample for a small company. With --from it declares the live settings of projects and groups, as `steward adopt` writes them, and the fixture is a snapshot of them. Never overwrites a file.",
  examples: [
    ["steward init settings", "a sample app, which plans at once against `npm run serve`"],
    ["steward init settings --from acme", "an app for the group acme and its projects"],
    ["steward init settings --from acme/web acme/api", "an app for two projects"],
    ["npx cdktf-provider-steward init settings", "before the package is installed"],
  ],
  define: (command) =>
    void defineView(
      defineBackend(command)
        .argument("<dir>", "folder to create; with --from new or empty")
        .option("--from <name...>", "adopt these projects and groups, by numeric id or full path")
        .option("--include-subgroups", "with --from: also the subgroups of a group, and the projects in them")
        .option(
          "--include-emails",
          "with --from: write e-mail addresses into the code (default: into emails.auto.tfvars.json, which git ignores)",
        )
        .option("--all-settings", "with --from: also declare settings that are at the service's default"),
    ),
  read(options, [folder]) {
    const { from: names } = options as { readonly from?: readonly string[] };
    const isNested = options["includeSubgroups"] === true;
    const includeEmails = options["includeEmails"] === true;
    if (names === undefined && isNested) failRequires("--include-subgroups", "--from");
    const allSettings = options["allSettings"] === true;
    if (names === undefined && includeEmails) failRequires("--include-emails", "--from");
    if (names === undefined && allSettings) failRequires("--all-settings", "--from");
    return {
      ...readView(options),
      folder: folder!,
      from: names && { names, contents: isNested ? "nested" : "direct" },
      includeEmails,
      allSettings,
      backend: readBackend(options),
    };
  },
};
