import type { Shard } from "../../engine";
import {
  type Declared,
  declared,
  type Given,
  invalid,
  onUnlessFalse,
  option,
  options,
  parsed,
  repeatable,
  type Text,
  under,
} from "./option";
import { parseAssignment, parseCount, parseDigest, parseDuration, parseLimit, parseShard } from "./values";

/** The options of all commands that can print for people or as JSON. */
export const VIEW = options({
  json: "--json: write JSON events to stdout, one per line, in Terraform's format; the last event is the result",
  color: "--no-color: write without colours, even on a terminal",
});
export type ViewArguments = Given<typeof VIEW>;

/**
 * The option that limits the requests per minute, for commands without `--parallelism`. A command without `--parallelism` sends
 * few requests, or runs a program that decides about parallel requests.
 */
export const PACE = {
  maxRequestsPerMinute: parsed(
    "--max-requests-per-minute <n>: send at most N requests per minute, including retries, so that parallel runs can share the service's limit",
    parseCount,
  ),
};

/** The options that limit the requests of a command: how many at the same time, and how many per minute. */
export const REQUESTS = {
  parallelism: parsed(
    "--parallelism <n>: send at most N requests at the same time (default: adaptive, from 10 to 50)",
    parseCount,
  ),
  ...PACE,
};

const ofStacks = <O extends Record<string, Declared<unknown>>>(all: O): O => under("Stacks and state:", all);

/** The options that say where the stacks come from: an app, or a configuration. */
export const SOURCE = {
  ...ofStacks({
    ...options({
      app: "--app <command>: command that runs the app (default: STEWARD_APP, then `app` in cdktf.json)",
      output:
        "--output <folder>: folder for synthesized stacks (default: `output` in cdktf.json, then cdktf.out)",
      stacks: "--stack <name...>: work only on these stacks, such as web or 'web-*' (repeatable)",
    }),
    config: option(
      "--config <path>: use this Terraform JSON file or folder, or the output folder of `synth`, instead of an app",
      {
        excludes: ["--app", "--output", "--stack"],
        file: "read",
      },
    ),
  }),
  ...VIEW,
};

export const SHARD = ofStacks({
  shard: parsed(
    "--shard <n/m>: split the stacks among M parallel jobs, and work only on part N",
    parseShard,
    // Each excluded option names a single stack, object or state, which belongs to only one shard. The jobs of the other shards
    // would report this stack, object or state as missing.
    {
      excludes: ["--stack", "--state", "--target", "--replace", "--project", "--group"],
    },
  ),
});

export type SourceArguments = ViewArguments &
  Partial<Given<typeof SOURCE>> & {
    /** The shard that the run works on, for commands that support shards. */
    readonly shard?: Shard | undefined;
  };

/** The value of a variable (`--var`), or a file with values (`--var-file`). Later arguments override earlier ones. */
type VariableArgument =
  | { readonly from: "line"; readonly name: string; readonly value: string }
  | { readonly from: "file"; readonly file: string };

export const VARIABLES = under("Stacks and state:", {
  // `--var` and `--var-file` share a list, so that the last value on the command line wins.
  variables: [
    declared<readonly VariableArgument[]>("--var <name=value>: set a variable (repeatable)", [], {
      parse: (text, before) => [...before, { from: "line", ...parseAssignment(text) }],
    }),
    declared<readonly VariableArgument[]>(
      "--var-file <file>: read variables from a file, such as prod.tfvars or prod.tfvars.json",
      [],
      { parse: (file, before) => [...before, { from: "file", file }], file: "read" },
    ),
  ],
});

/** The option that names the location of the state. */
export const STATE = ofStacks({
  state: option("--state <file>: state file (default: the stack's backend)", { file: "read" }),
});
export type StateArguments = Given<typeof STATE>;

/** The option that limits how long a run waits for a state lock. The parsed value is in milliseconds. */
export const LOCK_TIMEOUT = ofStacks({
  lockTimeout: declared("--lock-timeout <duration>: time to wait for a state lock, such as 30s", 0, {
    parse: parseDuration,
  }),
});

/** The options of all commands that read live objects. */
export const RUN = {
  ...SOURCE,
  state: { ...STATE.state, excludes: ["several --stack"] },
  ...VARIABLES,
  ...ofStacks({
    targets: option("--target <address...>: work only on these addresses and their dependencies", {
      excludes: ["--exclude"],
    }),
    excludes: option("--exclude <address...>: leave out these addresses and their dependents"),
  }),
  ...REQUESTS,
  ...LOCK_TIMEOUT,
  failFast: option("--fail-fast: stop after the first error"),
};

/** The option that shows who gains and who loses access. */
export const ACCESS = {
  access: option("--access: read members, and show who gains and who loses access", {
    // A plan with `--refresh-only` changes nothing on the service, so no person gains or loses access.
    excludes: ["--refresh-only"],
  }),
};

/**
 * The option about access for commands that show access changes by default. Showing access costs at most two additional
 * requests for each changed project.
 */
export const ACCESS_BY_DEFAULT = {
  access: [
    declared<boolean | undefined>(
      "--access: describe access from all members and groups; default: at most two further requests for each changed project",
      undefined,
      { excludes: ["--refresh-only"] },
    ),
    declared<boolean | undefined>("--no-access: do not show who gains and who loses access", undefined),
  ],
};

/**
 * Returns whether a plan describes access, or `brief` for the default description. Without `--access`, a plan describes no
 * access if it shows only totals or does not refresh.
 */
export const plannedAccess = ({
  access,
  refresh = true,
  summary = false,
}: {
  readonly access?: boolean | undefined;
  readonly refresh?: boolean | undefined;
  readonly summary?: boolean | undefined;
}): boolean | "brief" => access ?? (refresh && !summary ? "brief" : false);

