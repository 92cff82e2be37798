import { fail } from "../../diagnostics";
import { decodeStateText, formatState, parseState } from "../format/file-format";
import { emptyState, type State } from "../model/model";
import type { HttpBackendConfig } from "../storage/http-config";
import { addressText, refuseAnswer } from "../storage/http-problems";
import { type HttpTransport, NO_STATE, SAVED } from "../storage/http-transport";
import type { JournalStore } from "./store";

/** The output that holds the lines. */
const OUTPUT = "steward_journal";

/**
 * A journal at a second address of the storage that keeps the state, because the disk of a CI job goes with the job. It
 * stands in an output of an empty state, so that every storage that takes states takes it. Who holds the state's lock
 * writes it, and nobody else.
 */
export class JournalDocument implements JournalStore {
  readonly description: string;
  readonly #config: Pick<HttpBackendConfig, "journalAddress" | "updateMethod">;
  readonly #transport: HttpTransport;
  #last: State | undefined;

  constructor(config: HttpBackendConfig, transport: HttpTransport) {
    this.description = addressText(config.journalAddress);
    this.#config = config;
    this.#transport = transport;
  }

  async read(): Promise<string | undefined> {
    const { journalAddress } = this.#config;
    const answer = await this.#transport.read(journalAddress);
    if (NO_STATE.has(answer.status)) return undefined;
    if (answer.status !== 200) refuseAnswer(answer, "GET", journalAddress, ELSEWHERE);
    if (answer.body.length === 0) return undefined;
    const state = parseState(decodeStateText(answer.body, this.description), this.description);
    if (state.resources.length > 0) this.#refuseState();
    this.#last = state;
    const text = state.outputs[OUTPUT]?.value;
    return typeof text === "string" ? text : undefined;
  }

  append(_lines: readonly string[], all: () => readonly string[]): Promise<void> {
    return this.replace(all());
  }

  replace(lines: readonly string[]): Promise<void> {
    return this.#write({ [OUTPUT]: { value: lines.join(""), type: "string", sensitive: true } });
  }

  async release(): Promise<void> {
    // Nothing is held between two requests.
  }

  clear(): Promise<void> {
    return this.#write({});
  }

  async #write(outputs: State["outputs"]): Promise<void> {
    const { journalAddress, updateMethod } = this.#config;
    if (this.#last === undefined) await this.read();
    const before = this.#last ?? emptyState();
    const state = { ...before, serial: before.serial + 1, outputs };
    const answer = await this.#transport.send(updateMethod, journalAddress, formatState(state));
    if (!SAVED.has(answer.status)) refuseAnswer(answer, updateMethod, journalAddress, ELSEWHERE);
    this.#last = state;
  }

  #refuseState(): never {
    return fail({
      code: "journal_address_taken",
      summary: "The journal's address holds a state",
      detail:
        `${this.description} is where runs note what they are about to do, and a state with resources stands there. ` +
        `Nothing was changed. ${ELSEWHERE}`,
    });
  }
}

const ELSEWHERE = "Give the journal an address of its own with TF_HTTP_JOURNAL_ADDRESS.";
