import type { StackUnit } from "../../adopt";
import type { ContainerSelection } from "../../engine";
import { type ArgumentsOf, commandLine } from "./command-line";
import { failConflict, type Given, invalid, oneEach, oneOf, option, options, withDefault } from "./option";
import { FORCE_FOLDER, LOCK_TIMEOUT, PACE, REQUESTS, SOURCE, STATE, VARIABLES, VIEW } from "./shared-options";

/**
 * The options that select projects and groups. A command line can also select projects and groups by name, with positional
 * arguments.
 */
const SELECTION = {
  includeSubgroups: option("--include-subgroups: include subgroups and their projects"),
  all: option("--all: instead of names: select all projects and groups of the token's user", {
    excludes: ["--include-subgroups"],
  }),
  ...options(
    {
      topic: "--topic <topic>: with --all: select only projects with this topic",
      search:
        "--search <text>: with --all: select only projects and groups with this text in their name or path",
    },
    { requires: "--all" },
  ),
};

const NAMES = { names: option("[name...]: projects and groups, by numeric ID or full path") };

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
    "Name projects or groups. To select all projects and groups of the token's user, use --all.",
  );
}

const OTHER_FORMATS = ["--format hcl", "--format json"];

/**
 * The option that names the GitLab project for the states of a new app. Without this option, the states are files in the app's
 * folder.
 */
const BACKEND = {
  backend: option(
    "--backend <project>: ID or path of the platform project that stores the app's states (default: local files next to the app)",
    { excludes: ["--into", ...OTHER_FORMATS] },
  ),
};

const STACK_UNITS = ["app", "subgroup", "project"] as const satisfies readonly StackUnit[];
const STACK_PER = "what gets its own stack (default: app below 50 projects, else subgroup)";

