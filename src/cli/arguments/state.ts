import type { Command, OptionValues } from "commander";
import { fail } from "../../diagnostics";
import type { Stacks } from "../../engine";
import { type CommandLine, reword } from "./command-line";
import {
  defineLock,
  defineSource,
  defineState,
  failConflict,
  readLock,
  readSource,
  readState,
  type SourceArguments,
  type StateArguments,
} from "./stack-options";

/** The location of the state, for all state commands. */
type StateLocationArguments = SourceArguments & StateArguments;

export interface ListArguments extends StateLocationArguments {
  /** All objects if empty. */
  readonly addresses: readonly string[];
  /** Only objects with this id. */
  readonly id: string | undefined;
}

export interface ShowStateArguments extends StateLocationArguments {
  readonly address: string;
}

interface EditArguments extends StateLocationArguments {
  readonly lockTimeout: number;
  /** Show the changes without writing them. */
  readonly dryRun: boolean;
}

export interface RemoveArguments extends EditArguments {
  readonly addresses: readonly string[];
}

/** A move within one state has two addresses. */
export type MoveArguments = EditArguments &
  (
    | { readonly between?: undefined; readonly addresses: readonly [from: string, to: string] }
    | ({ readonly between: Stacks } & BetweenStacks)
  );

/** What moves between two stacks: an address, everything that matches, or everything that the target declares. */
export type BetweenStacks =
  | { readonly addresses: readonly [from: string, to: string] }
  | { readonly patterns: readonly string[] }
  | { readonly declared: true };

export interface PushArguments extends EditArguments {
  /** The state to push; `-` is the standard input. */
  readonly file: string;
  /** Replace an unrelated or a newer state. */
  readonly force: boolean;
}

export interface MigrateArguments extends EditArguments {
  /** The file or address of the copy; `{stack}` stands for the stack's name. */
  readonly to: string;
}

export interface ReplaceProviderArguments extends EditArguments {
  readonly from: string;
  readonly to: string;
  readonly autoApprove: boolean;
}

export interface UnlockArguments extends StateLocationArguments {
  readonly id: string;
}

const defineStateLocation = (command: Command): Command =>
  defineState(defineSource(command, "one at a time"));
const readStateLocation = (options: OptionValues): StateLocationArguments => ({
  ...readSource(options),
  ...readState(options),
});

const defineEdit = (command: Command): Command =>
  defineLock(defineStateLocation(command)).option("--dry-run", "show what would change, without changing it");
const readEdit = (options: OptionValues): EditArguments => ({
  ...readStateLocation(options),
  ...readLock(options),
  dryRun: options["dryRun"] === true,
});

export const listLine: CommandLine<ListArguments> = {
  name: "state list",
  summary: "list the addresses in the state",
  description:
    "Lists the addresses of objects in the state, one a line: all of them, or those of the given resources, instances or modules.",
  examples: [
    ["steward state list", "all objects in the states of the app's stacks"],
    [
      "steward state list steward_protected_environment.all --state old.tfstate",
      "the instances of one resource",
    ],
    ["steward state list --id 42:production", "the address of the object with this id"],
  ],
  define: (command) =>
    void reword(defineStateLocation(command), { "--json": "print the addresses as a JSON array" })
      .option("--id <id>", "only objects with this id")
      .argument("[address...]", "resources, instances or modules"),
  read: (options, addresses) => ({ ...readStateLocation(options), addresses, id: options["id"] }),
};

export const showLine: CommandLine<ShowStateArguments> = {
  name: "state show",
  summary: "show one object of the state",
  description:
    "Shows the object at an address of the state. With --json, in the format of `steward show --json`, limited to that object.",
  examples: [["steward state show steward_job_token_scope.limit", "all attributes of one object"]],
  define: (command) =>
    void reword(defineStateLocation(command), {
      "--json": "print JSON, in the format of `terraform show -json`",
    }).argument("<address>", "the object to show"),
  read: (options, [address]) => ({ ...readStateLocation(options), address: address! }),
};

