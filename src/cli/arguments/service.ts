import type { CompatMode } from "../../service";
import { type ArgumentsOf, commandLine } from "./command-line";
import { failConflict, invalid, oneOf, option, options, parsed, withDefault } from "./option";
import { NAMES, readSelection, SELECTION } from "./selection";
import { REQUESTS, VIEW } from "./stack-options";
import { parsePort } from "./values";

// Not imported from the service, which would then be loaded for all commands.
const COMPAT_MODES: readonly CompatMode[] = ["strict", "observed"];

export const serveLine = commandLine({
  name: "serve",
  summary: "run the embedded service for learning and tests",
  description:
    "Serves the project administration API from this process until Ctrl-C. The first line on stdout is `listening on http://HOST:PORT`.",
  examples: {
    "steward serve --data try.db --fixture node_modules/cdktf-provider-steward/examples/quickstart/fixture.yaml":
      "sample data, kept in a file",
    "steward serve --port 8080 --admin-token-file admin.token": "a fixed port, and an administrator's token",
    "steward serve --faults": "refuse, delay or cut answers as tests ask for it: see docs/testing.md",
    "steward serve --compat observed": "a service that behaves like the live platform",
  },
  options: {
    data: option("--data <file>: SQLite file; created when missing (in memory without it)"),
    fixture: option("--fixture <file>: YAML file with initial data; loaded into an empty service"),
    host: withDefault(option("--host <address>: address to listen on"), "127.0.0.1"),
    port: withDefault(parsed("--port <n>: port to listen on; 0 picks a free one", parsePort), 0),
    adminTokenFile: option(
      "--admin-token-file <file>: an administrator's token; written with a new one when missing",
    ),
    compat: withDefault(
      oneOf(
        "--compat <mode>: strict: follow the specification; observed: behave like the live platform",
        COMPAT_MODES,
      ),
      "strict",
    ),
    allowRemote: option("--allow-remote: allow an address that other machines can reach"),
    accessLog: option("--access-log: log each request to stderr"),
    faults: option("--faults: let tests make requests fail, by POST /_steward/faults"),
  },
});
export type ServeArguments = ArgumentsOf<typeof serveLine>;

export const snapshotLine = commandLine(
  {
    name: "snapshot",
    summary: "write live settings as a fixture of the embedded service",
    description:
      "Reads the live settings of projects and groups, and writes them as a fixture: `steward serve --fixture FILE` serves a copy, on which a plan shows what it shows on the live service. A group includes the projects in it. What the settings refer to outside the selection, such as targets of allowlists, is in the fixture by name. Writes nothing to the service; a read-only token is enough. A snapshot holds no tokens; what else it lacks stands in its first lines.",
    examples: {
      "steward snapshot acme --out fixture.yaml": "the group acme and its projects",
      "steward serve --fixture fixture.yaml --admin-token-file token": "serve the copy",
      "steward snapshot acme --include-subgroups --anonymize --out report.yaml":
        "invented names, to show to others",
      "steward snapshot --all --topic payments --out fixture.yaml": "all your projects with a topic",
      "steward snapshot acme/web --out -": "one project, to stdout",
    },
    options: {
      ...SELECTION,
      ...options({
        out: "--out <file>: file to write; - is stdout",
        anonymize:
          "--anonymize: replace names of people, projects and groups, addresses, descriptions and domains by invented ones; the same name always becomes the same invented one",
        force: "--force: replace a file that is not a snapshot, or an earlier snapshot by an incomplete one",
      }),
      ...REQUESTS,
      ...VIEW,
    },
    operands: NAMES,
  },
  ({ out, ...given }) => {
    if (out === undefined)
      invalid("Missing option", "Give the file to write with --out FILE, or write to stdout with --out -.");
    if (out === "-" && given.json) failConflict("--json", "--out -");
    return { ...given, selection: readSelection(given), file: out === "-" ? undefined : out };
  },
);
export type SnapshotArguments = Omit<ArgumentsOf<typeof snapshotLine>, keyof typeof SELECTION | "names">;
