import { type Command, Option, type OptionValues } from "commander";
import { fail } from "../../diagnostics";
import type { Shard } from "../../engine";
import { defineView, readView, underHeading, type ViewArguments } from "./command-line";
import { parseAssignment, parseCount, parseDuration, parseSwitch } from "./values";

/** How many requests a command sends at the same time, and per minute. */
export interface RequestArguments {
  readonly parallelism: number | undefined;
  readonly maxRequestsPerMinute: number | undefined;
}

export const defineRequests = <T extends Command>(command: T): T =>
  defineRequestPace(
    command.option(
      "--parallelism <n>",
      "maximum number of concurrent requests (by default adaptive, from 10 to 50)",
      parseCount,
    ),
  );

/** The limit alone, for commands that send few requests or leave their number to another program. */
export const defineRequestPace = <T extends Command>(command: T): T =>
  command.option(
    "--max-requests-per-minute <n>",
    "maximum number of requests per minute, retries included: a share of the service's limit for this run",
    parseCount,
  );

export const readRequests = (options: OptionValues): RequestArguments => ({
  parallelism: options["parallelism"],
  maxRequestsPerMinute: options["maxRequestsPerMinute"],
});

/** The source of the stacks. */
export interface SourceArguments extends ViewArguments {
  readonly app: string | undefined;
  readonly output: string | undefined;
  /** Names of stacks; all stacks if empty. */
  readonly stacks: readonly string[];
  /** A synthesized folder or file. No app is run. */
  readonly config: string | undefined;
  /** A part of the stacks, of commands that have it. */
  readonly shard?: Shard | undefined;
}

/** A value or a file of values for variables. Later arguments override earlier ones. */
export type VariableArgument =
  | { readonly from: "line"; readonly name: string; readonly value: string }
  | { readonly from: "file"; readonly file: string };

export interface VariableArguments {
  readonly variables: readonly VariableArgument[];
}

/** The location of the state. */
export interface StateArguments {
  readonly state: string | undefined;
}

/** The arguments of all commands that read live objects. */
export interface RunArguments extends SourceArguments, VariableArguments, StateArguments, RequestArguments {
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
  /** Patterns of paths of projects and groups, of commands that have it; all if empty. */
  readonly containers?: readonly string[];
  /** How long to wait for a locked state, in milliseconds. */
  readonly lockTimeout: number;
  /** Whether to lock the state. */
  readonly lock: boolean;
  /** Whether to read live objects or to trust the state. */
  readonly refresh: boolean;
  readonly failFast: boolean;
}

/** Before a positional argument, `--stack` must take a single name, or it would consume the argument. */
export function defineSource(command: Command, stacks: "several" | "one at a time" = "several"): Command {
  return defineView(
    ofStacks(command, (it) =>
      it
        .option(
          "--app <command>",
          "command that runs the app (default: STEWARD_APP, then `app` of cdktf.json)",
        )
        .option(
          "--output <folder>",
          "output folder of synth (default: `output` of cdktf.json, then cdktf.out)",
        )
        .addOption(
          repeated(
            "--stack",
            "name",
            "work only on these stacks, such as web or 'web-*'; may be given more than once",
            stacks,
          ),
        )
        .option("--config <path>", "use a folder or file in Terraform's JSON syntax instead of an app"),
    ),
  );
}

/** Options that say what a command works on, apart from its own. */
const ofStacks = (command: Command, define: (command: Command) => Command): Command =>
  underHeading("Stacks and state:", define)(command);

/** A repeatable option, with one or several values each time. */
export const repeated = (
  option: string,
  value: string,
  description: string,
  arity: "several" | "one at a time",
): Option =>
  arity === "several"
    ? new Option(`${option} <${value}...>`, description)
    : new Option(`${option} <${value}>`, description).argParser(
        (one: string, before: readonly string[] = []) => [...before, one],
      );

/** A single address each time, since `apply` has a positional argument. */
export const replaceOption = (): Option =>
  repeated(
    "--replace",
    "address",
    "replace this object even without other changes; may be given more than once",
    "one at a time",
  );

export function readSource(options: OptionValues): SourceArguments {
  const { app, output, stack, config } = options as Record<string, string | undefined> & { stack?: string[] };
  const clash = config !== undefined && Object.entries({ app, output, stack }).find(([, value]) => value);
  if (clash) failConflict("--config", `--${clash[0]}`);
  return { ...readView(options), app, output, stacks: stack ?? [], config };
}

