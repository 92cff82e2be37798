import { Option } from "commander";
import type { CompatMode } from "../../service";
import type { CommandLine } from "./command-line";
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
