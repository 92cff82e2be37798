import type { CompatMode } from "../../service";
import { type ArgumentsOf, commandLine } from "./command-line";
import { oneOf, option, parsed, repeatable, reworded, withDefault } from "./option";
import { SOURCE, VARIABLES } from "./shared-options";
import { parsePort } from "./values";

export const synthLine = commandLine({
  name: "synth",
  summary: "run the app and write its stacks as Terraform JSON",
  description:
    "Runs the app from cdktf.json and writes its stacks to the output folder (cdktf.out), in the layout of the cdktf CLI.",
  examples: {
    "steward synth": "synthesize the app of this folder",
    'steward synth --app "npx tsx main.ts" --output build': "use another app and output folder",
  },
  options: SOURCE,
});

export const validateLine = commandLine({
  name: "validate",
  summary: "check the configuration without contacting the service",
  description:
    "Checks the stacks against the schema: names, types, required attributes, references. Needs no token, reads no state, and sends no request.",
  examples: {
    "steward validate": "check all stacks of the app",
    "steward validate --json": "print one JSON object, as `terraform validate -json` does",
  },
  options: reworded(
    { ...SOURCE, ...VARIABLES },
    { json: "print the result as one JSON object, in the format of `terraform validate -json`" },
  ),
});
export type ValidateArguments = ArgumentsOf<typeof validateLine>;

export const versionLine = commandLine({
  name: "version",
  summary: "print the version, the platform and the provider",
  description:
    "Prints the version of Steward, the platform in Terraform's names, and the provider that it contains. `steward --version` prints only the version.",
  examples: {
    "steward version": "for a bug report",
    "steward version --json": "for a script: `version`, `platform`, `node_version` and `provider_selections`",
  },
  options: { json: option("--json: print one JSON object") },
});

export const completionLine = commandLine({
  name: "completion",
  summary: "write a completion script for a shell",
  description:
    "Writes a script that completes commands, options, their values, and file names. Load the script in the shell's startup file.",
  examples: {
    'eval "$(steward completion bash)"': "in ~/.bashrc",
    'eval "$(steward completion zsh)"': "in ~/.zshrc, after compinit",
    "steward completion fish > ~/.config/fish/completions/steward.fish": "for fish, once",
  },
  operands: { shell: oneOf("<shell>: shell that loads the script", ["bash", "zsh", "fish"]) },
});

export const schemaLine = commandLine({
  name: "schema",
  summary: "write the provider's schema as JSON",
  description:
    "Writes the schema of all resources and data sources, in the shape of `terraform providers schema -json`. The output is always JSON.",
  examples: {
    "steward schema > schema.json": "save the schema for a generator",
  },
  options: { json: option("--json: accepted for compatibility with Terraform; the output is always JSON") },
});

// A copy of the embedded service's list of modes. An `import` of that list would load the embedded service for all commands.
const COMPAT_MODES: readonly CompatMode[] = ["strict", "observed"];

export const serveLine = commandLine({
  name: "serve",
  summary: "run the embedded service for learning and tests",
  description:
    "Serves the project administration API until you press Ctrl-C. The first line on stdout is `listening on http://HOST:PORT`.",
  examples: {
    "steward serve --data try.db --fixture node_modules/cdktf-provider-steward/examples/quickstart/fixture.yaml":
      "serve sample data, and keep changes in a file",
    "steward serve --port 8080 --admin-token-file admin.token":
      "use a fixed port, and save an administrator's token to a file",
    "steward serve --faults": "let tests refuse, delay or cut responses (docs/testing.md)",
    "steward serve --compat observed": "behave like the live platform",
    "steward serve --compat observed --habit lagging-replicas":
      "also imitate another behaviour of the live platform (docs/live-platform.md)",
  },
  options: {
    data: option("--data <file>: SQLite file for the data, created if missing (default: in memory)"),
    fixture: option("--fixture <file>: YAML file with initial data for an empty service"),
    host: withDefault(option("--host <address>: address to listen on"), "127.0.0.1"),
    port: withDefault(parsed("--port <n>: port to listen on; 0 picks a free one", parsePort), 0),
    adminTokenFile: option(
      "--admin-token-file <file>: file with an administrator's token; the service creates a missing file with a new token",
    ),
    compat: withDefault(
      oneOf(
        "--compat <mode>: strict: follow the specification; observed: behave like the live platform",
        COMPAT_MODES,
      ),
      "strict",
    ),
    habits: repeatable("--habit <name...>: also imitate this habit of the live platform (repeatable)"),
    withoutHabits: repeatable("--without-habit <name...>: do not imitate this habit (repeatable)"),
    allowRemote: option("--allow-remote: allow --host to be an address that other machines can reach"),
    allowedHosts: repeatable(
      "--allowed-host <name>: on a loopback address, accept this host name in addition to localhost and IP addresses (repeatable)",
    ),
    accessLog: option("--access-log: log each request to stderr"),
    faults: option("--faults: let tests cause failures with POST /_steward/faults"),
  },
});
export type ServeArguments = ArgumentsOf<typeof serveLine>;
