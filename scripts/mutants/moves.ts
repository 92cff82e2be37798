import { faults, type PlantedFault } from "./planted-fault";

export const MOVES_FAULTS: readonly PlantedFault[] = [
  ...faults(
    "moves",
    "engine/plan/moves.ts",
  )([
    "Nothing is found by its identity",
    '  return from.length === 1 && to.length === 1 ? "elsewhere" : "several addresses";',
    '  return from.length > 1 ? "elsewhere" : "no";',
  ]),
  ...faults(
    "moves",
    "engine/plan/resource-visits.ts",
  )([
    "Any object matches the declaration at its address",
    "value !== null && isSingle && !sameValue(value, values[name] ?? null)",
    'value !== null && isSingle && name === ""',
  ]),
  ...faults(
    "moves",
    "engine/plan/move-detection.ts",
  )([
    "Objects of any identity match",
    "      if (!holders.has(identity)) return undefined;\n",
    "      if (holders.has(identity)) return undefined;\n",
  ]),
  ...faults("moves", "engine/recovery/state-move.ts")(
    [
      "A move between stacks leaves its source first",
      "  if (!hasArrived) await target.write(moveBetween(before, targetState, movesOf(objects), providerOf).target);\n  if (!hasLeft) await source.write(without(before, (name) => leaving.has(name)));",
      "  if (!hasLeft) await source.write(without(before, (name) => leaving.has(name)));\n  if (!hasArrived) await target.write(moveBetween(before, targetState, movesOf(objects), providerOf).target);",
    ],
    [
      "A move between stacks is not recorded",
      "    if (moveInJournal(await journal.read()) === undefined) await journal.replace([formatLine(line)]);",
      "    await journal.read();",
    ],
    [
      "A move between stacks stays in its source",
      "  if (!hasLeft) await source.write(",
      "  if (hasLeft) await source.write(",
    ],
    [
      "The journals of a move between stacks stay",
      "  for (const { journal } of [target, source]) await journal.clear();",
      "",
    ],
  ),
];
