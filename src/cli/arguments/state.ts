import type { Command, OptionValues } from "commander";
import { fail } from "../../diagnostics";
import type { Stacks } from "../../state";
import type { CommandLine } from "./command-line";
import {
  defineLock,
  defineSource,
  defineState,
  doNotGoTogether,
  readLock,
  readSource,
  readState,
  type SourceArguments,
  type StateArguments,
} from "./stack-options";

/** What all commands on states take: where the state is. */
type PlaceArguments = SourceArguments & StateArguments;

export interface ListArguments extends PlaceArguments {
  /** All objects without any. */
  readonly addresses: readonly string[];
  /** Only objects with this id. */
  readonly id: string | undefined;
}

export interface ShowStateArguments extends PlaceArguments {
  readonly address: string;
}

interface EditArguments extends PlaceArguments {
  readonly lockTimeout: number;
  /** Tell only. */
  readonly dryRun: boolean;
}

export interface RemoveArguments extends EditArguments {
  readonly addresses: readonly string[];
}

export interface MoveArguments extends EditArguments {
  readonly from: string;
  readonly to: string;
  /** The stacks between whose states it moves; nothing within one state. */
  readonly between?: Stacks;
}

export interface UnlockArguments extends PlaceArguments {
  readonly id: string;
}

const definePlace = (command: Command): Command => defineState(defineSource(command, "one at a time"));
const readPlace = (options: OptionValues): PlaceArguments => ({
  ...readSource(options),
  ...readState(options),
});

const defineEdit = (command: Command): Command =>
  defineLock(definePlace(command)).option("--dry-run", "say what would be done, and do nothing");
const readEdit = (options: OptionValues): EditArguments => ({
  ...readPlace(options),
  ...readLock(options),
  dryRun: options["dryRun"] === true,
});

export const listLine: CommandLine<ListArguments> = {
  name: "state list",
  summary: "list the addresses in the state",
  description:
    "Lists the objects in the state, one address a line: all, or those of the resources, instances or modules that are named.",
  examples: [
    ["steward state list", "everything in the state of the app's stacks"],
    [
      "steward state list steward_protected_environment.all --state old.tfstate",
      "the instances of one resource",
    ],
    ["steward state list --id 42:production", "the address of an object whose id is known"],
  ],
  define: (command) =>
    void definePlace(command)
      .option("--id <id>", "only objects with this id")
      .argument("[address...]", "resources, instances or modules"),
  read: (options, addresses) => ({ ...readPlace(options), addresses, id: options["id"] }),
};

export const showLine: CommandLine<ShowStateArguments> = {
  name: "state show",
  summary: "show one object of the state",
  description:
    "Shows what the state holds at an address. With --json in the shape of `steward show --json`, with that object alone.",
  examples: [["steward state show steward_job_token_scope.limit", "all attributes of one object"]],
  define: (command) => void definePlace(command).argument("<address>", "what to show"),
  read: (options, [address]) => ({ ...readPlace(options), address: address! }),
};

export const removeLine: CommandLine<RemoveArguments> = {
  name: "state rm",
  summary: "forget objects, and leave them on the service",
  description:
    "Takes objects out of the state. They stay on the service as they are; what the code still declares is planned anew, or taken back with `steward import`.",
  examples: [
    ["steward state rm steward_protected_environment.old", "forget one object"],
    ["steward state rm 'steward_job_token_scope.each[\"docs\"]' --dry-run", "see what would be forgotten"],
  ],
  define: (command) => void defineEdit(command).argument("<address...>", "resources, instances or modules"),
  read: (options, addresses) => ({ ...readEdit(options), addresses }),
};

export const moveLine: CommandLine<MoveArguments> = {
  name: "state mv",
  summary: "give an object another address",
  description:
    "Gives an object of the state another address, after the code named it anew, so that it is not replaced. Of one type to the same type alone. With --from-stack and --to-stack it moves from the state of one stack to that of another, at the same address where no other is named; run again after an interruption, the command finishes the move.",
  examples: [
    [
      "steward state mv steward_job_token_scope.a steward_job_token_scope.b",
      "a resource has another name now",
    ],
    [
      "steward state mv steward_job_token_scope.a 'steward_job_token_scope.each[\"a\"]'",
      "a resource is one of for_each now",
    ],
    [
      "steward state mv --from-stack web --to-stack base steward_job_token_scope.a",
      "another stack of the app declares it now",
    ],
  ],
  define: (command) =>
    void defineEdit(command)
      .option("--from-stack <name>", "the stack whose state it leaves; with --to-stack")
      .option("--to-stack <name>", "the stack whose state it goes to; with --from-stack")
      .argument("<address>", "where it is")
      .argument("[new-address]", "where it shall be; between two stacks the same address without it"),
  read: (options, [from, to]) => {
    const between = readStacks(options);
    if (to === undefined && between === undefined) missingAddress();
    const args = { ...readEdit(options), from: from!, to: to ?? from! };
    return between === undefined ? args : { ...args, between: onlyStacks(between, args) };
  },
};

function readStacks({ fromStack: from, toStack: to }: OptionValues): Stacks | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from !== undefined && to !== undefined && from !== to) return { from, to };
  return fail({
    code: "invalid_arguments",
    summary: "Two stacks have to be named",
    detail:
      "A move between two stacks takes --from-stack NAME and --to-stack NAME, and the two differ. Give both.",
  });
}

/** A move between stacks says itself which they are, and their backends say where the states are. */
function onlyStacks(between: Stacks, { config, state, stacks }: PlaceArguments): Stacks {
  if (config !== undefined) doNotGoTogether("--from-stack", "--config");
  if (state !== undefined) doNotGoTogether("--from-stack", "--state");
  if (stacks.length > 0) doNotGoTogether("--from-stack", "--stack");
  return between;
}

const missingAddress = (): never =>
  fail({
    code: "invalid_arguments",
    summary: "Missing argument",
    detail:
      "Missing required argument 'new-address': within one state an object moves to another address. See `steward state mv --help`.",
  });

export const pullLine: CommandLine<PlaceArguments> = {
  name: "state pull",
  summary: "write the state as it is kept, as JSON",
  description:
    "Writes the state to stdout in Terraform's own format, sensitive values included; nothing where there is no state yet.",
  examples: [["steward state pull > copy.tfstate", "keep a copy of a state, wherever it is kept"]],
  define: (command) => void definePlace(command),
  read: readPlace,
};

export const unlockLine: CommandLine<UnlockArguments> = {
  name: "state unlock",
  summary: "remove a lock that was left behind",
  description:
    "Removes the lock with this id, which the message of a locked state names. Be certain that nobody works on the state any more.",
  examples: [["steward state unlock 4ae3c3ac-1d1f-4d5c-8d4b-7f3f2c8b9a10", "after a runner vanished"]],
  define: (command) => void definePlace(command).argument("<id>", "the lock's id"),
  read: (options, [id]) => ({ ...readPlace(options), id: id! }),
};
