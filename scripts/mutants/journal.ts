import { faults, type PlantedFault } from "./planted-fault";

export const JOURNAL_FAULTS: readonly PlantedFault[] = [
  ...faults("journal", "state/journal/journal.ts")(
    [
      "An intent is not awaited",
      '      await this.#record({ kind: "begun", change, at: new Date().toISOString() }, n);',
      '      void this.#record({ kind: "begun", change, at: new Date().toISOString() }, n);',
    ],
    [
      "A commit is not written",
      '    this.#record({ kind: "ended", of, edits }, of, true).catch(',
      "    Promise.resolve().catch(",
    ],
    [
      "A save is not recorded",
      "    await record().catch(() => record().catch(() => undefined));\n",
      "    void record;\n",
    ],
    [
      "The journal is cleared while intents are open",
      "    if (this.#pending.size === 0) await this.store.clear();",
      "    await this.store.clear();\n    if (this.#pending.size === 0) return;",
    ],
    [
      "The journal is cleared although the state could not be saved",
      "  async leave(): Promise<void> {\n    await this.flush();\n    await this.store.release();",
      "  async leave(): Promise<void> {\n    await this.flush();\n    await this.store.clear();",
    ],
    ["The head is written a second time", "    this.#isHeadWritten = true;\n  }", "  }"],
    [
      "Earlier intents are forgotten",
      "    for (const entry of pending) {",
      "    for (const entry of pending.slice(1)) {",
    ],
  ),
  ...faults("journal", "state/journal/file-journal.ts")(
    ["Journal lines are not synced", "    await syncContent(file.handle);\n", ""],
    [
      "A new journal's name is not synced",
      "      await syncFolder(path.dirname(file));\n      return { handle, size: 0 };",
      "      return { handle, size: 0 };",
    ],
    ["Each line overwrites the one before", "    file.size += bytes.length;\n", ""],
    ["Lines after replaced ones overwrite them", "size: this.#replaced };", "size: 0 };"],
  ),
  ...faults("journal", "engine/recovery/open-state.ts")(
    ["Open intents are not looked up", "this.#resolve(pendingIntents(journal))", "this.#resolve([])"],
    [
      "Committed changes of a known state are not merged",
      "return { merged: mergeCommits(journal, this.#editor), diagnostics: [] };",
      "return { merged: [], diagnostics: [] };",
    ],
    [
      "The journal is cleared before the recovered state is saved",
      "    const { journal } = this.backend;\n",
      "    const { journal } = this.backend;\n    if (kept.length === 0) await journal.clear();\n",
    ],
    [
      "Recovered objects are not saved",
      "    if (this.#isPresent || !this.#editor.isEmpty || kept.length > 0)\n",
      "    if (kept.length > 0)\n",
    ],
  ),
  ...faults("journal", "engine/recovery/open-state.ts")(
    [
      "A failed look-up counts as settled",
      'pending.filter((_, index) => found[index] === "failed")',
      "pending.filter((_, index) => found[index] === undefined)",
    ],
    [
      "A found object is not put into the state",
      "    this.#editor.put(resource, instance);\n    return outcome;",
      "    return outcome;",
    ],
  ),
  ...faults(
    "journal",
    "engine/recovery/merge-journal.ts",
  )([
    "Saved versions are not known",
    '  [...head.states, ...entries.flatMap((entry) => (entry.kind === "saving" ? [entry.state] : []))].some(',
    "  [...head.states].some(",
  ]),
  ...faults("journal", "framework/operations/apply-resource.ts")(
    [
      "A create that was done counts as not done",
      '  if (live === undefined) return { outcome: "not-done", diagnostics: [] };\n  const found',
      '  if (live === undefined || definition.key !== undefined) return { outcome: "not-done", diagnostics: [] };\n  const found',
    ],
    [
      "A delete that was not done counts as done",
      '  return { outcome: "not-done", state: prior, diagnostics: [] };\n}\n',
      '  return { outcome: "done", diagnostics: [] };\n}\n',
    ],
    [
      "A different object counts as created",
      "  if (differences(definition, declared, found).length > 0) {\n    if (key !== undefined)",
      "  if (differences(definition, declared, found).length > 5) {\n    if (key !== undefined)",
    ],
  ),
];