export const removeLine: CommandLine<RemoveArguments> = {
  name: "state rm",
  summary: "remove objects from the state, not from the service",
  description:
    "Removes objects from the state. They stay unchanged on the service; the next plan creates those that are still declared, unless `steward import` imports them again.",
  examples: [
    ["steward state rm steward_protected_environment.old", "remove one object"],
    ["steward state rm 'steward_job_token_scope.each[\"docs\"]' --dry-run", "show what would be removed"],
  ],
  define: (command) => void defineEdit(command).argument("<address...>", "resources, instances or modules"),
  read: (options, addresses) => ({ ...readEdit(options), addresses }),
};

export const moveLine: CommandLine<MoveArguments> = {
  name: "state mv",
  summary: "move an object to another address",
  description:
    "Moves an object of the state to another address of the same type, so that renaming a resource does not replace it. With --from-stack and --to-stack it moves the object between the states of two stacks, to the same address unless another is given; with --declared, everything in the source that the destination stack declares, and with patterns, everything whose address matches, in one change, after listing it. After an interruption, run the command again to finish the move.",
  examples: [
    ["steward state mv steward_job_token_scope.a steward_job_token_scope.b", "a renamed resource"],
    [
      "steward state mv steward_job_token_scope.a 'steward_job_token_scope.each[\"a\"]'",
      "a resource that now uses for_each",
    ],
    [
      "steward state mv --from-stack web --to-stack base steward_job_token_scope.a",
      "a resource that another stack now declares",
    ],
    [
      "steward state mv --from-stack web --to-stack base --declared",
      "everything that moved to another stack",
    ],
    ["steward state mv --from-stack web --to-stack base 'steward_*.shop_*'", "everything that matches"],
  ],
  define: (command) =>
    void defineEdit(command)
      .option("--from-stack <name>", "source stack; requires --to-stack")
      .option("--to-stack <name>", "destination stack; requires --from-stack")
      .option("--declared", "everything in the source that the destination stack declares; needs no address")
      .argument("[address]", "current address, or a pattern in which * stands for any text")
      .argument("[new-address...]", "new address, optional between two stacks; or more patterns"),
  read: (options, [first, ...rest]) => {
    const operands = first === undefined ? [] : [first, ...rest];
    const between = readStacks(options);
    const args = readEdit(options);
    if (between !== undefined)
      return { ...args, between: onlyStacks(between, args), ...selectionOf(options, operands) };
    const [from, to, ...others] = operands;
    if (options["declared"] === true || others.length > 0) notBetween();
    if (from === undefined) missingAddress("address");
    if (to === undefined) missingAddress("new-address");
    return { ...args, addresses: [from, to] };
  },
};

/** What moves between two stacks. */
function selectionOf(options: OptionValues, operands: readonly string[]): BetweenStacks {
  const [from, to = from] = operands;
  if (options["declared"] === true) {
    if (from !== undefined) failConflict("--declared", "an address");
    return { declared: true };
  }
  if (from === undefined || to === undefined) missingAddress("address");
  return operands.length > 2 || operands.some(isPattern) ? { patterns: operands } : { addresses: [from, to] };
}

/** An asterisk within a quoted key is a part of the key. */
const isPattern = (operand: string): boolean => operand.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").includes("*");

function readStacks({ fromStack: from, toStack: to }: OptionValues): Stacks | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from !== undefined && to !== undefined && from !== to) return { from, to };
  return fail({
    code: "invalid_arguments",
    summary: "Two different stacks required",
    detail:
      "A move between two stacks takes --from-stack NAME and --to-stack NAME with two different stacks. Give both.",
  });
}

/** A move between stacks names its stacks, and their backends give the locations of the states. */
function onlyStacks(between: Stacks, { config, state, stacks }: StateLocationArguments): Stacks {
  if (config !== undefined) failConflict("--from-stack", "--config");
  if (state !== undefined) failConflict("--from-stack", "--state");
  if (stacks.length > 0) failConflict("--from-stack", "--stack");
  return between;
}

function notBetween(): never {
  return fail({
    code: "invalid_arguments",
    summary: "Two stacks required",
    detail:
      "--declared and patterns select what moves from the state of one stack to that of another. Give --from-stack NAME and " +
      "--to-stack NAME as well.",
  });
}

