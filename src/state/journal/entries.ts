import { crc32 } from "node:zlib";
import { fail } from "../../diagnostics";
import { unreadable } from "../../files";
import { isDeeperThan, JsonDepthError, MAX_JSON_DEPTH, parseJson, stringifyJson } from "../../json";
import type { ObservedBeforeCreate, StoredState } from "../../schema";
import type { InstanceState, Json, ResourceState, Version } from "../model/model";
import { stateIoError } from "../storage/io-errors";

/** The fields of an instance's resource that a change needs. */
export type ResourceIdentity = Pick<ResourceState, "mode" | "type" | "name" | "provider" | "fleet">;

/** A change of one instance in the state. */
export type StateEdit =
  | { readonly put: InstanceState; readonly in: ResourceIdentity }
  /** `remove` is the address of the instance. */
  | { readonly remove: string; readonly from: ResourceIdentity; readonly deposed?: string };

/** A change before it is sent. A create has no prior object, and a delete has no planned object. */
export interface Change {
  readonly address: string;
  readonly resource: ResourceIdentity;
  /** Fields of the instance that the provider doesn't return. */
  readonly instance: Omit<InstanceState, "attributes" | "private">;
  /** The live object before the change; absent for a create. */
  readonly prior?: StoredState;
  /** The planned object, without values that are known only after apply. */
  readonly planned?: StoredState;
  /**
   * For a create: the live objects with the same identity that Steward found before the request. Absent if Steward did not
   * search.
   */
  readonly observed?: ObservedBeforeCreate;
}

/** The first line of a journal. The line identifies the state that the journal belongs to. */
export interface JournalHead {
  readonly kind: "head";
  readonly format: 1;
  /** The lineage of the state, or of the state that will be created. */
  readonly lineage: string;
  readonly started: string;
  /** The versions of the state to which these lines may be applied; null means that no state exists yet. */
  readonly states: readonly (Version | null)[];
}

/** The fields that all lines except the head have. */
interface Numbered {
  /** The line number; the head has 0. A line keeps its number after other lines were removed. */
  readonly n: number;
  /**
   * The number of the first line of the batch with which this line was written and synced. After a power failure, any part of
   * the last batch can be missing. Steward has then sent no request that depends on the batch. Absent for the first line of a
   * batch, and in journals of older releases.
   */
  readonly batch?: number;
}

export type JournalEntry = Numbered &
  /** `at` is the time in ISO 8601; absent in the journals of older releases. */
  (
    | { readonly kind: "begun"; readonly change: Change; readonly at?: string }
    /** The commit of a change. The change has succeeded or failed. */
    | { readonly kind: "ended"; readonly of: number; readonly edits: readonly StateEdit[] }
    /** A state of this version is about to be saved. The state contains the edits of all earlier lines. */
    | { readonly kind: "saving"; readonly state: Version }
  );

export type IntentEntry = Extract<JournalEntry, { kind: "begun" }>;
type CommitEntry = Extract<JournalEntry, { kind: "ended" }>;

/** One of the two states of a move. */
export interface MoveSide {
  readonly stack: string;
  /** The location of the state, for messages. */
  readonly state: string;
  /** The version of the state before the move; null if there was none. */
  readonly version: Version | null;
}

/** The objects that the user asked to move between two stacks. */
export type MoveSelection =
  /** A module, a resource or an instance. */
  | { readonly addresses: readonly [from: string, to: string] }
  /** All objects that the target stack declares. */
  | { readonly declared: true }
  /** All objects whose addresses match one of the patterns. */
  | { readonly patterns: readonly string[] };

/**
 * A move from the state of one stack to the state of another stack. The journals of both states record the move before either
 * state is written.
 */
export type StateMove = MoveSelection & {
  readonly from: MoveSide;
  readonly to: MoveSide;
  readonly objects: readonly MovedObject[];
};

export interface MovedObject {
  /** The address of the object in the source, and in the target. */
  readonly from: string;
  readonly to: string;
  readonly id: Json;
}

/** The only line in the journal of a move. Releases that know only an older format reject this line. */
export interface MoveLine {
  readonly kind: "head";
  /** The format: 2 for a move of one address, 3 for a move of several objects. */
  readonly format: 2 | 3;
  readonly started: string;
  readonly move: StateMove;
}

/** Formats a line of the journal: a checksum of eight hexadecimal digits, a space, JSON. @throws DiagnosticError `state_not_read_back` */
export function formatLine(entry: JournalHead | JournalEntry | MoveLine): string {
  const json = stringifyJson(entry);
  // The next run must be able to read each line, because it needs the lines for the recovery. It can read all JSON that
  // `stringifyJson` writes, except for JSON that is nested too deeply.
  if (isDeeperThan(json, MAX_JSON_DEPTH))
    throw stateIoError(unreadable(new JsonDepthError()), "write", "of this run", "journal");
  return `${checksum(json)} ${json}\n`;
}

/** Formats a complete journal. */
export const formatJournal = (head: JournalHead, entries: readonly JournalEntry[]): string[] => [
  formatLine(head),
  ...entries.map(formatKept),
];

/**
 * Formats a line that stays when the journal is written without its finished changes. The text leaves out `batch`, because one
 * write replaces the whole journal.
 */
