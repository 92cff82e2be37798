import { faults, type PlantedFault } from "./planted-fault";

/** Faults in the code that keeps stacks, provider configurations and runs apart. */
export const BOUNDARY_FAULTS: readonly PlantedFault[] = [
  ...faults(
    "journal",
    "state/journal/journal.ts",
  )([
    "The save before the first intent is not recorded",
    "    this.#states = [...this.#states, state];\n",
    "    if (this.#hasIntents) this.#states = [...this.#states, state];\n",
  ]),
  ...faults("engine", "engine/steps/lifecycle.ts")(
    [
      "prevent_destroy of the address that held an object does not count",
      "  if (!isProtected(former, change)) return [];\n",
      "  if (former !== declaration || !isProtected(former, change)) return [];\n",
    ],
    [
      "prevent_destroy does not protect replaced objects",
      "  declaration?.lifecycle.preventDestroy === true &&",
      '  declaration?.lifecycle.preventDestroy === true && change.action === "delete" &&',
    ],
  ),
  ...faults(
    "engine",
    "engine/plan-file/confirm-plan.ts",
  )([
    "A saved plan is applied although it is another one now",
    "  if (difference !== undefined)\n",
    "  if (difference !== undefined && !plan.applicable)\n",
  ]),
  ...faults("engine", "engine/plan/existing-objects.ts")(
    [
      "What another stack holds is taken over",
      "(await others?.owner(provider, type, planned));",
      "undefined;",
    ],
    [
      "Existing objects are taken over without a request of the user",
      "    if (!run.context.importsExisting) return notAsked(withOption(existing.problem));\n",
      "",
    ],
  ),
  ...faults(
    "ownership",
    "engine/plan/neighbours.ts",
  )([
    "A declaration that can't be planned owns nothing",
    "  unplanned.flatMap((one) => claimOf(run, one));",
    "  unplanned.slice(1).flatMap((one) => claimOf(run, one));",
  ]),
  ...faults(
    "ownership",
    "engine/plan/leaving-steps.ts",
  )([
    "An entry leaves the state although the list that owns it could not be made",
    "removedBy.length > 0 ? { ...step, change: { ...change, decision }, handedTo: removedBy } : step",
    "step",
  ]),
  ...faults(
    "ownership",
    "engine/steps/data-sources.ts",
  )([
    "An import overlooks objects that the state holds through another configuration",
    "  const providers = [declaration, ...alike].map(",
    "  const providers = [declaration].map(",
  ]),
  ...faults(
    "access",
    "provider/resources/parts/job-token-allowlists.ts",
  )(["A list is planned with the entries that its own delete removes", ".then(() => live.removed(id))", ""]),
  ...faults("ownership", "provider/resources/job-token-allowlist.ts")(
    [
      "The delete of a whole list removes entries that are declared",
      "leftOver: present.filter(({ id }) => !isKept({ set: name, entry: String(id) }))",
      "leftOver: [...present]",
    ],
    [
      "Entries are removed before others are added",
      "  const writes = new WriteBatch();\n  await writes.all(\n",
      "  const writes = new WriteBatch();\n  void writes.all(\n",
    ],
  ),
  ...faults(
    "cache",
    "framework/collections/live-collection.ts",
  )([
    "One 404 is believed against the list",
    "      return isAskedNow ? (await this.#boundedRead?.records)?.get(key) : undefined;",
    "      return undefined;",
  ]),
  ...faults(
    "retry",
    "framework/operations/delete-object.ts",
  )([
    "An object that exists after a 404 counts as deleted",
    "    if (left !== undefined) return { state: prior, diagnostics: [notRemoved(session, identity)] };\n",
    "",
  ]),
  ...faults("access", "provider/access/job-tokens.ts")(
    [
      "Access reports count what another declaration keeps as revoked",
      "if (!isKept({ set: SETS[kind], entry: String(id) })) allowed[kind].delete(id);",
      "allowed[kind].delete(id);",
    ],
    [
      "Access reports keep the entries that a whole list removes",
      "    if (grant.isWhole && entries !== null) allowed[kind].clear();\n",
      "",
    ],
    [
      "Access reports overlook that the limit is off",
      "  if (!allowed.isLimited) return [EVERY_PROJECT];\n",
      "",
    ],
  ),
  ...faults("moves", "engine/stacks/declared-elsewhere.ts")(
    [
      "A move of all declarations overlooks objects with another address",
      "atAddress() : holderOf(identity);",
      "atAddress() : byAddress.get(object.address);",
    ],
    [
      "A move of all declarations also takes objects that are declared at their place",
      "there.address, (one) => taken.has(one));",
      "there.address, () => false);",
    ],
  ),
  ...faults(
    "access",
    "engine/plan/describe-plan.ts",
  )(["A replacement shows only its create", "      return [destroy, create];", "      return [create];"]),
];
