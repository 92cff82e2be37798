import path from "node:path";
import { type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import { groupBy, type RequestEvent } from "../../engine";
import { LARGE_FILE, readFile } from "../../files";
import { sharedPace } from "../../provider";
import { checkFixture } from "../../service";
import { FIRST_LINE, NOT_VISIBLE, type Note, type Snapshot, takeSnapshot } from "../../snapshot";
import { allOf, compareNatural, counted, namesUpTo, oneLine, sentence, shellWord } from "../../text";
import type { SnapshotArguments } from "../arguments/adopt";
import { requireWritable, writeOutput } from "../outputs/write-output";
import { Handlers } from "../stack-runs/each-stack";
import { exitBySignal } from "../terminal/interruption";
import { secretsOf } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import { styleFor } from "../terminal/text";
import { createRunView } from "../views/create-run-view";
import { jsonEvent, writeResult } from "../views/json/events";
import type { RunView } from "../views/run-view";

/** Returns true if the file contains a snapshot. */
async function isSnapshotFile(file: string): Promise<boolean> {
  const content = await readFile(file, { maxBytes: LARGE_FILE }).catch(() => undefined);
  return content?.toString("utf8").startsWith(FIRST_LINE) === true;
}

interface SnapshotRequest extends SnapshotArguments {
  /**
   * Returns the text that replaces an e-mail address in the snapshot. Without this function, the snapshot contains the
   * addresses.
   */
  readonly replaceAddress?: (address: string) => string;
}

/** Writes live settings as a fixture. Sends only read requests. */
export async function snapshot(args: SnapshotRequest, terminal: Terminal): Promise<number> {
  // Checks the file before any request, to report early that Steward may not replace the file.
  const { file, force } = args;
  const place = { ...terminal, outputs: { files: [], ...terminal.outputs, force } };
  if (file !== undefined) requireWritable("snapshot", file, place);
  const isSnapshot = file !== undefined && (await isSnapshotFile(path.resolve(terminal.folder, file)));
  const release = terminal.onInterrupt((signal) => exitBySignal(terminal, signal));
  const view = createRunView(args, terminal);
  try {
    const [{ snapshot: taken, diagnostics }, requests] = await take(args, terminal, view);
    view.stopProgress();
    if (taken === undefined || isEmpty(taken)) {
      view.diagnostics(diagnostics.length > 0 ? diagnostics : [NOTHING]);
      return 1;
    }
    const problems = await review(taken);
    const isIncomplete = taken.notes.some(({ kind }) => kind === "failed");
    const isLoadable = problems.every(({ code }) => code !== "snapshot_not_loadable");
    const isKept = (isIncomplete || !isLoadable) && isSnapshot && !args.force;
    view.diagnostics(isKept ? [...problems, KEPT] : problems);
    // A setting such as a description may contain the token, if a person pasted it there.
    const text = secretsOf(terminal.env).redactText(taken.text);
    if (file === undefined) terminal.out.exact(text);
    // The file contains names of people, so only the owner of the file may read it.
    else if (!isKept) await writeOutput({ kind: "snapshot", file, text, reader: "text" }, place);
    writeSnapshotSummary(taken, requests, !isKept, args, terminal);
    return hasErrors(problems) ? 1 : 0;
  } finally {
    release();
    view.stopProgress();
  }
}

/** Takes the snapshot; the view shows the progress in the meantime. Returns the snapshot and the number of requests. */
async function take(
  { selection, anonymize, replaceAddress, parallelism, maxRequestsPerMinute, ...view }: SnapshotRequest,
  terminal: Terminal,
  shown: RunView,
): Promise<readonly [Awaited<ReturnType<typeof takeSnapshot>>, number]> {
  let requests = 0;
  const handlers = new Handlers(terminal, view);
  const show = handlers.requests(shown);
  const taken = await takeSnapshot({
    selection,
    anonymize,
    replaceAddress,
    env: terminal.env,
    pace: sharedPace(maxRequestsPerMinute, terminal.env),
    ...(parallelism !== undefined && { maxConcurrency: parallelism }),
    onProgress: handlers.guard(({ done, total, last }) =>
      shown.tell({ kind: "engine", event: { kind: "progress", phase: "list", done, total, last } }),
    ),
    onRequest: handlers.guard((event: RequestEvent) => {
      if (event.type === "request") requests++;
      show(event);
    }),
  });
  return [taken, requests];
}

const isEmpty = ({ selected }: Snapshot): boolean => selected.projects + selected.groups === 0;

/**
 * Returns diagnostics about the parts that the token could not read, and an error if the embedded service can't load the file.
 */
async function review({ text, notes }: Snapshot): Promise<Diagnostic[]> {
  const problems = [
    ...byReason(notes, "refused").map(([reason, what]) =>
      warning({
        code: "snapshot_partial",
        summary: "Settings are not readable",
        detail: `The snapshot lacks these settings: ${what}. Reason: ${reason}. To include them, use another token.`,
      }),
    ),
    ...byReason(notes, "failed").map(([reason, what]) =>
      error({
        code: "snapshot_incomplete",
        summary: "Settings could not be read",
        detail: `The snapshot lacks these settings: ${what}. Reason: ${reason}. ${reason === NOT_VISIBLE ? "Use a token that can see these projects and groups." : "Run the command again. If the error remains, check the logs of the service."}`,
      }),
    ),
  ];
  try {
    await checkFixture(text);
    return problems;
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    return [
      ...problems,
      error({
        code: "snapshot_not_loadable",
        summary: "Snapshot can't be loaded",
        detail: `The embedded service can't load the snapshot. ${sentence(why)}`,
      }),
    ];
  }
}

/** For each missing part of a snapshot: the maximum number of projects and groups that a diagnostic names. */
const MAX_NAMED = 10;

/** Groups the notes of one kind by reason. Returns for each reason the list of the missing parts. */
function byReason(notes: readonly Note[], kind: Note["kind"]): (readonly [reason: string, what: string])[] {
  const ofKind = notes.filter((note) => note.kind === kind);
  return [...groupBy(ofKind, ({ reason }) => reason)].map(([reason, of]) => {
    const parts = [...groupBy(of, ({ part }) => part)].map(([part, left]) => {
      const names = left.map(({ container }) => container).sort(compareNatural);
      return `${part} of ${names.length > MAX_NAMED ? namesUpTo(MAX_NAMED, names) : allOf(names)}`;
    });
    return [reason, parts.join("; ")] as const;
  });
}

const NOTHING = error({
  code: "nothing_to_snapshot",
  summary: "Nothing to snapshot",
  detail:
    "No project or group matches. Nothing was written. Check the names, --topic and --search, and the token.",
});

const KEPT = error({
  code: "snapshot_incomplete",
  summary: "Earlier snapshot kept",
  detail:
    "The new snapshot is incomplete or can't be loaded, so the earlier snapshot was kept. Fix the errors and try again, or replace it with --force.",
});

/**
 * Writes the result of a snapshot. People get a summary. Programs get an event for each note, and then an event with the
 * result.
 *
 * @param isWritten false if an earlier snapshot was kept
 */
function writeSnapshotSummary(
  { data, notes, selected }: Snapshot,
  requests: number,
  isWritten: boolean,
  { file, json, color, anonymize }: SnapshotArguments,
  terminal: Terminal,
): void {
  const what = `${counted(selected.projects, "project")} and ${counted(selected.groups, "group")}`;
  const where = isWritten ? `written to ${file ?? "stdout"}` : "not written";
  const others = data.projects.length + data.groups.length - selected.projects - selected.groups;
  const beside = others > 0 ? ` and ${others} other projects or groups that they refer to` : "";
  const sentence = `Snapshot of ${what} ${where}, with ${counted(data.users.length, "user")}${beside}; ${counted(requests, "request")}.`;
  const { projects, groups, users } = data;
  const events = [
    ...notes.map(({ container, part, reason, kind }) =>
      jsonEvent("snapshot_note", `${container}: ${part}: ${reason}`, {
        note: { container, part, reason, kind },
      }),
    ),
    jsonEvent("snapshot_summary", sentence, {
      snapshot: {
        file,
        written: isWritten,
        anonymized: anonymize,
        selected,
        projects: projects.length,
        groups: groups.length,
        users: users.length,
        notes: notes.length,
        requests,
      },
    }),
  ];
  // Without a file, stdout contains the fixture, so the summary goes to stderr.
  const channel = file === undefined ? terminal.err : terminal.out;
  const lines = [styleFor(channel, terminal, color).bold(oneLine(sentence))];
  if (notes.length > 0)
    lines.push(`${counted(notes.length, "part")} left out. The first lines of the file give the reasons.`);
  if (isWritten && file !== undefined)
    lines.push(`Serve it: steward serve --fixture ${shellWord(file)} --admin-token-file admin.token`);
  writeResult(channel, { json }, events, lines);
}
