import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { systemCode } from "../../files";
import type { Backend } from "../../language";
import {
  describeHolder,
  type HttpBackendBlock,
  LocalBackend,
  openHttpBackend,
  type StateBackend,
} from "../../state";
import { counted, shellWord } from "../../text";
import type { Environment } from "../stack-run/context";
import { DEFAULT_WORKSPACE, howToLeaveWorkspace, selectedWorkspace } from "../stack-run/workspace";
import { withJournalOf, withoutJournalOfRun } from "./journal-address";
import { DEFAULT_STATE_FILE, localStateFile, type StateSettings } from "./local-state";

/** The settings of a stack's state. */
export interface StackState extends StateSettings {
  /** The name of the stack; undefined for a configuration that belongs to no app. */
  readonly name: string | undefined;
}

/** Returns the backend of a stack's state: the given file, or the configured backend. */
export function backendOf(
  { backend, folder, name }: StackState,
  given: string | undefined,
  { folder: workingFolder, env }: Environment,
): StateBackend {
  if (given !== undefined) return new LocalBackend(path.resolve(workingFolder, given));
  const workspace = selectedWorkspace(folder, env);
  if (backend?.type === "http") {
    if (workspace !== DEFAULT_WORKSPACE) noWorkspaces(workspace);
    return httpBackend(backend, name, env);
  }
  const file = localStateFile({ backend, folder }, workspace);
  if (file === undefined) return unsupported(backend!.type, name);
  return new LocalBackend(file, { createsFolder: workspace !== DEFAULT_WORKSPACE });
}

/**
 * Returns the backend of a stack that the run does not process.
 *
 * @throws DiagnosticError if only a run of that stack can determine the backend
 */
export function backendOfUnselected(stack: StackState, environment: Environment): StateBackend {
  const { backend } = stack;
  const address = backend?.config["address"];
  if (backend?.type === "http" && (typeof address !== "string" || address === ""))
    fail({
      code: "state_http_configuration",
      summary: "Unknown state of another stack",
      detail: `The backend of the stack "${stack.name}" has no \`address\`, and TF_HTTP_ADDRESS already is the address of the stacks in this run. Set \`address\` in each stack.`,
    });
  return backendOf(stack, undefined, { ...environment, env: withoutJournalOfRun(environment.env) });
}

const noWorkspaces = (workspace: string): never =>
  fail({
    code: "workspace_unsupported",
    summary: "Workspaces not supported",
    detail: `The workspace ${JSON.stringify(workspace)} is selected (TF_WORKSPACE or \`terraform workspace select\`), but the backend "http" supports only one state. Nothing was changed. Unset TF_WORKSPACE, select the workspace "default", or use one stack for each environment.`,
  });

/**
 * Fails if the selected workspace has no state, but the state of the default workspace contains resources of the configuration.
 * Earlier releases used the default state in every workspace.
 *
 * @throws DiagnosticError `state_left_in_file`
 */
export async function requireNoDefaultState(
  settings: StateSettings,
  declared: Iterable<string>,
  { folder, env }: Environment,
): Promise<void> {
  const workspace = selectedWorkspace(settings.folder, env);
  const [source, target] = [localStateFile(settings), localStateFile(settings, workspace)];
  if (source === undefined || target === undefined || workspace === DEFAULT_WORKSPACE) return;
  if (existsSync(target)) return;
  const state = await new LocalBackend(source).read();
  const addresses = new Set(declared);
  const isDeclared = ({ mode, type, name }: { mode: string; type: string; name: string }) =>
    addresses.has(`${mode === "data" ? "data." : ""}${type}.${name}`);
  const own = (state?.resources ?? []).filter((one) => one.mode === "managed" && isDeclared(one));
  if (own.length === 0) return;
  const shown = (file: string) => shellWord(path.relative(folder, file));
  fail({
    code: "state_left_in_file",
    summary: "State is in another workspace",
    detail: [
      `The workspace ${JSON.stringify(workspace)} has no state: ${target} does not exist. ${source}, the state of the workspace "default", contains ${counted(own.length, "resource")} of this configuration. An apply would create ${own.length === 1 ? "this resource" : "these resources"} again.`,
      'Releases before 0.2.0 used the state of the workspace "default" in every workspace. If this state belongs to this workspace, move it:',
      `mkdir -p ${shown(path.dirname(target))} && mv ${shown(source)} ${shown(target)}`,
      `Otherwise work in the workspace "default" (${howToLeaveWorkspace(settings.folder, env)}). To start a new workspace, create an empty state:`,
      `mkdir -p ${shown(path.dirname(target))} && touch ${shown(target)}`,
    ],
  });
}

