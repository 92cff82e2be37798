import { type ArgumentsOf, commandLine } from "./command-line";
import { invalid, oneOf, option, withDefault } from "./option";
import { NAMES, readSelection, SELECTION } from "./selection";
import { REQUESTS, VIEW } from "./stack-options";

const OTHER_FORMATS = ["--format hcl", "--format json"];

/** The project on the platform that keeps the states of a new app; undefined for files beside it. */
export const BACKEND = {
  backend: option(
    "--backend <project>",
    "the project on the platform that keeps the states of the app, by its number or path (default: files beside the app)",
    { excludes: ["--into", ...OTHER_FORMATS] },
  ),
};

export const adoptLine = commandLine(
  {
    name: "adopt",
    summary: "write an app that declares what is live",
    description:
      "Reads the live settings of projects and groups, and writes an app that declares them, with imports of the live objects: the first plan shows imports and nothing else. A group includes its own invitations and the projects in it. Writes nothing to the service and no state; a read-only token is enough. Settings at the service's default are left out, and archived projects are skipped. Run again into the same folder, it updates the files that were not edited since; --into adds to an app that was edited, or that you wrote.",
    examples: {
      "steward adopt acme --out infra": "an app for the group acme and its projects",
      "steward adopt acme/web acme/api --out infra": "an app for two projects",
      "steward adopt acme --include-subgroups --out infra": "the projects of subgroups too",
      "steward adopt --all --topic payments --out infra": "all your projects with a topic",
      "steward adopt acme --out infra --format hcl": "a configuration for Terraform or OpenTofu",
      "steward adopt acme --into infra/main.ts": "add what the app does not declare yet to its stack",
    },
    options: {
      ...SELECTION,
      out: option("--out <dir>", "folder to write the app to; new, empty, or of an earlier adoption", {
        excludes: ["--into"],
      }),
      into: option(
        "--into <file>",
        "instead: file of an app that declares its stack; what the app does not declare is added there, with imports",
        { excludes: OTHER_FORMATS },
      ),
      stack: option("--stack <name>", "with --into: the stack to add to, where the file has several", {
        requires: "--into",
      }),
      format: withDefault(
        oneOf("--format <format>", "TypeScript, or Terraform's HCL or JSON syntax", ["ts", "hcl", "json"]),
        "ts",
      ),
      includeEmails: option(
        "--include-emails",
        "write e-mail addresses into the code (default: into emails.auto.tfvars.json, which git ignores)",
      ),
      allSettings: option("--all-settings", "also declare settings that are at the service's default"),
      ...BACKEND,
      ...REQUESTS,
      ...VIEW,
    },
    operands: NAMES,
  },
  ({ out, into, ...given }) => ({
    ...given,
    /** The folder of a new app or configuration; or the file of an app to add to. */
    target: out ?? into ?? missingTarget(),
    isInto: into !== undefined,
    selection: readSelection(given),
  }),
);
export type AdoptArguments = Omit<ArgumentsOf<typeof adoptLine>, keyof typeof SELECTION | "names">;

const missingTarget = (): never =>
  invalid(
    "Missing option",
    "Give the folder to write to with --out DIR, or the file of an app to add to with --into FILE.",
  );