export function defineVariables(command: Command): Command {
  // Both options share a list, so that the last one on the command line wins.
  const given: VariableArgument[] = [];
  const keep = (argument: VariableArgument) => {
    given.push(argument);
    return given;
  };
  return ofStacks(command, (it) =>
    it
      .addOption(
        new Option("--var <name=value>", "value of a variable; may be given more than once").argParser(
          (text) => keep({ from: "line", ...parseAssignment(text) }),
        ),
      )
      .addOption(
        new Option("--var-file <file>", "values of variables as JSON, such as prod.tfvars.json").argParser(
          (file) => keep({ from: "file", file }),
        ),
      ),
  );
}

export const readVariables = (options: OptionValues): VariableArguments => ({
  variables: options["var"] ?? options["varFile"] ?? [],
});

export const defineState = (command: Command): Command =>
  ofStacks(command, (it) => it.option("--state <file>", "state file (default: the stack's backend)"));

export const readState = (options: OptionValues): StateArguments => ({ state: options["state"] });

/** The arguments of a run without a configuration, a state or a lock. */
export const withoutStacks = (args: ViewArguments & RequestArguments): RunArguments => ({
  json: args.json,
  color: args.color,
  parallelism: args.parallelism,
  maxRequestsPerMinute: args.maxRequestsPerMinute,
  app: undefined,
  output: undefined,
  stacks: [],
  config: undefined,
  variables: [],
  state: undefined,
  targets: [],
  excludes: [],
  lockTimeout: 0,
  lock: false,
  refresh: true,
  failFast: false,
});

/**
 * Before a positional argument, `--stack`, `--target` and `--exclude` must take a single value, or they would
 * consume the argument.
 */
export function defineRun(command: Command, several: "several" | "one at a time" = "several"): Command {
  defineVariables(defineState(defineSource(command, several)));
  ofStacks(command, (it) =>
    it
      .addOption(
        repeated("--target", "address", "work only on these addresses and their dependencies", several),
      )
      .addOption(
        repeated("--exclude", "address", "leave out these addresses and what depends on them", several),
      ),
  );
  return defineLock(defineRequests(command)).option("--fail-fast", "stop after the first error");
}

/** `--project`: a part of the projects and groups. */
export const defineProjects = (command: Command, several: "several" | "one at a time" = "several"): Command =>
  ofStacks(command, (it) =>
    it.addOption(
      repeated(
        "--project",
        "pattern",
        "work only on these projects and groups, such as acme/web or 'acme/web/*'",
        several,
      ),
    ),
  );

/** `--lock` for commands that only read the state. */
export const defineUnlocked = (command: Command): Command =>
  command.option(
    "--lock <boolean>",
    "false: take no lock and write nothing; an interrupted run is reported, not recovered",
    parseSwitch,
  );

export const defineRefresh = (command: Command): Command =>
  command.option(
    "--refresh <boolean>",
    "false: plan from the state without reading the service",
    parseSwitch,
  );

/** `--lock-timeout`: how long to wait for a locked state. */
export const defineLock = (command: Command): Command =>
  ofStacks(command, (it) =>
    it.option("--lock-timeout <duration>", "time to wait for a state lock, such as 30s", parseDuration),
  );

export const readLock = (options: OptionValues): { readonly lockTimeout: number } => ({
  lockTimeout: options["lockTimeout"] ?? 0,
});

export function readRun(options: OptionValues): RunArguments {
  const source = readSource(options);
  const state = readState(options);
  if (state.state !== undefined && source.stacks.length > 1) failConflict("--state", "several --stack");
  const { target: targets = [], exclude: excludes = [], project: containers = [] } = options;
  if (containers.length > 0 && targets.length + excludes.length > 0)
    failConflict("--project", targets.length > 0 ? "--target" : "--exclude");
  if (targets.length > 0 && excludes.length > 0) failConflict("--target", "--exclude");
  return {
    ...source,
    ...state,
    ...readVariables(options),
    targets,
    excludes,
    containers,
    ...readRequests(options),
    ...readLock(options),
    lock: options["lock"] !== false,
    refresh: options["refresh"] !== false,
    failFast: options["failFast"] === true,
  };
}

export function failConflict(one: string, other: string): never {
  return fail({
    code: "invalid_arguments",
    summary: "Conflicting options",
    detail: `${one} and ${other} can't be combined. Omit one of them.`,
  });
}