export const adoptLine = commandLine({
  name: "adopt",
  summary: "write code for live settings",
  description:
    "Reads the live settings of projects and groups, and writes an app that declares and imports them. The first plan shows only imports. A group includes its invitations and its projects. A read-only token is enough: adopt changes neither the service nor the state. It leaves out archived projects, and settings that have the default value. A second run into the same folder updates the files that you did not edit. With --into, adopt adds declarations to an app that you wrote or edited.",
  examples: {
    "steward adopt acme --out infra": "write an app for the group acme and its projects",
    "steward adopt acme/web acme/api --out infra": "write an app for two projects",
    "steward adopt acme --include-subgroups --out infra":
      "write an app that includes subgroups and their projects",
    "steward adopt --all --topic payments --out infra":
      "write an app for all your projects with the topic payments",
    "steward adopt acme --out infra --format hcl": "write a configuration for Terraform or OpenTofu",
    "steward adopt acme --into infra/main.ts": "add missing declarations to the stack of an app",
  },
  options: {
    ...SELECTION,
    out: option("--out <dir>: folder for the app: new, empty, or written by an earlier adoption", {
      excludes: ["--into"],
    }),
    into: option(
      "--into <file>: instead of --out: add missing declarations and imports to the stack in this file",
      { excludes: OTHER_FORMATS },
    ),
    stack: option("--stack <name>: with --into: stack to add to, if the file contains several", {
      requires: "--into",
    }),
    format: withDefault(
      oneOf("--format <format>: write TypeScript, or Terraform's HCL or JSON syntax", ["ts", "hcl", "json"]),
      "ts",
    ),
    stackPer: oneOf(`--stack-per <unit>: ${STACK_PER}`, STACK_UNITS, {
      excludes: ["--into", ...OTHER_FORMATS],
    }),
    ...options({
      includeEmails:
        "--include-emails: write e-mail addresses into the code (default: into emails.auto.tfvars.json, which git ignores)",
      allSettings: "--all-settings: also declare settings that have the service's default value",
    }),
    force: option("--force: replace files that you edited, or that this command did not write", {
      excludes: ["--into"],
    }),
    ...BACKEND,
    ...REQUESTS,
    ...VIEW,
  },
  operands: NAMES,
  read: ({ out, into, ...given }) => ({
    ...given,
    /** The folder for a new app or configuration, or the file of an existing app that gets the new declarations. */
    target:
      out ??
      into ??
      invalid(
        "Missing option",
        "Pass a folder with --out DIR, or the file of an existing app with --into FILE.",
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
    "Creates a folder with a typed app, its `cdktf.json`, a test, a pipeline, and a fixture for `steward serve`. By default, the app is a sample for a small company. With --from, the app declares live settings, as `steward adopt` does, and the fixture contains a snapshot of them. Replaces existing files only with --force.",
  examples: {
    "steward init settings": "create a sample app, ready to plan against `npm run serve`",
    "steward init settings --from acme": "write an app for the group acme and its projects",
    "steward init settings --from acme/web acme/api": "write an app for two projects",
    "npx cdktf-provider-steward init settings": "run the command without installing the package first",
  },
  options: {
    ...BACKEND,
    names: option("--from <name...>: adopt these projects and groups, by numeric ID or full path"),
    stackPer: oneOf(`--stack-per <unit>: with --from: ${STACK_PER}`, STACK_UNITS, { requires: "--from" }),
    ...options(
      {
        includeSubgroups: "--include-subgroups: with --from: include subgroups and their projects",
        includeEmails:
          "--include-emails: with --from: write e-mail addresses into the code (default: into emails.auto.tfvars.json, which git ignores)",
        allSettings:
          "--all-settings: with --from: also declare settings that have the service's default value",
      },
      { requires: "--from" },
    ),
    ...FORCE_FOLDER,
    ...VIEW,
  },
  operands: { folder: option("<dir>: folder to create; with --from, it must be new or empty") },
  read: ({ names, includeSubgroups, ...given }) => ({ ...given, from: selectionOf(names, includeSubgroups) }),
});
export type InitArguments = ArgumentsOf<typeof initLine>;

/**
 * Returns the selection of projects and groups to adopt. Returns undefined if the command line selects no project or group. The
 * new app is then a sample.
 */
const selectionOf = (names: readonly string[], isNested: boolean): ContainerSelection | undefined =>
  names.length === 0 ? undefined : { names, contents: isNested ? "nested" : "direct" };

export const importLine = commandLine({
  name: "import",
  summary: "import a live object into the state",
  description:
    "Imports a live object into the state. The configuration must already declare the resource. Changes only the state. Then `steward plan` shows how the object differs from the configuration. The reference page of each resource describes its ID. Most IDs start with the project's ID or path.",
  examples: {
    "steward import steward_job_token_scope.limit acme/web-shop": "import a setting of a project",
    "steward import steward_protected_environment.production 42:production": "import one object of a project",
    "steward import 'steward_job_token_scope.each[\"docs\"]' 43":
      "import one instance of a resource with for_each",
  },
  options: oneEach({ ...SOURCE, ...VARIABLES, ...STATE, ...LOCK_TIMEOUT, ...PACE }),
  operands: {
    address: option("<address>: address of the declared resource instance"),
    id: option("<id>: import ID of the live object"),
  },
});

export const snapshotLine = commandLine({
  name: "snapshot",
  summary: "write live settings as a fixture for the embedded service",
  description:
    "Reads the live settings of projects and groups, and writes them as a fixture. `steward serve --fixture FILE` serves this copy, and a plan against it equals a plan against the live service. A group includes its projects. The fixture also contains the names of referenced objects, such as targets of allowlists. A read-only token is enough, because snapshot changes nothing on the service. A snapshot contains no tokens. The first lines of the file list what else is missing.",
  examples: {
    "steward snapshot acme --out fixture.yaml": "write a copy of the group acme and its projects",
    "steward serve --fixture fixture.yaml --admin-token-file admin.token": "serve the copy",
    "steward snapshot acme --include-subgroups --anonymize --out report.yaml":
      "replace names with invented ones, so that you can share the file",
    "steward snapshot --all --topic payments --out fixture.yaml":
      "write a copy of all your projects with the topic payments",
    "steward snapshot acme/web --out -": "write one project to stdout",
  },
  options: {
    ...SELECTION,
    out: option("--out <file>: file to write, or - for stdout", { file: "snapshot" }),
    ...options({
      anonymize:
        "--anonymize: replace addresses, descriptions, domains, and the names of people, projects and groups with invented ones",
      force:
        "--force: replace a file that is not a snapshot, or replace a complete snapshot with an incomplete one",
    }),
    ...REQUESTS,
    ...VIEW,
  },
  operands: NAMES,
  read: ({ out, ...given }) => {
    if (out === undefined)
      invalid("Missing option", "Name the file to write with --out FILE, or write to stdout with --out -.");
    if (out === "-" && given.json) failConflict("--json", "--out -");
    return { ...given, selection: readSelection(given), file: out === "-" ? undefined : out };
  },
});
export type SnapshotArguments = Omit<ArgumentsOf<typeof snapshotLine>, keyof typeof SELECTION | "names">;
