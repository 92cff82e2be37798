import type { Stacks } from "../../engine";
import { type ArgumentsOf, commandLine } from "./command-line";
import { failConflict, type Given, invalid, oneEach, option, options, reworded } from "./option";
import { IMPORT_EXISTING, LEAVING, LOCK_TIMEOUT, REFRESH, RUN, SOURCE, STATE } from "./shared-options";

/** The options that name the state, for commands with positional arguments. In each occurrence, an option takes one value. */
const STATE_LOCATION = oneEach({ ...SOURCE, ...STATE });

export const showLine = commandLine({
  name: "show",
  summary: "show the state, or a saved plan",
  description:
    "Shows a state file, the states of the app's stacks, or a saved plan. With --json, it prints the format of `terraform show -json`. The JSON of a state contains sensitive values. The JSON of a plan does not.",
  examples: {
    "steward show": "show the state of the app's stacks",
    "steward show --json plan.steward": "show a saved plan as JSON, for conftest and other policy tools",
    "steward show --json terraform.tfstate": "show a state file as JSON, without a configuration",
  },
  options: reworded(STATE_LOCATION, { json: "print JSON, in the format of `terraform show -json`" }),
  operands: { file: option("[file]: saved plan or state file", { excludes: ["--state"] }) },
  read: (given) => ({ ...given, state: given.file ?? given.state }),
});
export type ShowArguments = ArgumentsOf<typeof showLine>;

export const outputLine = commandLine({
  name: "output",
  summary: "show the outputs in the state",
  description: "Shows all outputs of the last apply, or one of them.",
  examples: {
    "steward output": "show all outputs, without sensitive values",
    "steward output url --raw": "print one raw value, for a script",
    "steward output --json --state terraform.tfstate": "print all outputs as JSON, without a configuration",
  },
  options: {
    ...reworded(STATE_LOCATION, {
      json: "print the outputs as JSON, in the format of `terraform output -json`",
    }),
    raw: option("--raw: print one output as plain text", { excludes: ["--json"] }),
  },
  operands: { name: option("[name]: name of one output") },
});

export const explainLine = commandLine({
  name: "explain",
  summary: "show what a plan decides about a project, and the source of each setting",
  description:
    "Shows what a plan decides about each object of a project, and why. Includes objects in the state that are no longer declared. Also shows every declared setting: its value, its declaration or layer with file and line, and overridden values. Shows the live value if it differs. Plans the stacks without a lock, and changes nothing.",
  examples: {
    "steward explain acme/web-shop": "show the decision about each object, and the source of each setting",
    "steward explain acme/web-shop --json": "print one JSON object",
  },
  options: oneEach(
    reworded(
      {
        ...RUN,
        ...REFRESH,
        importExisting: { ...IMPORT_EXISTING.importExisting, excludes: ["--refresh=false"] },
        ...LEAVING,
      },
      { json: "print the decisions and settings as one JSON object" },
    ),
  ),
  operands: { project: option("<project>: full path or numeric ID of the project") },
  read: (given) => ({ ...given, lock: true }),
});

const EDIT = {
  ...STATE_LOCATION,
  ...LOCK_TIMEOUT,
  dryRun: option("--dry-run: show the changes without making them"),
};

export const listLine = commandLine({
  name: "state list",
  summary: "list the addresses in the state",
  description:
    "Lists the addresses in the state, one per line. Arguments limit the list to these resources, instances or modules.",
  examples: {
    "steward state list": "list all objects in the states of the app's stacks",
    "steward state list steward_protected_environment.all --state old.tfstate":
      "list the instances of one resource",
    "steward state list --id 42:production": "show the address of the object with this ID",
  },
  options: {
    ...reworded(STATE_LOCATION, { json: "print the addresses as a JSON array" }),
    id: option("--id <id>: list only objects with this ID"),
  },
  operands: { addresses: option("[address...]: resources, instances or modules") },
});
export type ListArguments = ArgumentsOf<typeof listLine>;

