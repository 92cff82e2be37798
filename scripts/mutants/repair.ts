import { faults, type PlantedFault } from "./planted-fault";

export const REPAIR_FAULTS: readonly PlantedFault[] = [
  ...faults("repair", "engine/drift/repair.ts")(
    [
      "Repair also does what the code changed since",
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
    ["What vanished is no drift", '      live: isGone ? "absent" : "present",', '      live: "present",'],
    [
      "A read that fails is no error of drift",
      '    if (this.run.report(diagnostics) === "failed") return',
      "    if (diagnostics.length > 99) return",
    ],
  ),
];
