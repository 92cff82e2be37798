import { faults, type PlantedFault } from "./planted-fault";

export const STATE_FAULTS: readonly PlantedFault[] = [
  ...faults("state", "state/backends/local-backend.ts")(
    [
      "The state's version is not announced to the journal",
      "      await announce?.(version);\n      await pending.commit();",
      "      await pending.commit();",
    ],
    [
      "The state is not written",
      "      await pending.commit();\n      return { stamp",
      "      await pending.discard();\n      return { stamp",
    ],
  ),
  ...faults(
    "state",
    "state/backends/state-writer.ts",
  )([
    "A failed save is neither repeated nor reported",
    "      this.failure = { first: this.failure?.first ?? problem, unsaved: snapshot };",
    "      void problem;",
  ]),
  ...faults(
    "state",
    "files/pending-file.ts",
  )([
    "A state is renamed before its content is synced",
    "    await flush();\n    await syncFile(this.handle);",
    "    await flush();",
  ]),
];
