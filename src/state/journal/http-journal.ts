import { fail } from "../../diagnostics";
import { formatState } from "../format/format-state";
import { emptyState, type State } from "../model/model";
import { safeUrl } from "../storage/http-addresses";
import type { HttpBackendConfig } from "../storage/http-config";
import type { HttpTransport } from "../storage/http-transport";
import { journalIsState } from "../storage/occupied";
import type { JournalStore } from "./entries";

/** The name of the output that contains the lines of the journal. The output is empty if no change is pending. */
const OUTPUT = "steward_journal";
/**
 * The name of an output that distinguishes this journal from a journal of releases up to 0.2. Releases up to 0.2 do not
 * write this output.
 */
const FORMAT_OUTPUT = `${OUTPUT}_format`;

/** Returns whether a document of the storage is a journal and not a state. */
export const isJournalDocument = ({ resources, outputs }: State): boolean =>
  resources.length === 0 && outputs[OUTPUT] !== undefined;

/** The parts of a state that differ between two documents of one storage. */
type DocumentVersion = Pick<State, "serial" | "lineage">;

/**
 * A journal at a second URL of the state storage. The journal is not a file, because the disk of a CI job is deleted
 * with the job. The journal is stored in an output of an empty state, which every state storage accepts. Only the
 * holder of the state's lock writes the journal. A storage can keep one document for both URLs, so that the journal
 * would overwrite the state. Therefore, Steward sends no change to the service before the storage has shown that it
 * keeps two documents.
 */
export class HttpJournal implements JournalStore {
  readonly description: string;
  readonly #config: HttpBackendConfig;
  readonly #seen: () => DocumentVersion | undefined;
  #last: State | undefined;
  /** Whether the storage is known to keep journal and state as two documents. */
  #isSeparate = false;
  /** Whether the journal at the URL of earlier releases is known to contain no lines. */
  #isEarlierEmpty: boolean;

  /** @param seen returns the version of the state that was last read or written; undefined if there was none */
  constructor(
    config: HttpBackendConfig,
    private readonly transport: HttpTransport,
    seen: () => DocumentVersion | undefined,
  ) {
    this.description = safeUrl(config.journalAddress);
    this.#config = config;
    this.#seen = seen;
    this.#isEarlierEmpty = config.earlierJournalAddress === undefined;
  }

  async read(): Promise<string | undefined> {
    const lines = linesOf(await this.#load());
    if (lines !== undefined || this.#isEarlierEmpty) return lines;
    const earlier = linesOf(await this.#earlier());
    this.#isEarlierEmpty = earlier === undefined;
    return earlier;
  }

  append(_lines: readonly string[], all: () => readonly string[]): Promise<void> {
    return this.replace(all());
  }

  replace(lines: readonly string[]): Promise<void> {
    return this.#write(lines.join(""));
  }

  async release(): Promise<void> {
    // Nothing stays open between two requests.
  }

  /** Clears the journal, and then the journal at the URL of earlier releases. */
  async clear(): Promise<void> {
    await this.#write("");
    const earlier = this.#isEarlierEmpty ? undefined : await this.#earlier();
    if (earlier !== undefined && linesOf(earlier) !== undefined)
      await this.#send(this.#config.earlierJournalAddress!, withLines(earlier, undefined));
    this.#isEarlierEmpty = true;
  }

  /**
   * Returns whether a document at the state's URL is the journal of an earlier release. The state's URL shows the
   * journal if the storage keeps one document for both URLs. The document then contains the journal, and no state
   * exists.
   */
  async isEarlier({ serial, lineage }: State): Promise<boolean> {
    const earlier = await this.#earlier();
    return (
      earlier !== undefined &&
      earlier.outputs[FORMAT_OUTPUT] === undefined &&
      isSameDocument(earlier, { serial, lineage })
    );
  }

  async #load(): Promise<State | undefined> {
    const { state } =
      (await this.transport.read(this.#config.journalAddress, {
        hint: this.#config.isJournalDerived ? OF_JOURNAL : OF_GIVEN_JOURNAL,
      })) ?? {};
    // An empty state can be a journal that an earlier release cleared.
    const isJournal = state === undefined || isJournalDocument(state) || isEmptyState(state);
    if (!isJournal) this.#rejectState();
    this.#last = state;
    return state;
  }

  /**
   * Returns the document in which earlier releases kept the journal; undefined if it does not exist. The URL of the
   * document can differ from the URL of this journal.
   */
  async #earlier(): Promise<State | undefined> {
    const { earlierJournalAddress: url } = this.#config;
    if (url === undefined) return undefined;
    // Earlier releases read this URL before they wrote there. If the storage refuses to read it, no earlier release has written
    // a journal.
    return (await this.transport.read(url, { isOptional: true }))?.state;
  }