export const showStateLine = commandLine({
  name: "state show",
  summary: "show one object of the state",
  description:
    "Shows the object at an address of the state. With --json, it prints the format of `steward show --json`, limited to that object.",
  examples: {
    "steward state show steward_job_token_scope.limit": "show all attributes of one object",
  },
  options: reworded(STATE_LOCATION, { json: "print JSON, in the format of `terraform show -json`" }),
  operands: { address: option("<address>: address of the object") },
});

export const removeLine = commandLine({
  name: "state rm",
  summary: "remove objects from the state, not from the service",
  description:
    "Removes objects from the state. They stay unchanged on the service. If an object is still declared, the next plan creates it, unless you run `steward import` first.",
  examples: {
    "steward state rm steward_protected_environment.old": "remove one object",
    "steward state rm 'steward_job_token_scope.each[\"docs\"]' --dry-run":
      "show what the command would remove",
  },
  options: EDIT,
  operands: { addresses: option("<address...>: resources, instances or modules") },
});
export type RemoveArguments = ArgumentsOf<typeof removeLine>;

const MOVE = {
  ...EDIT,
  // A move between stacks has no `--state`: its options name two stacks, and the backends of these stacks say where the states
  // are.
  fromStack: option("--from-stack <name>: source stack; requires --to-stack", {
    excludes: ["--config", "--state", "--stack"],
  }),
  ...options({
    toStack: "--to-stack <name>: destination stack; requires --from-stack",
    declared: "--declared: move all objects that the destination stack declares; needs no address",
  }),
};

const MOVED = {
  address: option("[address]: current address, or a pattern with * as a wildcard"),
  more: option("[new-address...]: new address (optional between two stacks), or more patterns"),
};

/**
 * The objects that move between two stacks: one address, all matching addresses, or all objects that the target stack declares.
 */
export type BetweenStacks =
  | { readonly addresses: readonly [from: string, to: string] }
  | { readonly patterns: readonly string[] }
  | { readonly declared: true };

/** The arguments of a move between two addresses in one state, or between two stacks. */
export type MoveArguments = Given<typeof EDIT> &
  (
    | { readonly between?: undefined; readonly addresses: readonly [from: string, to: string] }
    | ({ readonly between: Stacks } & BetweenStacks)
  );

export const moveLine = commandLine({
  name: "state mv",
  summary: "move an object to another address",
  description:
    "Moves an object in the state to another address of the same type, so that a renamed resource is not replaced. With --from-stack and --to-stack, it moves objects between the states of two stacks. --declared moves all objects that the destination stack declares. A pattern moves all objects with a matching address. The command lists the objects before it moves them. After an interruption, run it again to complete the move.",
  examples: {
    "steward state mv steward_job_token_scope.a steward_job_token_scope.b": "move a renamed resource",
    "steward state mv steward_job_token_scope.a 'steward_job_token_scope.each[\"a\"]'":
      "move a resource that now uses for_each",
    "steward state mv --from-stack web --to-stack base steward_job_token_scope.a":
      "move a resource that another stack now declares",
    "steward state mv --from-stack web --to-stack base --declared":
      "move all objects that another stack now declares",
    "steward state mv --from-stack web --to-stack base 'steward_*.shop_*'":
      "move all objects with matching addresses",
  },
  options: MOVE,
  operands: MOVED,
  read: ({ fromStack, toStack, declared, address, more, ...given }): MoveArguments => {
    const between = stacksOf(fromStack, toStack);
    const operands = address === undefined ? [] : [address, ...more];
    if (between !== undefined) return { ...given, between, ...selectionOf(declared, operands) };
    const [from, to, ...others] = operands;
    if (declared || others.length > 0)
      invalid(
        "Two stacks required",
        "--declared and patterns move objects from the state of one stack to another. Also pass --from-stack NAME and " +
          "--to-stack NAME.",
      );
    if (from === undefined) missingAddress("address");
    if (to === undefined) missingAddress("new-address");
    return { ...given, addresses: [from, to] };
  },
});

/** Returns the selection of the objects that move between two stacks. */
function selectionOf(isDeclared: boolean, operands: readonly string[]): BetweenStacks {
  const [from, to = from] = operands;
  if (isDeclared) {
    if (from !== undefined) failConflict("--declared", "an address");
    return { declared: true };
  }
  if (from === undefined || to === undefined) missingAddress("address");
  return operands.length > 2 || operands.some(isPattern) ? { patterns: operands } : { addresses: [from, to] };
}

