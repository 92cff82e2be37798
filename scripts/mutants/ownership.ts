import { faults, type PlantedFault } from "./planted-fault";

export const OWNERSHIP_FAULTS: readonly PlantedFault[] = [
  ...faults("ownership", "framework/ownership/owners.ts")(
    [
      "Nothing stays because another declaration holds it",
      '  ownersThat(session, "stay", owned).filter((owner) => isKeeper(owner, leaving));',
      '  ownersThat(session, "stay", owned).slice(99).filter((owner) => isKeeper(owner, leaving));',
    ],
    [
      "Operations on one object run side by side",
      "(turns.get(identity) ?? Promise.resolve()).then(work, work);",
      "work();",
    ],
    [
      "Two declarations of one object are accepted",
      "    if (other === undefined) owners.add({ shares: [share] }, claim);",
      "    if (other === undefined || parts.length < 10) owners.add({ shares: [share] }, claim);",
    ],
  ),
  ...faults(
    "ownership",
    "framework/operations/create-object.ts",
  )([
    "Nothing counts as released",
    "leaving.filter((one) => address === undefined || one.address !== address);",
    'leaving.filter((one) => one.address === "none" && address === undefined);',
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
