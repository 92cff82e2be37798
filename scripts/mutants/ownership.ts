import { faults, type PlantedFault } from "./planted-fault";

export const OWNERSHIP_FAULTS: readonly PlantedFault[] = [
  ...faults("ownership", "framework/ownership/shared-ownership.ts")(
    [
      "Nothing stays because another declaration holds it",
      "    return this.#holders.of(share).filter((holder) => isHeld(holder, ending));",
      "    return this.#holders.of(share).slice(99).filter((holder) => isHeld(holder, ending));",
    ],
    [
      "Nothing counts as released",
      "    return this.#leaving.of(share).filter((leaving) => address === undefined || leaving.address !== address);",
      '    return this.#leaving.of(share).filter((leaving) => leaving.address === "none" && address === undefined);',
    ],
    [
      "Operations on one object run side by side",
      "(this.#turns.get(place) ?? Promise.resolve()).then(work, work);",
      "work();",
    ],
  ),
  ...faults(
    "ownership",
    "framework/ownership/ownership.ts",
  )([
    "Two declarations of one object are accepted",
    "      if (other === undefined) this.#holders.add(share, holder);",
    "      if (other === undefined || claims.length < 10) this.#holders.add(share, holder);",
  ]),
  ...faults("ownership", "engine/stacks/comparison.ts")(
    [
      "Declarations of other stacks are not compared",
      "        ...conflicts(name, one, stack, heldAt),\n",
      "",
    ],
    [
      "Sets of other stacks are not compared",
      "        ...overlaps(name, one, stack.name, stack.index),\n",
      "",
    ],
    [
      "Deletes are not compared with other stacks",
      "        if (before !== undefined) found.push({ ...site, identity: before, row });\n",
      "        void row;\n",
    ],
  ),
  ...faults("ownership", "provider/resources/job-token-allowlist.ts")(
    [
      "Undeclared entries of a list stay",
      "      changes[attribute].leftOver.map((entry) => ({",
      "      changes[attribute].leftOver.slice(1).map((entry) => ({",
    ],
    [
      "Groups of a list are not added",
      "      changes[attribute].missing.map((entry) => ({",
      '      (kind === "group" ? [] : changes[attribute].missing).map((entry) => ({',
    ],
    [
      "A changed list is read from the cache",
      "  for (const { attribute, kind } of SETS) if (changes[attribute].missing.length > 0) live[kind].drop();\n",
      "",
    ],
  ),
];
