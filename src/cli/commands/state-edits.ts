import { existsSync } from "node:fs";
import path from "node:path";
import {
  decodeStateText,
  editState,
  emptyState,
  type LoadedStacks,
  type MoveChoice,
  migrateStates,
  migrationsTo,
  moveBetweenStacks,
  moveInState,
  type NamedState,
  parseState,
  previewMigration,
  previewMove,
  previewPush,
  pushState,
  removeFromState,
  replaceProvider,
  requireSingle,
  type Stacks,
  type State,
  type StateMove,
  type StatePlace,
  stateHolding,
  statePlaces,
  statesOf,
} from "../../engine";
import type { CommandFunction } from "../arguments/command-line";
import type {
  BetweenStacks,
  MoveArguments,
  migrateLine,
  pushLine,
  RemoveArguments,
  replaceProviderLine,
  unlockLine,
} from "../arguments/states";
import { asksApproval, notApproved, requireApproval } from "../stack-runs/ask-approval";
import { loadNamedStacks, namedStatePlaces, readNamedStates } from "../stack-runs/load-stacks";
import { ownProviders } from "../stack-runs/providers";
import { whileEditing } from "../terminal/interruption";
import { readNamed, type Terminal } from "../terminal/terminal";
import {
  providerQuestion,
  writeMigrated,
  writeMoved,
  writeMovedWithin,
  writeMoving,
  writeProviderReplaced,
  writePushed,
  writeRemoved,
  writeUnlocked,
} from "../views/state-changes";

/** Locks a state and edits it. With --dry-run, edits only a copy in memory, without a lock. */
const edited = async <T extends { readonly state: State }>(
  operation: string,
  { backend, state = emptyState() }: StatePlace & Partial<NamedState>,
  args: { readonly lockTimeout: number; readonly dryRun: boolean },
  terminal: Terminal,
  edit: (state: State) => T,
): Promise<T> =>
  args.dryRun
    ? edit(state)
    : whileEditing(operation, args, terminal, (options) => editState(backend, options, edit));

/**
 * Returns the state that contains objects at all addresses. If there is only one state, returns the location of this state
 * without reading the state. Reading a state with 100,000 objects takes long, and the edit reads the state later anyway.
 */
async function stateToEdit(
  args: RemoveArguments | MoveArguments,
  addresses: readonly string[],
  terminal: Terminal,
): Promise<StatePlace & Partial<NamedState>> {
  const places = await namedStatePlaces(args, terminal);
  const isThere = args.state === undefined || existsSync(path.resolve(terminal.folder, args.state));
  if (places.length === 1 && isThere && !args.dryRun) return places[0]!;
  return stateHolding(await readNamedStates(args, terminal, places), addresses);
}

/** Removes objects from a state. */
export async function removeState(args: RemoveArguments, terminal: Terminal): Promise<number> {
  const { addresses } = args;
  const named = await stateToEdit(args, addresses, terminal);
  const { removed } = await edited("state rm", named, args, terminal, (state) =>
    removeFromState(state, addresses),
  );
  writeRemoved(removed, terminal, args);
  return 0;
}

type Arguments = MoveArguments & { readonly between: Stacks } & BetweenStacks;

/** Moves objects between the states of two stacks. Before that, completes an earlier move that was interrupted. */
async function moveBetween(args: Arguments, terminal: Terminal): Promise<number> {
  const { between } = args;
  const loaded = await loadNamedStacks({ ...args, stacks: [between.from, between.to] }, terminal);
  const named = (name: string) => loaded.stacks.find((stack) => stack.name === name)!;
  const choice = choiceOf(args, loaded, terminal);
  const request = { source: named(between.from), target: named(between.to), ...choice };
  if (args.dryRun) {
    writeMoved(await previewMove(request, terminal), args, terminal, args);
    return 0;
  }
  const moves: StateMove[] = [];
  const onPlanned = (move: StateMove): void => {
    moves.push(move);
    if (!("addresses" in args)) writeMoving(move, terminal, args);
  };
  const last = await whileEditing("state mv", args, terminal, (options) =>
    moveBetweenStacks(request, terminal, { ...options, onPlanned }),
  );
  const isOfMany = !("addresses" in args);
  const objects = isOfMany
    ? moves.flatMap((move) => (move.from.stack === between.from ? move.objects : []))
    : last.objects;
  writeMoved({ ...last, objects }, args, terminal, args);
  return 0;
}

const choiceOf = (args: BetweenStacks, loaded: LoadedStacks, terminal: Terminal): MoveChoice =>
  "declared" in args ? { declared: { loaded, providers: ownProviders(terminal), variables: [] } } : args;

/** Changes addresses of objects in a state. */
export async function moveState(args: MoveArguments, terminal: Terminal): Promise<number> {
  if (args.between !== undefined) return moveBetween(args, terminal);
  const [from, to] = args.addresses;
  const named = await stateToEdit(args, [from], terminal);
  const { moved } = await edited("state mv", named, args, terminal, (state) => moveInState(state, from, to));
  writeMovedWithin(moved, terminal, args);
  return 0;
}

/** Replaces a state with the state in a file. */
export const pushIntoState: CommandFunction<typeof pushLine> = async (args, terminal) => {
  const { backend } = requireSingle(await namedStatePlaces(args, terminal), "state push");
  const { bytes, name } = await readNamed(args.file, "state_not_found", terminal);
  const request = { state: parseState(decodeStateText(bytes, name), name), force: args.force };
  const pushed = args.dryRun
    ? await previewPush(backend, request)
    : await whileEditing("state push", args, terminal, (options) => pushState(backend, request, options));
  writePushed(backend.description, pushed, terminal, args);
  return 0;
};

/** Changes the source address of a provider in a state. */
export const replaceProviderInState: CommandFunction<typeof replaceProviderLine> = async (args, terminal) => {
  const { from, to, autoApprove, dryRun } = args;
  const named = requireSingle(await readNamedStates(args, terminal), "state replace-provider");
  const replace = (state: State) => replaceProvider(state, from, to);
  const preview = replace(named.state ?? emptyState());
  if (dryRun || preview.replaced.length === 0) {
    writeProviderReplaced(preview.replaced, terminal, args);
    return 0;
  }
  requireApproval("state replace-provider", args, terminal);
  const isApproved = autoApprove || (await asksApproval(terminal, providerQuestion(preview.replaced, args)));
  if (!isApproved) {
    terminal.err.line(notApproved(undefined, []));
    return 1;
  }
  const { replaced } = await edited("state replace-provider", named, args, terminal, replace);
  writeProviderReplaced(replaced, terminal, args);
  return 0;
};

/** Copies states to another backend, and keeps the originals. */
export const migrate: CommandFunction<typeof migrateLine> = async (args, terminal) => {
  const loaded = args.state === undefined ? await loadNamedStacks(args, terminal) : undefined;
  const places =
    loaded === undefined ? await namedStatePlaces(args, terminal) : await statePlaces(loaded, terminal);
  const present = loaded && statesOf(loaded, terminal);
  const migrations = migrationsTo(args.to, places, terminal);
  const migrated = args.dryRun
    ? await previewMigration(migrations, present)
    : await whileEditing("state migrate", args, terminal, (options) =>
        migrateStates(migrations, options, present),
      );
  writeMigrated(migrated, terminal, args);
  return 0;
};

/** Removes a stale lock. */
export const unlockState: CommandFunction<typeof unlockLine> = async (args, terminal) => {
  const { backend } = requireSingle(await namedStatePlaces(args, terminal), "state unlock");
  const holder = await backend.unlock(args.id);
  writeUnlocked(backend.description, holder, terminal, args);
  return 0;
};