/**
 * Fails if the state is missing, but a file that the stack used for its state before still exists. Otherwise, a plan would create
 * everything again.
 *
 * @throws DiagnosticError `state_left_in_file`
 */
export async function requireNoStateInFile(
  stack: StackState,
  declared: Iterable<string>,
  given: string | undefined,
  environment: Environment,
): Promise<void> {
  if (given !== undefined) return;
  await requireNoDefaultState(stack, declared, environment);
  if (selectedWorkspace(stack.folder, environment.env) !== DEFAULT_WORKSPACE) return;
  const { description } = backendOf(stack, given, environment);
  for (const file of earlierFiles(stack, environment.folder)) {
    if (file === description) continue;
    const state = await new LocalBackend(file).read();
    if (state === undefined || state.resources.length === 0) continue;
    const objects = state.resources.reduce((sum, { instances }) => sum + instances.length, 0);
    fail({
      code: "state_left_in_file",
      summary: "State is in another place",
      detail: `${description} contains no state yet, but ${file} contains one with ${counted(objects, "object")}. An apply would create ${objects === 1 ? "this object" : "these objects"} again. Copy the state with this command. If the state in the file does not belong to this stack, move the file to another folder.`,
      action: {
        kind: "migrate",
        state: path.relative(environment.folder, file),
        to: shownPlace(description, environment),
      },
    });
  }
}

/** Returns the path of a file relative to the working folder. Does not change the address of a server. */
const shownPlace = (description: string, { folder }: Environment): string =>
  path.isAbsolute(description) ? path.relative(folder, description) : description;

/**
 * Returns the paths of the files in which earlier runs may have kept the state. For a stack, these are cdktf's default
 * and all states in the stack's folder. Without an app, this is Terraform's default file.
 */
function earlierFiles({ folder, name }: StackState, working: string) {
  if (name === undefined) return [path.join(folder, DEFAULT_STATE_FILE)];
  return [path.join(working, `terraform.${name}.tfstate`), ...statesIn(folder)];
}

/** Returns the paths of the files in a folder whose names end in `.tfstate`. The app chooses the name before this ending. */
function statesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const states = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".tfstate"));
    return states.map(({ name }) => path.join(folder, name)).sort();
  } catch (problem) {
    if (systemCode(problem) === "ENOENT") return [];
    throw problem;
  }
}

/** Opens the HTTP backend of a stack. TF_HTTP_ variables of the environment supply missing settings, as under Terraform. */
function httpBackend({ config }: Backend, name: string | undefined, env: Environment["env"]): StateBackend {
  const settings = Object.fromEntries(Object.entries(config).filter(([setting]) => setting !== "//"));
  return openHttpBackend(settings as HttpBackendBlock, withJournalOf(name, env));
}

function unsupported(type: string, name: string | undefined): never {
  return fail({
    code: "backend_unsupported",
    summary: "Backend not supported",
    detail: `${name === undefined ? "The configuration" : `The stack "${name}"`} uses the backend "${type}", but the embedded engine supports only "local" and "http". Use one of them, or use a local state with --state FILE. Otherwise run Terraform with this command.`,
    action: { kind: "other", program: "terraform plan" },
  });
}

/** The options of an operation that holds the lock of a state. */
export interface EditOptions {
  /** The name of the operation. The lock contains this name, so that other processes can report the operation. */
  readonly operation: string;
  /** The place of the run, such as a job. The lock contains this text, for people who find the lock. */
  readonly info?: string | undefined;
  /** The maximum wait for a locked state, in milliseconds. */
  readonly timeoutMs: number;
  /** The signal that ends the wait for the lock. */
  readonly signal?: AbortSignal | undefined;
  /** Receives a message when the operation waits for the lock, or takes over a stale lock. */
  readonly onNotice: (text: string) => void;
}

/** Holds the lock of a state while it runs `work`. Reports when it waits for the lock or takes over the lock. */
export async function withLock<T>(
  backend: StateBackend,
  { operation, info, timeoutMs, signal, onNotice }: EditOptions,
  work: () => Promise<T>,
): Promise<T> {
  const unlock = await backend.lock({
    operation,
    timeoutMs,
    ...(info && { info }),
    ...(signal && { signal }),
    onWait: (holder) => onNotice(`Waiting for the state, which is locked by ${describeHolder(holder)}.`),
  });
  if (unlock.stale !== undefined) {
    onNotice(
      `Took over the lock of the state from a process that has ended: ${describeHolder(unlock.stale)}.`,
    );
  }
  try {
    return await work();
  } finally {
    await unlock();
  }
}