function missingAddress(name: "address" | "new-address"): never {
  const why =
    name === "address"
      ? "give what moves: an address or, between two stacks, patterns or --declared"
      : "within one state an object moves to another address";
  return fail({
    code: "invalid_arguments",
    summary: "Missing argument",
    detail: `Missing required argument '${name}': ${why}. See \`steward state mv --help\`.`,
  });
}

export const pullLine: CommandLine<StateLocationArguments> = {
  name: "state pull",
  summary: "write the state as JSON to stdout",
  description:
    "Writes the state to stdout in Terraform's format, with sensitive values; nothing when there is no state.",
  examples: [["steward state pull > copy.tfstate", "save a copy of the state from any backend"]],
  define: (command) =>
    void reword(defineStateLocation(command), { "--json": "has no effect: the output is always JSON" }),
  read: readStateLocation,
};

export const pushLine: CommandLine<PushArguments> = {
  name: "state push",
  summary: "replace the state by that of a file",
  description:
    "Replaces the state by one that `steward state pull` or Terraform wrote. Refuses a state of another lineage, and one that is not newer and differs: --force replaces the state anyway. While an interrupted run is not recovered, it refuses every state: run a plan first. For a state in a file, the backup beside it keeps the former content.",
  examples: [
    ["steward state push fixed.tfstate", "after a repair by hand; raise `serial` in the file first"],
    ["terraform state pull | steward state push -", "take over the state of Terraform"],
    ["steward state push --force --stack web old.tfstate", "go back to an older state of one stack"],
  ],
  define: (command) =>
    void defineEdit(command)
      .option("--force", "replace the state even if it is unrelated or newer")
      .argument("<file>", "the state to push; - reads it from standard input"),
  read: (options, [file]) => ({ ...readEdit(options), file: file!, force: options["force"] === true }),
};

export const migrateLine: CommandLine<MigrateArguments> = {
  name: "state migrate",
  summary: "copy the state to another place",
  description:
    "Copies the states of the app's stacks to another place, under the locks of both, and reads each copy back. The old states stay where they are: change the backend in the code afterwards, and remove the old states once a plan shows no changes. A new place that holds another state is refused, and nothing is copied. User and password of an address come from TF_HTTP_USERNAME and TF_HTTP_PASSWORD.",
  examples: [
    [
      "steward state migrate --to 'https://git.example/api/v4/projects/42/terraform/state/{stack}'",
      "from files to the platform, for laptops and pipelines alike",
    ],
    ["steward state migrate --to 'states/{stack}.tfstate' --dry-run", "show what would be copied to files"],
  ],
  define: (command) =>
    void defineEdit(command).requiredOption(
      "--to <place>",
      "a file, or the address of a state over HTTP whose lock is at ADDRESS/lock; {stack} stands for the name of each stack",
    ),
  read: (options) => ({ ...readEdit(options), to: options["to"] }),
};

export const replaceProviderLine: CommandLine<ReplaceProviderArguments> = {
  name: "state replace-provider",
  summary: "change the provider's source address in the state",
  description:
    "Changes the source address of the provider that manages objects of the state, for example after the provider was published in another registry. Asks for approval. The objects stay unchanged on the service.",
  examples: [
    [
      "steward state replace-provider registry.steward.example/steward/steward registry.example.com/platform/steward",
      "the provider has moved to a registry of your own",
    ],
  ],
  define: (command) =>
    void defineEdit(command)
      .option("--auto-approve", "do not ask for approval")
      .argument("<from>", "current source address, such as registry.steward.example/steward/steward")
      .argument("<to>", "new source address"),
  read: (options, [from, to]) => ({
    ...readEdit(options),
    from: from!,
    to: to!,
    autoApprove: options["autoApprove"] === true,
  }),
};

export const unlockLine: CommandLine<UnlockArguments> = {
  name: "state unlock",
  summary: "remove a stale lock",
  description:
    "Removes the lock with this id; the error of a locked state names the id. Make sure that no other run uses the state.",
  examples: [["steward state unlock 4ae3c3ac-1d1f-4d5c-8d4b-7f3f2c8b9a10", "after a runner has crashed"]],
  define: (command) => void defineStateLocation(command).argument("<id>", "the lock's id"),
  read: (options, [id]) => ({ ...readStateLocation(options), id: id! }),
};
