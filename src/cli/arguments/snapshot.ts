import { fail } from "../../diagnostics";
import { type CommandLine, defineView, readView, type ViewArguments } from "./command-line";
import { defineRequests, type RequestArguments, readRequests } from "./requests";
import { defineSelection, readSelection, type SelectionArguments } from "./selection";
import { failConflict } from "./stack-options";

export interface SnapshotArguments extends ViewArguments, SelectionArguments, RequestArguments {
  /** The file to write; undefined for stdout. */
  readonly file: string | undefined;
  readonly anonymize: boolean;
  /** Replaces a file that is not a snapshot, and an earlier snapshot by an incomplete one. */
  readonly force: boolean;
}

export const snapshotLine: CommandLine<SnapshotArguments> = {
  name: "snapshot",
  summary: "write live settings as a fixture of the embedded service",
  description:
    "Reads the live settings of projects and groups, and writes them as a fixture: `steward serve --fixture FILE` serves a copy, on which a plan shows what it shows on the live service. A group includes the projects in it. What the settings refer to outside the selection, such as targets of allowlists, is in the fixture by name. Writes nothing to the service; a read-only token is enough. A snapshot holds no tokens; what else it lacks stands in its first lines.",
  examples: [
    ["steward snapshot acme --out fixture.yaml", "the group acme and its projects"],
    ["steward serve --fixture fixture.yaml --admin-token-file token", "serve the copy"],
    [
      "steward snapshot acme --include-subgroups --anonymize --out report.yaml",
      "invented names, to show to others",
    ],
    ["steward snapshot --all --topic payments --out fixture.yaml", "all your projects with a topic"],
    ["steward snapshot acme/web --out -", "one project, to stdout"],
  ],
  define(command) {
    command.argument("[name...]", "projects and groups, by numeric id or full path");
    defineSelection(command)
      .option("--out <file>", "file to write; - is stdout")
      .option(
        "--anonymize",
        "replace names of people, projects and groups, addresses, descriptions and domains by invented ones; the same name always becomes the same invented one",
      )
      .option(
        "--force",
        "replace a file that is not a snapshot, or an earlier snapshot by an incomplete one",
      );
    defineRequests(command);
    defineView(command);
  },
  read(options, names) {
    const { out } = options as { readonly out?: string };
    if (out === undefined) {
      return fail({
        code: "invalid_arguments",
        summary: "Missing option",
        detail: "Give the file to write with --out FILE, or write to stdout with --out -.",
      });
    }
    const view = readView(options);
    if (out === "-" && view.json) failConflict("--json", "--out -");
    return {
      ...view,
      ...readSelection(options, names),
      file: out === "-" ? undefined : out,
      anonymize: options["anonymize"] === true,
      force: options["force"] === true,
      ...readRequests(options),
    };
  },
};
