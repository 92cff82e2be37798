import type { ContainerSelection } from "../../engine";
import { type ArgumentsOf, commandLine } from "./command-line";
import { failConflict, type Given, invalid, oneEach, oneOf, option, options, withDefault } from "./option";
import { FORCE_FOLDER, LOCK_TIMEOUT, PACE, REQUESTS, SOURCE, STATE, VARIABLES, VIEW } from "./shared-options";

/** Which projects and groups a command reads, beside their names. */
const SELECTION = {
  includeSubgroups: option("--include-subgroups: also the subgroups of a group, and the projects in them"),
  all: option("--all: all projects and groups that you are a member of, instead of names", {
    excludes: ["--include-subgroups"],
  }),
  ...options(
    {
      topic: "--topic <topic>: with --all: only projects that have this topic",
      search: "--search <text>: with --all: only projects and groups with this text in their name or path",
    },
    { requires: "--all" },
  ),
};

const NAMES = { names: option("[name...]: projects and groups, by numeric id or full path") };

function readSelection({
  includeSubgroups,
  all: isAll,
  topic,
  search,
  names,
}: Given<typeof SELECTION> & Given<typeof NAMES>): ContainerSelection {
  if (isAll) {
    if (names.length > 0) failConflict("--all", `names (${names[0]})`);
    const all = { ...(topic !== undefined && { topic }), ...(search !== undefined && { search }) };
    return { names: [], contents: "none", all };
  }
  if (names.length > 0) return { names, contents: includeSubgroups ? "nested" : "direct" };
  return invalid(
    "Missing argument",
    "Name projects or groups, or select all that you are a member of with --all.",
  );
}

const OTHER_FORMATS = ["--format hcl", "--format json"];

/** The project on the platform that keeps the states of a new app; undefined for files beside it. */
const BACKEND = {
  backend: option(
    "--backend <project>: the project on the platform that keeps the states of the app, by its number or path (default: files beside the app)",
    { excludes: ["--into", ...OTHER_FORMATS] },
  ),
};

export const adoptLine = commandLine({
  name: "adopt",
  summary: "write code for live settings",
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
    out: option("--out <dir>: folder to write the app to; new, empty, or of an earlier adoption", {
      excludes: ["--into"],
    }),
    into: option(
      "--into <file>: instead: file of an app that declares its stack; what the app does not declare is added there, with imports",
      { excludes: OTHER_FORMATS },
    ),
    stack: option("--stack <name>: with --into: the stack to add to, where the file has several", {
      requires: "--into",
    }),
    format: withDefault(
      oneOf("--format <format>: TypeScript, or Terraform's HCL or JSON syntax", ["ts", "hcl", "json"]),
      "ts",
    ),
    ...options({
      includeEmails:
        "--include-emails: write e-mail addresses into the code (default: into emails.auto.tfvars.json, which git ignores)",
      allSettings: "--all-settings: also declare settings that are at the service's default",
    }),
    force: option("--force: replace files that were edited, or that this command did not write", {
      excludes: ["--into"],
    }),
    ...BACKEND,
    ...REQUESTS,
    ...VIEW,
  },
  operands: NAMES,
  read: ({ out, into, ...given }) => ({
    ...given,
    /** The folder of a new app or configuration; or the file of an app to add to. */
    target:
      out ??
      into ??
      invalid(
        "Missing option",
        "Give the folder to write to with --out DIR, or the file of an app to add to with --into FILE.",
      ),
    isInto: into !== undefined,
    selection: readSelection(given),
  }),
});
export type AdoptArguments = Omit<ArgumentsOf<typeof adoptLine>, keyof typeof SELECTION | "names">;

export const initLine = commandLine({
  name: "init",
  summary: "create an app with a test and a pipeline",
  description:
    "Creates a folder with a typed app, its `cdktf.json`, a test, a pipeline, and a fixture to try it on with `steward serve`. Without --from it is a sample for a small company. With --from it declares the live settings of projects and groups, as `steward adopt` writes them, and the fixture is a snapshot of them. Replaces no file without --force.",
  examples: {
    "steward init settings": "a sample app, which plans at once against `npm run serve`",
    "steward init settings --from acme": "an app for the group acme and its projects",
    "steward init settings --from acme/web acme/api": "an app for two projects",
    "npx cdktf-provider-steward init settings": "before the package is installed",
  },
  options: {
    ...BACKEND,
    names: option("--from <name...>: adopt these projects and groups, by numeric id or full path"),
    ...options(
      {
        includeSubgroups:
          "--include-subgroups: with --from: also the subgroups of a group, and the projects in them",
        includeEmails:
          "--include-emails: with --from: write e-mail addresses into the code (default: into emails.auto.tfvars.json, which git ignores)",
        allSettings: "--all-settings: with --from: also declare settings that are at the service's default",
      },
      { requires: "--from" },
    ),
    ...FORCE_FOLDER,
    ...VIEW,
  },
  operands: { folder: option("<dir>: folder to create; with --from new or empty") },
  read: ({ names, includeSubgroups, ...given }) => ({ ...given, from: selectionOf(names, includeSubgroups) }),
});
export type InitArguments = ArgumentsOf<typeof initLine>;

/** The live projects and groups to adopt; undefined for a sample app. */
const selectionOf = (names: readonly string[], isNested: boolean): ContainerSelection | undefined =>
  names.length === 0 ? undefined : { names, contents: isNested ? "nested" : "direct" };

export const importLine = commandLine({
  name: "import",
  summary: "import a live object into the state",
  description:
    "Imports an existing object into the state, for a resource that the configuration already declares. Writes only the state; a plan then shows the differences. The reference page of each resource describes its ID; most begin with the project's id or path.",
  examples: {
    "steward import steward_job_token_scope.limit acme/web-shop": "a setting of a project",
    "steward import steward_protected_environment.production 42:production": "one object of a project",
    "steward import 'steward_job_token_scope.each[\"docs\"]' 43": "an instance under for_each",
  },
  options: oneEach({ ...SOURCE, ...VARIABLES, ...STATE, ...LOCK_TIMEOUT, ...PACE }),
  operands: {
    address: option("<address>: address of the declared resource instance"),
    id: option("<id>: import ID of the live object"),
  },
});

export const snapshotLine = commandLine({
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
    out: option("--out <file>: file to write; - is stdout", { file: "snapshot" }),
    ...options({
      anonymize:
        "--anonymize: replace names of people, projects and groups, addresses, descriptions and domains by invented ones; the same name always becomes the same invented one",
      force: "--force: replace a file that is not a snapshot, or an earlier snapshot by an incomplete one",
    }),
    ...REQUESTS,
    ...VIEW,
  },
  operands: NAMES,
  read: ({ out, ...given }) => {
    if (out === undefined)
      invalid("Missing option", "Give the file to write with --out FILE, or write to stdout with --out -.");
    if (out === "-" && given.json) failConflict("--json", "--out -");
    return { ...given, selection: readSelection(given), file: out === "-" ? undefined : out };
  },
});
export type SnapshotArguments = Omit<ArgumentsOf<typeof snapshotLine>, keyof typeof SELECTION | "names">;
