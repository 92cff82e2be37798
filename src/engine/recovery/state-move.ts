import {
  type Diagnostic,
  type DiagnosticAction,
  type DiagnosticText,
  fail,
  warning,
} from "../../diagnostics";
import { addressOfObject, instanceAddress, objectName, type ResourceAddress } from "../../language";
import {
  addressesOf,
  addressMatcher,
  emptyState,
  type FoundInstance,
  formatLine,
  type Json,
  type MovedObject,
  type MoveLine,
  type MoveSelection,
  type MoveSide,
  moveBetween,
  movesBetween,
  parseLine,
  readAddress,
  type State,
  type StateBackend,
  type StateMove,
  selectInstances,
  withoutInstances,
} from "../../state";

/** A stack and the backend of its state. The caller holds the lock of the state. */
export interface LockedStack {
  readonly stack: string;
  readonly backend: StateBackend;
}

/** Returns the provider address that an object has at its new address. */
export type ProviderOf = (to: ResourceAddress, provider: string) => string;

/** Returns the unfinished move in a journal; undefined if there is none. */
export function moveInJournal(text: string | undefined): StateMove | undefined {
  const line = parseLine(text?.split("\n", 1)[0] ?? "") as MoveLine | undefined;
  return line?.kind === "head" && (line.format === 2 || line.format === 3) ? line.move : undefined;
}

/** Throws the error for an unfinished move that concerns a stack. */
export function rejectOpenMove(move: StateMove, journal: string): never {
  const { detail, ...text } = openMoveText(move, journal);
  return fail({
    ...text,
    detail: `${detail} Neither stack can be planned or changed before the move is complete. Complete it with this command.`,
  });
}

/** Returns the warning about an unfinished move, for a state that is only read. */
export function openMoveWarning(move: StateMove, journal: string): Diagnostic {
  const { detail, ...text } = openMoveText(move, journal);
  return warning({ ...text, detail: `${detail} Complete it with this command.` });
}

function openMoveText(move: StateMove, journal: string): DiagnosticText {
  const { from, to, objects } = move;
  const what =
    "addresses" in move ? move.addresses[0] : `${objects.length} objects, such as ${objects[0]!.from},`;
  return {
    code: "state_move_open",
    summary: "Unfinished move between two stacks",
    detail: `A command was interrupted while it moved ${what} from the state of the stack "${from.stack}" to that of "${to.stack}". The journal ${journal} records the move.`,
    action: commandOf(move),
  };
}

function commandOf({ from, to, ...selection }: StateMove): DiagnosticAction {
  const stacks = { from: from.stack, to: to.stack };
  if ("patterns" in selection) return { kind: "moveAll", stacks, patterns: selection.patterns };
  if ("declared" in selection) return { kind: "moveAll", stacks };
  return { kind: "move", from: selection.addresses[0], to: selection.addresses[1], stacks };
}

/** The new addresses of objects to move, by their current addresses. */
export type ChosenMoves = ReadonlyMap<string, string>;

/** Chooses the objects to move from the state of one stack to the state of another stack. */
export type ChooseMoves = (source: State, target: State) => ChosenMoves | Promise<ChosenMoves>;

/**
 * Returns a function that chooses the objects of one address. The function chooses no object if the move is already complete,
 * for example if a command was killed at its end and runs again.
 *
 * @throws DiagnosticError in the same cases as `movesBetween`
 */
export const movesOfAddress =
  (addresses: readonly [from: string, to: string]): ChooseMoves =>
  (source, target) => {
    const hasInstances = (one: State, address: string) =>
      selectInstances(one, readAddress(address)).length > 0;
    const isDone = !hasInstances(source, addresses[0]) && hasInstances(target, addresses[1]);
    return new Map(isDone ? [] : movesBetween(source, target, addresses));
  };

/** Returns a function that chooses the objects whose addresses match a pattern. The objects keep their addresses. */
export const movesOfPatterns =
  (patterns: readonly string[]): ChooseMoves =>
  (source) => {
    const moving = selectInstances(source).filter(addressMatcher(patterns));
    return new Map(addressesOf(moving).map((address) => [address, address]));
  };

/**
 * Plans a move, and changes nothing. If there is nothing to move, the list of objects is empty.
 *
 * @throws DiagnosticError in the same cases as `choose`
 */
