import path from "node:path";
import { fail } from "../../diagnostics";
import {
  emptyState,
  hasSameContent,
  isSameVersion,
  LocalBackend,
  openHttpBackend,
  type StateBackend,
  type Version,
} from "../../state";
import { requireRecovered } from "../recovery/merge-journal";
import { type OwnedState, ownerOf, requireSeparateStates } from "../source/separate-states";
import { type EditOptions, withLock } from "../source/state-file";
import type { Environment } from "../stack-run/context";
import { type PushedState, type PushRequest, previewPush, pushState, type StatePlace } from "./states";

/** A state in its current place, and the new place to which it is copied. */
export interface Migration extends StatePlace {
  /** Opens the new place. Each call returns a new backend, which has nothing cached. */
  readonly open: () => StateBackend;
}

/** The result of a copy: the stack, the old place and the new place. */
export interface MigratedState {
  readonly stack: string | undefined;
  readonly from: string;
  readonly to: string;
  /** The version of the copied state; undefined if there was no state to copy. */
  readonly version: Version | undefined;
  /** Whether the new place already contained this state. */
  readonly wasThere: boolean;
}

const STACK = "{stack}";

/**
 * Returns the migrations of states to new places. `to` is a path, or an HTTP address whose lock is at `…/lock`. In `to`, the
 * name of each stack replaces `{stack}`.
 *
 * @throws DiagnosticError `invalid_arguments` if several states would get the same place, or if the new place of a state is its
 * current place
 */
export function migrationsTo(
  to: string,
  places: readonly StatePlace[],
  { folder, env }: Environment,
): Migration[] {
  if (places.length > 1 && !to.includes(STACK))
    wrong(
      `--to ${to} is one location, but the app has ${places.length} stacks. Put {stack} in it for the name of each stack, or choose one with --stack NAME.`,
    );
  const migrations = places.map((place): Migration => {
    const open = /^https?:/i.test(to)
      ? () => httpBackend(to.replaceAll(STACK, encodeURIComponent(place.stack ?? "")), env)
      : () => new LocalBackend(path.resolve(folder, to.replaceAll(STACK, fileNameOf(place.stack))));
    return { ...place, open };
  });
  for (const { backend, open } of migrations)
    if (open().description === backend.description)
      wrong(`The state is already in ${backend.description}. Name another location.`);
  return migrations;
}

/** Returns the name of a stack for use in a path. Fails if the name contains a separator of paths, or is `.` or `..`. */
function fileNameOf(stack = ""): string {
  if (/[/\\]|^\.\.?$/.test(stack)) wrong(`The stack "${stack}" can't be part of a file's name.`);
  return stack;
}

function httpBackend(address: string, env: Environment["env"]): StateBackend {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/lock`;
  const lock = url.href;
  return openHttpBackend(
    { address, lock_address: lock, lock_method: "POST", unlock_address: lock, unlock_method: "DELETE" },
    env,
  );
}

/**
 * Returns the results that `migrateStates` would return. Changes nothing.
 *
 * @param present the states of the app in their current places
 * @throws DiagnosticError in the same cases as `migrateStates`
 */
export async function previewMigration(
  migrations: readonly Migration[],
  present: readonly OwnedState[] = migrations.map(presentState),
): Promise<MigratedState[]> {
  const copies = migrations.map(
    ({ stack, open }): OwnedState => ({ owner: `the copy for ${ownerOf(stack)}`, backend: open() }),
  );
  await requireSeparateStates([...present, ...copies]);
  return Promise.all(migrations.map((migration) => copied(migration, previewPush)));
}

const presentState = ({ stack, backend }: StatePlace): OwnedState => ({
  owner: ownerOf(stack),
  stack,
  backend,
});

/**
 * Copies a state to its new place.
 *
 * @param push saves the state in its new place; in a preview, it only returns the result of such a save
 */
async function copied(
  { stack, backend, open }: Migration,
  push: (target: StateBackend, request: PushRequest) => Promise<PushedState>,
): Promise<MigratedState> {
  await requireRecovered(backend);
  const state = await backend.read();
  const target = open();
  const names = { stack, from: backend.description, to: target.description };
  if (state === undefined) return { ...names, version: undefined, wasThere: false };
  const { before, after } = await push(target, { state, force: false });
  return { ...names, version: after, wasThere: before === after };
}

/**
 * Copies states to new places, under the locks of both places, and reads each copy back. Does not remove the states from their
 * old places. All errors except `state_copy_differs` are thrown before anything is copied.
 *
 * @throws DiagnosticError `state_lineage_differs` or `state_serial_older` if a new place holds another state
 * @throws DiagnosticError `journal_not_settled` if an interrupted run is not recovered
 * @throws DiagnosticError `state_place_shared` if a new place belongs to another state or to its journal
 * @throws DiagnosticError `state_copy_differs` if a copy differs from its state
 */
export async function migrateStates(
  migrations: readonly Migration[],
  options: EditOptions,
  present?: readonly OwnedState[],
): Promise<MigratedState[]> {
  await previewMigration(migrations, present);
  const migrated: MigratedState[] = [];
  for (const migration of migrations) migrated.push(await migrateState(migration, options));
  return migrated;
}

const migrateState = (migration: Migration, options: EditOptions): Promise<MigratedState> =>
  withLock(migration.backend, options, () =>
    copied(migration, async (target, push) => {
      const pushed = await pushState(target, push, options);
      const copy = migration.open();
      const read = (await copy.read()) ?? emptyState();
      if (!hasSameContent(read, push.state) || !isSameVersion(copy.version, pushed.after))
        differs(target.description, migration.backend.description);
      return pushed;
    }),
  );

const differs = (to: string, from: string): never =>
  fail({
    code: "state_copy_differs",
    summary: "The copied state differs",
    detail: `Steward wrote the state to ${to}, but then read a different state there. Another process may write to that place, or the storage may lose data. ${from} is unchanged. Continue to use ${from}, and check the new place.`,
  });

const wrong = (detail: string): never =>
  fail({ code: "invalid_arguments", summary: "Invalid location for the copy", detail });
