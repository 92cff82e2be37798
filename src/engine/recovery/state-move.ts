import { type Diagnostic, type DiagnosticText, fail, warning } from "../../diagnostics";
import { instanceAddress, objectName, type ResourceAddress } from "../../language";
import {
  emptyState,
  type FoundInstance,
  formatLine,
  type Json,
  type MovedObject,
  type MoveLine,
  type MoveSide,
  moveBetween,
  parseLine,
  readAddress,
  type State,
  type StateBackend,
  type StateMove,
  selectInstances,
  withoutInstances,
} from "../../state";

/** A stack and the backend of its state, whose lock is held. */
export interface LockedStack {
  readonly stack: string;
  readonly backend: StateBackend;
}

/** Returns the provider address that an object has at its new address. */
export type ProviderOf = (to: ResourceAddress, provider: string) => string;

/** The unfinished move in a journal; undefined if there is none. */
export function moveInJournal(text: string | undefined): StateMove | undefined {
  const line = parseLine(text?.split("\n", 1)[0] ?? "") as MoveLine | undefined;
  return line?.kind === "head" && line.format === 2 ? line.move : undefined;
}

/** Rejects work on a stack while a move that concerns it is unfinished. */
export function rejectOpenMove(move: StateMove, journal: string): never {
  const { detail, ...text } = openMoveText(move, journal);
  return fail({
    ...text,
    detail: `${detail} Until it is finished, neither stack can be planned or changed. Finish it with this command.`,
  });
}

/** The warning for a state that is only read. */
export function openMoveWarning(move: StateMove, journal: string): Diagnostic {
  const { detail, ...text } = openMoveText(move, journal);
  return warning({ ...text, detail: `${detail} Finish it with this command.` });
}

const openMoveText = ({ from, to, addresses }: StateMove, journal: string): DiagnosticText => ({
  code: "state_move_open",
  summary: "Unfinished move between two stacks",
  detail:
    `${journal} notes that ${addresses[0]} moves from the state of the stack "${from.stack}" to that of "${to.stack}", ` +
    "and the command that did it was interrupted.",
  action: {
    kind: "move",
    from: addresses[0],
    to: addresses[1],
    stacks: { from: from.stack, to: to.stack },
  },
});

/**
 * Plans a move without changing anything. The move has no objects if it is complete already: a command that
 * was killed at its end is run again.
 *
 * @throws DiagnosticError as `moveBetween` does
 */
export async function planMove(
  source: LockedStack,
  target: LockedStack,
  addresses: StateMove["addresses"],
): Promise<StateMove> {
  const [state = emptyState(), targetState = emptyState()] = [
    await source.backend.read(),
    await target.backend.read(),
  ];
  const holds = (one: State, address: string) => selectInstances(one, readAddress(address)).length > 0;
  const isDone = !holds(state, addresses[0]) && holds(targetState, addresses[1]);
  const { moved } = isDone ? { moved: [] } : moveBetween(state, targetState, addresses);
  const newAddresses = new Map(moved);
  const objects = selectInstances(state).flatMap(({ resource, instance }): MovedObject[] => {
    const address = instanceAddress(resource, instance);
    const to = newAddresses.get(address);
    if (to === undefined) return [];
    const { deposed, attributes } = instance;
    return [
      { from: objectName(address, deposed), to: objectName(to, deposed), id: attributes["id"] ?? null },
    ];
  });
  return { from: sideOf(source), to: sideOf(target), addresses, objects };
}

const sideOf = ({ stack, backend: { description, version } }: LockedStack): MoveSide => ({
  stack,
  state: description,
  version: version ?? null,
});

/**
 * Records a move in both journals and performs it. The target state is written first, so at least one of them
 * always holds the objects. If interrupted anywhere, the same call completes it.
 */
export async function executeMove(
  move: StateMove,
  source: StateBackend,
  target: StateBackend,
  providerOf: ProviderOf,
): Promise<void> {
  if (move.objects.length === 0) return;
  const line: MoveLine = { kind: "head", format: 2, started: new Date().toISOString(), move };
  for (const { journal } of [source, target]) {
    if (moveInJournal(await journal.read()) === undefined) await journal.replace([formatLine(line)]);
  }
  await moveObjects(move, source, target, providerOf);
  for (const { journal } of [target, source]) await journal.clear();
}

async function moveObjects(
  { objects, addresses, from, to }: StateMove,
  source: StateBackend,
  target: StateBackend,
  providerOf: ProviderOf,
): Promise<void> {
  const [before = emptyState(), targetState = emptyState()] = [await source.read(), await target.read()];
  requireLineage(from, source);
  requireLineage(to, target);
  const arrived = new Set(instanceKeys(targetState));
  const hasArrived = objects.every((one) => arrived.has(objectKey(one.to, one.id)));
  const leaving = new Set(objects.map((one) => objectKey(one.from, one.id)));
  const hasLeft = !instanceKeys(before).some((name) => leaving.has(name));
  if (!hasArrived && hasLeft) rejectLostObject(objects, source, target);
  if (!hasArrived) await target.write(moveBetween(before, targetState, addresses, providerOf).target);
  if (!hasLeft) await source.write(without(before, (name) => leaving.has(name)));
}

/** Identifies an object by its name in the state and its id. */
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

/** Rejects a state that has replaced the one the move was planned for. */
function requireLineage(
  { stack, version }: MoveSide,
  { description, journal, version: now }: StateBackend,
): void {
  if (version === null || now === undefined || version.lineage === now.lineage) return;
  fail({
    code: "journal_of_another_state",
    summary: "Journal of another state",
    detail:
      `${journal.description} records a move of the state of the stack "${stack}", but another state is in ` +
      `${description} now. Nothing was changed. Restore the state it belongs to; if that state is obsolete, ` +
      "move the journal away.",
  });
}

function rejectLostObject(
  objects: readonly MovedObject[],
  source: StateBackend,
  target: StateBackend,
): never {
  return fail({
    code: "state_move_lost",
    summary: "Neither state holds the object to move",
    detail:
      `A move was interrupted, and neither ${source.description} holds ${objects[0]!.from} nor ` +
      `${target.description} holds ${objects[0]!.to}: another process wrote a state without taking its lock. Nothing was ` +
      `changed. Move ${source.journal.description} and ${target.journal.description} away, and import the object again with ` +
      "this command.",
    action: { kind: "import", address: objects[0]!.to, id: String(objects[0]!.id) },
  });
}