export async function planMove(
  source: LockedStack,
  target: LockedStack,
  selection: MoveSelection,
  choose: ChooseMoves,
): Promise<StateMove> {
  const [state = emptyState(), targetState = emptyState()] = [
    await source.backend.read(),
    await target.backend.read(),
  ];
  const newAddresses = await choose(state, targetState);
  // Calculates the move once, so that objects that can't be moved are refused before anything is written.
  moveBetween(state, targetState, newAddresses);
  const objects = selectInstances(state).flatMap(({ resource, instance }): MovedObject[] => {
    const address = instanceAddress(resource, instance);
    const to = newAddresses.get(address);
    if (to === undefined) return [];
    const { deposed, attributes } = instance;
    return [
      { from: objectName(address, deposed), to: objectName(to, deposed), id: attributes["id"] ?? null },
    ];
  });
  return { from: sideOf(source), to: sideOf(target), ...selection, objects };
}

const sideOf = ({ stack, backend: { description, version } }: LockedStack): MoveSide => ({
  stack,
  state: description,
  version: version ?? null,
});

/**
 * Records a move in both journals and performs it. Writes the target state first, so at least one state always holds the
 * objects. After an interruption at any point, the same call completes the move.
 */
export async function executeMove(
  move: StateMove,
  source: StateBackend,
  target: StateBackend,
  providerOf: ProviderOf,
): Promise<void> {
  if (move.objects.length === 0) return;
  const format = "addresses" in move ? 2 : 3;
  const line: MoveLine = { kind: "head", format, started: new Date().toISOString(), move };
  for (const { journal } of [source, target]) {
    if (moveInJournal(await journal.read()) === undefined) await journal.replace([formatLine(line)]);
  }
  const { objects } = move;
  const [before = emptyState(), targetState = emptyState()] = [await source.read(), await target.read()];
  requireLineage(move.from, source);
  requireLineage(move.to, target);
  const arrived = new Set(instanceKeys(targetState));
  const hasArrived = objects.every((one) => arrived.has(objectKey(one.to, one.id)));
  const leaving = new Set(objects.map((one) => objectKey(one.from, one.id)));
  const hasLeft = !instanceKeys(before).some((name) => leaving.has(name));
  if (!hasArrived && hasLeft) rejectLostObject(objects, source, target);
  if (!hasArrived) await target.write(moveBetween(before, targetState, movesOf(objects), providerOf).target);
  if (!hasLeft) await source.write(without(before, (name) => leaving.has(name)));
  for (const { journal } of [target, source]) await journal.clear();
}

/**
 * Returns the moves of instances. A deposed object has the address of its instance at the start of its name, and moves with that
 * instance.
 */
const movesOf = (objects: readonly MovedObject[]): ChosenMoves =>
  new Map(objects.map(({ from, to }) => [addressOfObject(from), addressOfObject(to)]));

/** Returns a key for an object, from its name in the state and its id. */
const objectKey = (object: string, id: Json): string => `${object} ${JSON.stringify(id)}`;

const instanceKey = ({ resource, instance }: FoundInstance): string =>
  objectKey(
    objectName(instanceAddress(resource, instance), instance.deposed),
    instance.attributes["id"] ?? null,
  );

const instanceKeys = (state: State): string[] => selectInstances(state).map(instanceKey);

function without(state: State, isLeaving: (name: string) => boolean): State {
  const gone = selectInstances(state).filter((one) => isLeaving(instanceKey(one)));
  return withoutInstances(state, gone);
}

/** Fails if the lineage of a state differs from the lineage that the state had when the move was planned. */
function requireLineage({ stack, version }: MoveSide, { description, journal, version: now }: StateBackend) {
  if (version === null || now === undefined || version.lineage === now.lineage) return;
  fail({
    code: "journal_of_another_state",
    summary: "Journal of another state",
    detail: `The journal ${journal.description} records a move for the stack "${stack}", but ${description} now contains another state. Nothing was changed. Restore the state that belongs to this journal. If that state is no longer needed, move the journal to another folder.`,
  });
}

function rejectLostObject(objects: readonly MovedObject[], source: StateBackend, target: StateBackend) {
  return fail({
    code: "state_move_lost",
    summary: "Neither state holds the object to move",
    detail: `A move was interrupted, and another process then wrote a state without its lock. The state ${source.description} does not contain ${objects[0]!.from}, and the state ${target.description} does not contain ${objects[0]!.to}. Nothing was changed. Move the journals ${source.journal.description} and ${target.journal.description} to another folder, and import the object again with this command.`,
    action: { kind: "import", address: objects[0]!.to, id: String(objects[0]!.id) },
  });
}