/** The option `--force` of commands that write files. */
export const FORCE = {
  force: option("--force: replace an output file even if this command did not write it"),
};

/** The option `--force` of commands that write a folder. */
export const FORCE_FOLDER = {
  force: option("--force: replace files in the folder that this command did not write"),
};

/** The option that limits a run to some projects and groups. */
export const PROJECTS = ofStacks({
  containers: option(
    "--project <pattern...>: work only on these projects and groups, such as acme/web or 'acme/web/*'",
    { excludes: ["--target", "--exclude"] },
  ),
});

/** Options for commands that only read the state. */
export const UNLOCKED = {
  lock: onUnlessFalse(
    "--lock <boolean>: false: take no lock and write nothing; only report an interrupted run",
  ),
};

/** The option that decides whether a plan reads live objects, or uses the values in the state. */
export const REFRESH = {
  refresh: onUnlessFalse("--refresh <boolean>: false: plan from the state without reading the service"),
};

/** The arguments of commands that read live objects. A command may lack some of these arguments. */
export type RunArguments = SourceArguments &
  Partial<Given<typeof RUN> & Given<typeof UNLOCKED> & Given<typeof REFRESH> & Given<typeof PROJECTS>>;

/**
 * The option that replaces objects. Each occurrence takes one address, because a list would also take the positional argument of
 * `apply`.
 */
export const REPLACE = {
  replace: repeatable("--replace <address>: replace this object even if nothing changed (repeatable)"),
};

const limit = (text: Text) => parsed(text, parseLimit);

/** The options that limit how many objects a plan may import, delete or change. Undefined means no limit. */
export const LIMITS = {
  maxImports: limit("--max-imports <n>: apply nothing if the plan imports more than N objects"),
  maxDeletes: limit(
    "--max-deletes <n>: apply nothing if the plan deletes or replaces more than N objects; each removed list entry counts",
  ),
  maxChanges: limit("--max-changes <n>: apply nothing if the plan changes more than N objects in any way"),
};
export type LimitArguments = Given<typeof LIMITS>;

/**
 * The options that exclude `--import-existing`. Plans with these options create no objects, so `--import-existing` would have
 * no effect.
 */
export const EXCLUDED_BY_IMPORTS = ["--refresh-only", "--destroy", "--refresh=false"];

/**
 * The option that imports objects which are declared and live, but in no state. Without this option, a plan reports an error
 * for each object that it would import.
 */
export const IMPORT_EXISTING = {
  importExisting: option(
    "--import-existing: import declared objects that exist on the service but are in no state",
    { excludes: EXCLUDED_BY_IMPORTS },
  ),
};

/**
 * The option that limits how many projects may leave a fleet. Without the option, Steward refuses a fleet's list of projects if
 * the list is empty or has shrunk by more than a tenth.
 */
export const LEAVING = {
  allowLeaving: limit(
    "--allow-leaving <n>: allow up to N projects to leave a fleet; required if more than 10 % leave",
  ),
};

/** The option that names files with waivers. */
export const WAIVERS = {
  waivers: repeatable("--waivers <file>: apply the waivers in this YAML file (repeatable)", {
    file: "read",
  }),
};

/** The options that name the rules for a plan, and the waivers for violations of these rules. */
export const POLICIES = {
  /** Modules that export rules, in addition to the modules in cdktf.json. */
  policies: repeatable(
    "--policy <module>: check the plan against the rules that this module exports, in addition to `policy` in cdktf.json (repeatable)",
    { file: "read" },
  ),
  ...WAIVERS,
  base: option(
    "--base <folder>: use the policies and waivers in this checkout of the target branch, and list changed rules in approvals",
    { file: "read" },
  ),
  waive: option("--waive <rule>: accept violations of this rule in this run; requires --reason", {
    requires: "--reason TEXT",
  }),
  reason: option("--reason <text>: with --waive: reason that reports show", { requires: "--waive" }),
};
export type PolicyArguments = Partial<Given<typeof POLICIES>>;

/**
 * The options whose plans can't be approved. A plan with one of these options does not show all changes, or does not use the
 * live values.
 */
const WITHOUT_LIVE_CHANGES = ["--refresh=false", "--refresh-only"];

/** The option that names the file for the changes that people should approve. */
export const OUT_APPROVAL = {
  outApproval: option("--out-approval <file>: write the changes to approve, and print the file's digest", {
    excludes: [...WITHOUT_LIVE_CHANGES, "--no-access"],
    file: "approval",
  }),
};

/** The options that name the changes that people approved. */
export const APPROVED = {
  approved: option("--approved <file>: apply only the changes in this file, which --out-approval wrote", {
    excludes: WITHOUT_LIVE_CHANGES,
    file: "read",
  }),
  digest: parsed("--digest <sha256>: with --approved: digest that people approved", parseDigest),
  approvals: parsed(
    "--approvals <n>: with --approved: number of people who approved the changes (default: 1)",
    parseCount,
  ),
};

/**
 * Returns the approved file, its digest, and how many people approved it. The number comes from `--approvals`, and Steward does
 * not check this number.
 */
export function readApproved({ approved: file, digest, approvals }: Given<typeof APPROVED>) {
  if (file === undefined && digest === undefined && approvals === undefined) return undefined;
  if (file === undefined || digest === undefined)
    return invalid(
      "Missing option",
      `${file === undefined ? "--digest and --approvals need a file" : "--approved needs a digest"}. Pass --approved FILE and --digest SHA256.`,
    );
  return { file, digest, approvals: approvals ?? 1 };
}
export type ApprovedArguments = NonNullable<ReturnType<typeof readApproved>>;
