import type { ContainerSelection } from "../../engine";
import { BACKEND } from "./adopt";
import { type ArgumentsOf, commandLine } from "./command-line";
import { option } from "./option";
import { VIEW } from "./stack-options";

const OF_LIVE_SETTINGS = { requires: "--from" };

export const initLine = commandLine(
  {
    name: "init",
    summary: "create an app with a test and a pipeline",
    description:
      "Creates a folder with a typed app, its `cdktf.json`, a test, a pipeline, and a fixture to try it on with `steward serve`. Without --from it is a sample for a small company. With --from it declares the live settings of projects and groups, as `steward adopt` writes them, and the fixture is a snapshot of them. Never overwrites a file.",
    examples: {
      "steward init settings": "a sample app, which plans at once against `npm run serve`",
      "steward init settings --from acme": "an app for the group acme and its projects",
      "steward init settings --from acme/web acme/api": "an app for two projects",
      "npx cdktf-provider-steward init settings": "before the package is installed",
    },
    options: {
      ...BACKEND,
      names: option("--from <name...>", "adopt these projects and groups, by numeric id or full path"),
      includeSubgroups: option(
        "--include-subgroups",
        "with --from: also the subgroups of a group, and the projects in them",
        OF_LIVE_SETTINGS,
      ),
      includeEmails: option(
        "--include-emails",
        "with --from: write e-mail addresses into the code (default: into emails.auto.tfvars.json, which git ignores)",
        OF_LIVE_SETTINGS,
      ),
      allSettings: option(
        "--all-settings",
        "with --from: also declare settings that are at the service's default",
        OF_LIVE_SETTINGS,
      ),
      ...VIEW,
    },
    operands: { folder: option("<dir>", "folder to create; with --from new or empty") },
  },
  ({ names, includeSubgroups, ...given }) => ({ ...given, from: selectionOf(names, includeSubgroups) }),
);
export type InitArguments = ArgumentsOf<typeof initLine>;

/** The live projects and groups to adopt; undefined for a sample app. */
const selectionOf = (names: readonly string[], isNested: boolean): ContainerSelection | undefined =>
  names.length === 0 ? undefined : { names, contents: isNested ? "nested" : "direct" };