/** Returns true if an address is a pattern. An asterisk within a quoted key belongs to the key. */
const isPattern = (operand: string): boolean => operand.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").includes("*");

function stacksOf(from: string | undefined, to: string | undefined): Stacks | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from !== undefined && to !== undefined && from !== to) return { from, to };
  return invalid(
    "Two different stacks required",
    "A move between stacks needs --from-stack NAME and --to-stack NAME with two different stacks. Pass both options.",
  );
}

function missingAddress(name: "address" | "new-address"): never {
  const why =
    name === "address"
      ? "pass an address; between two stacks, you can also pass patterns or --declared"
      : "within one state, an object moves to another address";
  return invalid(
    "Missing argument",
    `Missing required argument '${name}': ${why}. See \`steward state mv --help\`.`,
  );
}

export const pullLine = commandLine({
  name: "state pull",
  summary: "write the state as JSON to stdout",
  description:
    "Writes the state to stdout in Terraform's format, with sensitive values. Without a state, it writes nothing.",
  examples: {
    "steward state pull > copy.tfstate": "save a copy of the state from any backend",
  },
  options: reworded(STATE_LOCATION, { json: "has no effect; the output is always JSON" }),
});

export const pushLine = commandLine({
  name: "state push",
  summary: "replace the state with a file",
  description:
    "Replaces the state with a file from `steward state pull` or Terraform. Refuses a file with another lineage, and a file with different content unless it is newer. --force replaces the state anyway. After an interrupted run, run a plan first. For a local state, the backup file keeps the old content.",
  examples: {
    "steward state push fixed.tfstate": "push a repaired state, after you raised its `serial`",
    "terraform state pull | steward state push -": "take over a Terraform state",
    "steward state push --force --stack web old.tfstate": "restore an older state of one stack",
  },
  options: { ...EDIT, force: option("--force: replace the state even if it is unrelated or newer") },
  operands: { file: option("<file>: state file to push, or - for stdin") },
});

export const migrateLine = commandLine({
  name: "state migrate",
  summary: "copy the state to another location",
  description:
    "Copies the states of the app's stacks to another location, and reads each copy back. Locks both locations. The old states stay in place. Then change the backend in the code, and remove the old states once a plan shows no changes. If a new location already contains another state, Steward copies nothing. TF_HTTP_USERNAME and TF_HTTP_PASSWORD give the user and password for an HTTP address.",
  examples: {
    "steward state migrate --to 'https://git.example/api/v4/projects/42/terraform/state/{stack}'":
      "copy the states from local files to the platform",
    "steward state migrate --to 'states/{stack}.tfstate' --dry-run": "show what the command would copy",
  },
  options: {
    ...EDIT,
    to: option(
      "--to <place>: file, or HTTP address with the lock at ADDRESS/lock; Steward replaces {stack} with each stack's name",
      { isRequired: true },
    ),
  },
  read: (given) => ({ ...given, to: given.to! }),
});

export const replaceProviderLine = commandLine({
  name: "state replace-provider",
  summary: "change the provider's source address in the state",
  description:
    "Changes the source address of the provider in the state, for example after the provider moved to another registry. Asks for approval. The objects stay unchanged on the service.",
  examples: {
    "steward state replace-provider registry.steward.example/steward/steward registry.example.com/platform/steward":
      "use a private registry",
  },
  options: { ...EDIT, autoApprove: option("--auto-approve: do not ask for approval") },
  operands: {
    from: option("<from>: current source address, such as registry.steward.example/steward/steward"),
    to: option("<to>: new source address"),
  },
});

export const unlockLine = commandLine({
  name: "state unlock",
  summary: "remove a stale lock",
  description:
    "Removes the lock with this ID. The error for a locked state shows the ID. First make sure that no other run uses the state.",
  examples: {
    "steward state unlock 4ae3c3ac-1d1f-4d5c-8d4b-7f3f2c8b9a10": "remove the lock of a crashed runner",
  },
  options: STATE_LOCATION,
  operands: { id: option("<id>: ID of the lock") },
});
