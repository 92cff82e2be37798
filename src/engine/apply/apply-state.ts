import path from "node:path";
import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import { replaceFile } from "../../files";
import {
  formatState,
  Journal,
  type StateBackend,
  type StateEditor,
  StateWriter,
  stateIoError,
} from "../../state";
import type { PendingRecovery } from "../run/pending-recovery";

/**
 * The state during an apply: edited in memory, saved periodically, with a journal of the changes that are not
 * saved yet.
 */
export class ApplyState {
  readonly editor: StateEditor;
  readonly journal: Journal;
  readonly #backend: StateBackend;
  readonly #writer: StateWriter;

  constructor(backend: StateBackend, editor: StateEditor, pendingRecovery: PendingRecovery | undefined) {
    const journal = new Journal(backend.journal, editor.lineage, backend.version, pendingRecovery?.intents);
    this.editor = editor;
    this.journal = journal;
    this.#backend = backend;
    this.#writer = new StateWriter({
      async write(state) {
        const { position } = journal;
        await backend.write(state, (version) => journal.recordSave(version));
        journal.saved(position, backend.version);
      },
    });
  }

  /** Schedules a save of the current state. */
  schedule(): void {
    this.#writer.schedule(() => this.editor.snapshot());
  }

  /**
   * Saves the current state before anything is sent.
   *
   * @throws DiagnosticError if it can't be written
   */
  async saveNow(): Promise<void> {
    this.schedule();
    await this.#writer.flush();
  }

  /**
   * Saves everything that is not saved yet.
   *
   * @returns what failed, and where the changes are recorded instead
   */
  async flush(): Promise<readonly Diagnostic[]> {
    try {
      await this.#writer.flush();
      await this.journal.close();
      return [];
    } catch (problem) {
      if (!(problem instanceof DiagnosticError)) throw problem;
      await this.journal.leave();
      return [...problem.diagnostics, ...(await this.#saveElsewhere())];
    }
  }

  /** Saves the state in the working folder if neither the state nor the whole journal could be written. */
  async #saveElsewhere(): Promise<readonly Diagnostic[]> {
    if (this.journal.coverage !== "part")
      return this.journal.coverage === "all" ? [notSaved(this.#backend)] : [];
    const file = path.resolve(FALLBACK_FILE);
    try {
      await replaceFile(file, [formatState(this.editor.snapshot())]);
      return [savedElsewhere(this.#backend, file)];
    } catch (problem) {
      const failed = stateIoError(problem, "write", file);
      return [...(failed instanceof DiagnosticError ? failed.diagnostics : []), notConfirmed(this.#backend)];
    }
  }
}

/** The name that Terraform uses. */
const FALLBACK_FILE = "errored.tfstate";

const notSaved = ({ description, journal }: StateBackend): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "State not saved; the journal has the changes",
    detail:
      `The state ${description} lacks some changes of this run. ${journal.description} has all of them: keep that file, ` +
      "fix what the other messages report, then run again. The next run recovers them from the journal.",
  });

const savedElsewhere = ({ description }: StateBackend, file: string): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "State saved to another file",
    detail:
      `Neither the state ${description} nor the journal beside it could be written. The state is saved in ${file}: fix what ` +
      "the other messages report, replace the state with that file, then run again.",
  });

const notConfirmed = ({ description, journal }: StateBackend): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "Some changes are not confirmed",
    detail:
      `The state ${description} lacks some changes of this run. ${journal.description} lists what was started: fix what ` +
      "the other messages report, then run again. The next run checks the outcome on the service.",
  });
