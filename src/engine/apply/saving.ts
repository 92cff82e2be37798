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
import type { Unsettled } from "../run/unsettled";

/** What keeps an apply's doings: the state as it changes, saved now and then, and the journal of what it lacks meanwhile. */
export class Saving {
  readonly editor: StateEditor;
  readonly journal: Journal;
  readonly #backend: StateBackend;
  readonly #writer: StateWriter;

  constructor(backend: StateBackend, editor: StateEditor, unsettled: Unsettled | undefined) {
    const journal = new Journal(backend.journal, editor.lineage, backend.version, unsettled?.begun);
    this.editor = editor;
    this.journal = journal;
    this.#backend = backend;
    this.#writer = new StateWriter({
      async write(state) {
        const { position } = journal;
        await backend.write(state, (version) => journal.recordSave(version));
        journal.saved(position);
      },
    });
  }

  /** Says that the state has changed. */
  schedule(): void {
    this.#writer.schedule(() => this.editor.snapshot());
  }

  /** Saves what is not saved yet, before anything is sent. @throws DiagnosticError where it can't be written */
  async saveFirst(): Promise<void> {
    this.schedule();
    await this.#writer.flush();
  }

  /** Saves what is not saved yet; tells what failed, and where what was done is known all the same. */
  async finish(): Promise<readonly Diagnostic[]> {
    try {
      await this.#writer.flush();
      await this.journal.close();
      return [];
    } catch (problem) {
      if (!(problem instanceof DiagnosticError)) throw problem;
      await this.journal.leave();
      return [...problem.diagnostics, ...(await this.#rescue())];
    }
  }

  /** Where neither the state nor the whole journal could be written, the state is put wherever there is room. */
  async #rescue(): Promise<readonly Diagnostic[]> {
    if (this.journal.coverage !== "part")
      return this.journal.coverage === "all" ? [notSaved(this.#backend)] : [];
    const file = path.resolve(RESCUED);
    try {
      await replaceFile(file, [formatState(this.editor.snapshot())]);
      return [rescued(this.#backend, file)];
    } catch (problem) {
      const failed = stateIoError(problem, "write", file);
      return [...(failed instanceof DiagnosticError ? failed.diagnostics : []), notKept(this.#backend)];
    }
  }
}

/** Terraform's own name for it, in the working folder. */
const RESCUED = "errored.tfstate";

const notSaved = ({ description, journal }: StateBackend): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "State not saved; the journal has the changes",
    detail:
      `The state ${description} lacks some changes of this run. ${journal.description} has all of them: keep that file, ` +
      "fix what the other messages report, then run again. The next run recovers them from the journal.",
  });

const rescued = ({ description }: StateBackend, file: string): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "State saved to another file",
    detail:
      `Neither the state ${description} nor the journal beside it could be written. The state is saved in ${file}: fix what ` +
      "the other messages report, replace the state with that file, then run again.",
  });

const notKept = ({ description, journal }: StateBackend): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "Some changes are not confirmed",
    detail:
      `The state ${description} lacks some changes of this run. ${journal.description} lists what was started: fix what ` +
      "the other messages report, then run again. The next run checks the outcome on the service.",
  });
