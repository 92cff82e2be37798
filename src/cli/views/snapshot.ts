import type { Snapshot } from "../../snapshot";
import { counted, oneLine, shellWord } from "../../text";
import type { SnapshotArguments } from "../arguments/service";
import { styleFor } from "../printing/text";
import type { Terminal } from "../terminal/terminal";
import { jsonEvent, writeResult } from "./json/events";

export interface SnapshotResult {
  readonly snapshot: Snapshot;
  readonly requests: number;
  /** False if an earlier snapshot was kept. */
  readonly isWritten: boolean;
}

/** Writes the result: for people a summary, and for programs an event for each note, and the result last. */
export function writeSnapshotSummary(
  result: SnapshotResult,
  args: SnapshotArguments,
  terminal: Terminal,
): void {
  const { snapshot, isWritten, requests } = result;
  const { data, notes, selected } = snapshot;
  const events = [
    ...notes.map(({ container, part, reason, kind }) =>
      jsonEvent("snapshot_note", `${container}: ${part}: ${reason}`, {
        note: { container, part, reason, kind },
      }),
    ),
    jsonEvent("snapshot_summary", sentence(result, args), {
      snapshot: {
        file: args.file,
        written: isWritten,
        anonymized: args.anonymize,
        selected,
        projects: data.projects.length,
        groups: data.groups.length,
        users: data.users.length,
        notes: notes.length,
        requests,
      },
    }),
  ];
  // The fixture itself may be on stdout.
  const channel = args.file === undefined ? terminal.err : terminal.out;
  const style = styleFor(channel, terminal, args.color);
  const lines = [style.bold(oneLine(sentence(result, args)))];
  if (notes.length > 0)
    lines.push(`${counted(notes.length, "part")} left out: the first lines of the file say why.`);
  if (isWritten && args.file !== undefined)
    lines.push(`Serve it: steward serve --fixture ${shellWord(args.file)} --admin-token-file token`);
  writeResult(channel, args, events, lines);
}

function sentence(
  { snapshot: { data, selected }, requests, isWritten }: SnapshotResult,
  { file }: SnapshotArguments,
): string {
  const what = `${counted(selected.projects, "project")} and ${counted(selected.groups, "group")}`;
  const where = isWritten ? `written to ${file ?? "stdout"}` : "not written";
  const others = data.projects.length + data.groups.length - selected.projects - selected.groups;
  const beside = others > 0 ? ` and ${others} other projects or groups that they refer to` : "";
  return `Snapshot of ${what} ${where}, with ${counted(data.users.length, "user")}${beside}; ${counted(requests, "request")}.`;
}
