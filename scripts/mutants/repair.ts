import { faults, type PlantedFault } from "./planted-fault";

export const REPAIR_FAULTS: readonly PlantedFault[] = [
  ...faults("repair", "engine/drift/repair.ts")(
    [
      "Repair also applies later changes of the code",
      "    if (reason === undefined) repaired.add(address);",
      '    if (address !== "") repaired.add(address);',
    ],
    [
      "Repair leaves everything as it is",
      "    if (reason === undefined) repaired.add(address);",
      "    if (reason === undefined) void address;",
    ],
  ),
  ...faults("repair", "engine/drift/found-drift.ts")(
    [
      "A vanished object is not drift",
      '      live: isGone ? "absent" : "present",',
      '      live: "present",',
    ],
    [
      "A failed read is not an error of drift",
      '    if (this.run.report(diagnostics) === "failed") return',
      "    if (diagnostics.length > 99) return",
    ],
  ),
];
