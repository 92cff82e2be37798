import { migrateStates, migrationsTo, previewMigration } from "../../../engine";
import type { MigrateArguments } from "../../arguments/state";
import { whileEditing } from "../../stacks/interruption";
import { namedStatePlaces } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";
import { writeMigrated } from "../../views/state-changes";

/** Copies states to another place, and keeps the old ones. */
export async function migrate(args: MigrateArguments, terminal: Terminal): Promise<number> {
  const migrations = migrationsTo(args.to, await namedStatePlaces(args, terminal), terminal);
  const migrated = args.dryRun
    ? await previewMigration(migrations)
    : await whileEditing(terminal, (onNotice, signal) =>
        migrateStates(migrations, {
          operation: "state migrate",
          timeoutMs: args.lockTimeout,
          onNotice,
          signal,
        }),
      );
  writeMigrated(migrated, terminal, args);
  return 0;
}
