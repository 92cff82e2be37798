import { shellWord } from "../text";

/**
 * A command or a block that fixes a problem, as data. Each host formats this data for its users, for example as `steward
 * import` or `terraform import`. If `address` is omitted, the action is about the object of the diagnostic, and the host adds
 * the address.
 */
export type DiagnosticAction =
  /** Import a live object into the state. */
  | { readonly kind: "import"; readonly address?: string; readonly id: string }
  /** Remove an object from the state, and keep it on the service. `stack` names the stack of the state. */
  | { readonly kind: "stateRm"; readonly address?: string; readonly stack?: string }
  /** Remove several objects from the state, because they have a problem with the same cause. */
  | { readonly kind: "stateRmAll"; readonly addresses: readonly string[] }
  /** Give an object another address in the same state, or move it to the state of another stack. */
  | {
      readonly kind: "move";
      readonly from: string;
      readonly to: string;
      readonly stacks?: { readonly from: string; readonly to: string };
    }
  /**
   * Move objects to the state of the stack `to`: all objects that this stack declares, or all objects that match the patterns.
   */
  | {
      readonly kind: "moveAll";
      readonly stacks: { readonly from: string; readonly to: string };
      readonly patterns?: readonly string[];
    }
  /**
   * Plan, and recover the changes of an interrupted run. `stack` is the only stack to plan, `lock: false` takes no lock, and
   * `out` is a file for the plan.
   */
  | { readonly kind: "plan"; readonly stack?: string; readonly lock?: false; readonly out?: string }
  /** Apply another stack, which must come first. Without `stack`, apply all stacks. */
  | { readonly kind: "apply"; readonly stack?: string }
  /** Run Terraform or OpenTofu on the same configuration, for features that the embedded engine does not have. */
  | { readonly kind: "other"; readonly program: OtherProgram; readonly target?: string }
  /** List the addresses of the objects in the state. */
  | { readonly kind: "list" }
  /** List the resource types of the provider. */
  | { readonly kind: "types" }
  /** Show the plan in a file. */
  | { readonly kind: "show"; readonly file: string }
  /** Copy a state from a file to another place. */
  | { readonly kind: "migrate"; readonly state: string; readonly to: string }
  /** Remove the lock of a state. */
  | { readonly kind: "unlock"; readonly id: string }
  /** Declare the new address of an object. If the addresses are not known, the action has only the type. */
  | { readonly kind: "moved"; readonly from: string; readonly to: string }
  | { readonly kind: "moved"; readonly type: string }
  /**
   * Remove one address of an object from the state, and keep the object. `type` is the type of the object. If another
   * address of this type keeps the object, that address may have to import the object with `id`.
   */
  | { readonly kind: "removed"; readonly type: string; readonly id?: string }
  /** Remove an object of this type from the state, because the object can't be read. */
  | { readonly kind: "forget"; readonly type: string };

/** Commands of Terraform and OpenTofu for features that the embedded engine does not have. */
export const OTHER_PROGRAMS = [
  "terraform plan",
  "terraform apply",
  "terraform query",
  "terraform test",
  "tofu plan",
] as const;
export type OtherProgram = (typeof OTHER_PROGRAMS)[number];

/** An action as text for the users of a host. */
export interface ActionText {
  /** The sentence at the end of the detail. */
  readonly sentence?: string;
  /** The lines below the detail: a command to copy, or a block. */
  readonly lines: readonly string[];
}

/** Formats an action for a host. The action concerns the object at an address, if the address is known. */
export type WriteAction = (action: DiagnosticAction, address: string | undefined) => ActionText;

/** The commands of a host, by action. */
export type CommandNames = Readonly<
  Record<
    | "import"
    | "stateRm"
    | "move"
    | "plan"
    | "apply"
    | "migrate"
    | "unlock"
    | "list"
    | "types"
    | "show"
    /** The text before the name of a program, for an action of the kind `other`. */
    | "other",
    string
  >
>;

/** The placeholder for an unknown address. */
const UNKNOWN_ADDRESS = "ADDRESS";

/** Adds the address of the diagnostic's object to an action about this object, if the address is known. */
export function completeAction(action: DiagnosticAction, address: string | undefined): DiagnosticAction {
  const isAboutObject = action.kind === "import" || action.kind === "stateRm";
  return isAboutObject && action.address === undefined && address !== undefined
    ? { ...action, address }
    : action;
}

/** Returns the command of an action for a POSIX shell. Returns undefined for a block, and for several commands. */
export function actionCommand(
  action: DiagnosticAction,
  names: CommandNames,
  address = UNKNOWN_ADDRESS,
): string | undefined {
  switch (action.kind) {
    case "import":
      return commandLine(names.import, [], [action.address ?? address, action.id]);
    case "stateRm":
      return commandLine(names.stateRm, option("--stack", action.stack), [action.address ?? address]);
    case "stateRmAll":
      return commandLine(names.stateRm, [], action.addresses);
    case "move": {
      const { stacks, from, to } = action;
      const options = [...option("--from-stack", stacks?.from), ...option("--to-stack", stacks?.to)];
      return commandLine(names.move, options, from === to ? [from] : [from, to]);
    }
    case "moveAll": {
      const { stacks, patterns = [] } = action;
      const options = [...option("--from-stack", stacks.from), ...option("--to-stack", stacks.to)];
      return commandLine(names.move, patterns.length > 0 ? options : [...options, "--declared"], patterns);
    }
    case "plan": {
      const options = [...option("--stack", action.stack), ...option("--out", action.out)];
      return `${commandLine(names.plan, options, [])}${action.lock === false ? " --lock=false" : ""}`;
    }
    case "apply":
      return commandLine(names.apply, option("--stack", action.stack), []);
    case "other":
      return [
        `${names.other}${action.program}`,
        ...(action.target === undefined ? [] : [`-target=${shellWord(action.target)}`]),
      ].join(" ");
    case "list":
    case "types":
      return names[action.kind];
    case "show":
      return commandLine(names.show, [], [action.file]);
    case "migrate":
      return commandLine(names.migrate, ["--state", action.state, "--to", action.to], []);
    case "unlock":
      return commandLine(names.unlock, [], [action.id]);
    default:
      return undefined;
  }
}

const option = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [name, value];

/**
 * Builds a command. If an operand begins with `-`, adds `--` before the operands, so that the program does not read the operand
 * as an option.
 */
function commandLine(name: string, options: readonly string[], operands: readonly string[]): string {
  const end = operands.some((operand) => operand.startsWith("-")) ? ["--"] : [];
  return [name, ...[...options, ...end, ...operands].map(shellWord)].join(" ");
}

/** Returns the block that declares a new address of an object, and the equivalent call in an app. */
export function declaredMove(action: Extract<DiagnosticAction, { kind: "moved" }>) {
  const { from, to } = "type" in action ? { from: `${action.type}.OLD`, to: `${action.type}.NEW` } : action;
  return {
    block: ["moved {", `  from = ${from}`, `  to   = ${to}`, "}"],
    call: `resource.moveFromId(${JSON.stringify(from)})`,
  };
}