  async #write(lines: string): Promise<void> {
    const { journalAddress } = this.#config;
    const before = this.#isSeparate ? this.#last : await this.#load();
    const isKnown = this.#isSeparate || (await this.#isKnownToBeSeparate(before));
    const state = withLines(before ?? emptyState(), lines);
    await this.#send(journalAddress, state);
    if (!isKnown) await this.#requireSeparate(state);
    this.#isSeparate = true;
    this.#last = state;
  }

  /**
   * Returns true if a state exists at its URL, and if this state and the journal are two documents. Returns false if no state
   * exists yet. `#requireSeparate` then checks after the write whether the state's URL returns the journal.
   *
   * @throws DiagnosticError `journal_address_taken` if the storage shows one document at both URLs
   */
  async #isKnownToBeSeparate(journal: State | undefined): Promise<boolean> {
    const state = this.#seen() ?? (await this.#stateThere());
    if (state === undefined) return false;
    if (journal !== undefined && isSameDocument(journal, state)) this.#rejectSharedPlace();
    return true;
  }

  /**
   * Checks that the written journal is not readable at the state's URL. @throws DiagnosticError `journal_address_taken` if the
   * journal is readable there
   */
  async #requireSeparate(written: State): Promise<void> {
    const state = await this.#stateThere();
    if (state === undefined || !isSameDocument(written, state)) return;
    // No state existed, so the lines are removed again. The empty state that remains does not block the next run, after the
    // user has set another address.
    await this.#send(this.#config.journalAddress, withLines(written, undefined));
    this.#rejectSharedPlace();
  }

  async #stateThere(): Promise<State | undefined> {
    return (await this.transport.read(this.#config.address))?.state;
  }

  async #send(url: URL, state: State): Promise<void> {
    const hint = this.#config.isJournalDerived ? OF_JOURNAL : OF_GIVEN_JOURNAL;
    await this.transport.save(url, formatState(state), { hint });
  }

  #rejectState(): never {
    return journalIsState(this.description, safeUrl(this.#config.address), ELSEWHERE);
  }

  #rejectSharedPlace(): never {
    const { address } = this.#config;
    return fail({
      code: "journal_address_taken",
      summary: "State and journal share one address",
      detail: `The state storage keeps ${safeUrl(address)} and ${this.description} as one document, so the journal would overwrite the state. Nothing was sent to the service. ${ELSEWHERE}`,
    });
  }
}

const WITH_STACK =
  "In the value of TF_HTTP_JOURNAL_ADDRESS, Steward replaces {stack} with the name of the stack.";
const ELSEWHERE = `Set another address for the journal in TF_HTTP_JOURNAL_ADDRESS. ${WITH_STACK}`;
/** The remedy in the error, if the storage refused a request to the journal. */
const OF_JOURNAL = `Steward derives the address of the journal from the address of the state. If the server does not allow the address of the journal, set another one in TF_HTTP_JOURNAL_ADDRESS. ${WITH_STACK}`;
const OF_GIVEN_JOURNAL = "The address of the journal comes from TF_HTTP_JOURNAL_ADDRESS.";

/** Returns the lines in a document; undefined if no change is pending. */
function linesOf(state: State | undefined): string | undefined {
  const text = state !== undefined && isJournalDocument(state) ? state.outputs[OUTPUT]?.value : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

/**
 * Returns the next version of a journal document, with new lines. If `lines` is undefined, the document becomes an empty state.
 */
const withLines = (before: State, lines: string | undefined): State => ({
  ...before,
  serial: before.serial + 1,
  outputs:
    lines === undefined
      ? {}
      : {
          [OUTPUT]: { value: lines, type: "string", sensitive: true },
          [FORMAT_OUTPUT]: { value: "2", type: "string", sensitive: true },
        },
});

const isEmptyState = ({ resources, outputs }: State): boolean =>
  resources.length === 0 && Object.keys(outputs).length === 0;

const isSameDocument = (one: DocumentVersion, other: DocumentVersion): boolean =>
  one.serial === other.serial && one.lineage === other.lineage;
