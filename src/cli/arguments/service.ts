import { Option } from "commander";
import { fail } from "../../diagnostics";
import type { CompatMode } from "../../service";
import { type CommandLine, defineView, readView, type ViewArguments } from "./command-line";
import { defineSelection, readSelection, type SelectionArguments } from "./selection";
import { defineRequests, failConflict, type RequestArguments, readRequests } from "./stack-options";
import { parsePort } from "./values";

export interface ServeArguments {
  /** The SQLite file. Without it, the data is kept in memory. */
  readonly data: string | undefined;
  readonly fixture: string | undefined;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly adminTokenFile: string | undefined;
  /** Whether to follow the specification or the behaviour of the live platform. */
  readonly compat: CompatMode;
  /** Allows addresses beyond loopback. */
  readonly allowRemote: boolean;
  /** Logs each request to stderr. */
  readonly accessLog: boolean;
  /** Enables fault injection over HTTP, for tests. */
  readonly faults: boolean;
}

// Not imported from the service, which would then be loaded for all commands.
const COMPAT_MODES: readonly CompatMode[] = ["strict", "observed"];

export const serveLine: CommandLine<ServeArguments> = {
  name: "serve",
  summary: "run the embedded service for learning and tests",
  description:
    "Serves the project administration API from this process until Ctrl-C. The first line on stdout is `listening on http://HOST:PORT`.",
  examples: [
    [
      "steward serve --data try.db --fixture node_modules/cdktf-provider-steward/examples/quickstart/fixture.yaml",
      "sample data, kept in a file",
    ],
    [
      "steward serve --port 8080 --admin-token-file admin.token",
      "a fixed port, and an administrator's token",
    ],
    ["steward serve --faults", "refuse, delay or cut answers as tests ask for it: see docs/testing.md"],
    ["steward serve --compat observed", "a service that behaves like the live platform"],
  ],
  define: (command) =>
    void command
      .option("--data <file>", "SQLite file; created when missing (in memory without it)")
      .option("--fixture <file>", "YAML file with initial data; loaded into an empty service")
      .option("--host <address>", "address to listen on", "127.0.0.1")
      .option("--port <n>", "port to listen on; 0 picks a free one", parsePort, 0)
      .option("--admin-token-file <file>", "an administrator's token; written with a new one when missing")
      .addOption(
        new Option(
          "--compat <mode>",
          "strict: follow the specification; observed: behave like the live platform",
        )
          .choices(COMPAT_MODES)
          .default("strict"),
      )
      .option("--allow-remote", "allow an address that other machines can reach")
      .option("--access-log", "log each request to stderr")
      .option("--faults", "let tests make requests fail, by POST /_steward/faults"),
  read: (options) => ({
    data: options["data"],
    fixture: options["fixture"],
    host: options["host"],
    port: options["port"],
    adminTokenFile: options["adminTokenFile"],
    compat: options["compat"],
    allowRemote: options["allowRemote"] === true,
    accessLog: options["accessLog"] === true,
    faults: options["faults"] === true,
  }),
};

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