export const formatKept = ({ batch: _batch, ...entry }: JournalEntry): string =>
  formatLine(entry as JournalEntry);

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, "0");

/** Parses a line, which must not contain its line end. Returns undefined if the line is damaged. */
export function parseLine(line: string): unknown {
  const json = line.slice(9);
  if (line[8] !== " " || line.slice(0, 8) !== checksum(json)) return undefined;
  try {
    return parseJson(json);
  } catch {
    // Only an attacker can write a valid checksum for invalid or deeply nested JSON.
    return undefined;
  }
}

/** The number of characters that `isJournalStart` needs: a checksum, a space and a brace. */
export const JOURNAL_START = 10;

/** Returns whether a text starts like a line of a journal. The line can be incomplete. */
export const isJournalStart = (start: string): boolean => /^[0-9a-f]{8} \{/.test(start);

/** The storage of a journal, next to the state. The lock of the state also protects the journal. */
export interface JournalStore {
  /** The location for messages: a path or a URL without credentials. */
  readonly description: string;
  /**
   * Returns the text of the journal that an earlier run left behind; undefined if there is none.
   *
   * @throws DiagnosticError if the storage is unreachable.
   */
  read(): Promise<string | undefined>;
  /**
   * Appends lines, and resolves once the lines are durable. A failure leaves no partial line.
   *
   * @param all returns all lines that are still needed, including the new lines, for a storage that can't append
   * @throws DiagnosticError
   */
  append(lines: readonly string[], all: () => readonly string[]): Promise<void>;
  /** Replaces all lines atomically. @throws DiagnosticError */
  replace(lines: readonly string[]): Promise<void>;
  /** Closes the journal and keeps it for the next run. */
  release(): Promise<void>;
  /** Removes the journal once the state contains all changes. */
  clear(): Promise<void>;
}

/** The journal of an interrupted run. */
export interface PendingJournal {
  readonly head: JournalHead;
  readonly entries: readonly JournalEntry[];
}

/**
 * Parses a journal. Ignores lines that were not completely written when the run was killed or the power failed. Nothing that
 * depends on these lines was started.
 *
 * @param location the location for errors.
 * @throws DiagnosticError `journal_damaged`, `journal_newer`
 */
export function parseJournal(text: string, location: string): PendingJournal | undefined {
  const lines = text.split("\n");
  const torn = lines.pop()!;
  // If only the line end is missing, the line is complete.
  if (torn !== "" && parseLine(torn) !== undefined) lines.push(torn);
  const parsed = lines.map((line) => parseLine(line) as JournalHead | JournalEntry | undefined);
  const damaged = parsed.indexOf(undefined);
  if (damaged >= 0 && !isUnsynced(lines[damaged]!, parsed, damaged))
    return damagedJournal(location, `line ${damaged + 1} is damaged`);
  const [head, ...entries] = (damaged < 0 ? parsed : parsed.slice(0, damaged)) as (
    | JournalHead
    | JournalEntry
  )[];
  if (head === undefined) return undefined;
  if (head.kind !== "head") return damagedJournal(location, "its first line is missing");
  if (head.format !== 1) return newerFormat(location);
  return { head, entries: entries.map((entry, at) => inOrder(entry, entries[at - 1], location)) };
}

/**
 * Returns true if a damaged line belongs to the last written lines, whose sync a power failure interrupted. The missing blocks
 * are then zeros, and no line of a later write exists. No change that depends on these lines was started.
 */
function isUnsynced(line: string, parsed: readonly (JournalHead | JournalEntry | undefined)[], at: number) {
  const before = parsed[at - 1];
  const expected = before === undefined ? 0 : 1 + (before.kind === "head" ? 0 : before.n);
  const after = parsed.slice(at + 1).filter((one) => one !== undefined);
  return line.includes("\0") && after.every((one) => one.kind !== "head" && (one.batch ?? one.n) <= expected);
}

function inOrder(
  entry: JournalHead | JournalEntry,
  before: JournalHead | JournalEntry | undefined,
  location: string,
): JournalEntry {
  if (entry.kind === "head") return damagedJournal(location, "it has two heads");
  const last = before === undefined || before.kind === "head" ? 0 : before.n;
  if (entry.n <= last) damagedJournal(location, "its lines are out of order");
  return entry;
}

/** Returns the intents without a commit, in their order. */
export function pendingIntents({ entries }: PendingJournal): IntentEntry[] {
  const ended = new Set(entries.filter(isEnded).map(({ of }) => of));
  return entries.filter((entry): entry is IntentEntry => entry.kind === "begun" && !ended.has(entry.n));
}

export const isEnded = (entry: JournalEntry): entry is CommitEntry => entry.kind === "ended";

function damagedJournal(location: string, how: string): never {
  return fail({
    code: "journal_damaged",
    summary: "Journal is damaged",
    detail: `${location} records the changes of an interrupted run, but ${how}. Nothing was changed. Restore the file. If that is impossible, move it to another folder and plan: the plan shows what the state lacks. Import the objects that already exist.`,
  });
}

const newerFormat = (location: string): never =>
  fail({
    code: "journal_newer",
    summary: "Journal has a newer format",
    detail: `A newer release wrote ${location}. Nothing was changed. Run that release to recover the pending changes.`,
  });
