import { fail } from "../../diagnostics";
import { formatState } from "../format/file-format";
import { emptyState, type State } from "../model/model";
import type { HttpBackendConfig } from "../storage/http-config";
import { type HttpTransport, SAVED, safeUrl, statusProblem } from "../storage/http-transport";
import type { JournalStore } from "./entries";

/** The output that contains the lines. */
const OUTPUT = "steward_journal";

/**
 * A journal at a second URL of the state storage, because the disk of a CI job is deleted with the job. It is
 * stored in an output of an empty state, which every state storage accepts. Only the holder of the state's
 * lock writes it.
 */
export class HttpJournal implements JournalStore {
  readonly description: string;
  readonly #config: Pick<HttpBackendConfig, "journalAddress" | "updateMethod">;
  #last: State | undefined;

  constructor(
    config: HttpBackendConfig,
    private readonly transport: HttpTransport,
  ) {
    this.description = safeUrl(config.journalAddress);
    this.#config = config;
  }

  async read(): Promise<string | undefined> {
    const { state } = (await this.transport.read(this.#config.journalAddress, ELSEWHERE)) ?? {};
    if (state === undefined) return undefined;
    if (state.resources.length > 0) this.#rejectState();
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
    // Nothing stays open between two requests.
  }

  clear(): Promise<void> {
    return this.#write({});
  }

  async #write(outputs: State["outputs"]): Promise<void> {
    const { journalAddress, updateMethod } = this.#config;
    if (this.#last === undefined) await this.read();
    const before = this.#last ?? emptyState();
    const state = { ...before, serial: before.serial + 1, outputs };
    const answer = await this.transport.send(updateMethod, journalAddress, formatState(state));
    if (!SAVED.has(answer.status)) statusProblem(answer, updateMethod, journalAddress, ELSEWHERE);
    this.#last = state;
  }

  #rejectState(): never {
    return fail({
      code: "journal_address_taken",
      summary: "Journal address contains a state",
      detail:
        `${this.description} is the address of the journal, but a state with resources is stored ` +
        `there. Nothing was changed. ${ELSEWHERE}`,
    });
  }
}

const ELSEWHERE = "Give the journal its own address with TF_HTTP_JOURNAL_ADDRESS.";
