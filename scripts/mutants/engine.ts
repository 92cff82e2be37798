import { faults, type PlantedFault } from "./planted-fault";

export const ENGINE_FAULTS: readonly PlantedFault[] = [
  ...faults("engine", "engine/apply/apply-step.ts")(
    [
      "A create sends before its intent is recorded",
      "    const intent = await this.journal.recordIntent(this.#change(request, held));",
      "    const intent = request.planned ? 0 : await this.journal.recordIntent(this.#change(request, held));",
    ],
    [
      "A delete sends before its intent is recorded",
      "    const intent = await this.journal.recordIntent(this.#change(request, held));",
      "    const intent = request.planned ? await this.journal.recordIntent(this.#change(request, held)) : 0;",
    ],
    ["An uncertain create is committed", "isUncertain === true ? undefined : sent.intent", "sent.intent"],
    [
      "A failed create taints a sound object",
      "    const tainted = prior === undefined && hasErrors(sent.diagnostics) && isSound !== true;",
      "    const tainted = prior === undefined && hasErrors(sent.diagnostics);",
    ],
  ),
  ...faults("engine", "engine/apply/object-changes.ts")(
    [
      "A created object is not put into the state",
      "    else if (result.state !== undefined) edits.push(this.put(step, result.state, result.tainted));",
      "",
    ],
    [
      "An object whose delete failed leaves the state",
      "    if (state === undefined) return [this.#remove(step, deposed)];\n    const { editor }",
      "    if (state !== null) return [this.#remove(step, deposed)];\n    const { editor }",
    ],
    [
      "A deleted object stays in the state",
      "    this.state.editor.remove(resourceOf(step), objectName(address, deposed));\n    this.state.schedule();\n    return {\n      remove",
      "    return {\n      remove",
    ],
    [
      "No change is committed to the journal",
      "    if (intent !== undefined) this.state.journal.recordCommit(intent, edits);",
      "",
    ],
  ),
  ...faults("engine", "engine/apply/apply-plan.ts")(
    [
      "The state is not saved at the end",
      "    if (this.plan.priorState !== undefined || !this.#editor.isEmpty) this.state.schedule();\n",
      "",
    ],
    [
      "Moved objects are not saved first",
      "    if (this.plan.steps.some(isStateChange)) await this.state.saveNow();\n",
      "",
    ],
    [
      "Deletes do nothing",
      '    return this.#rights.isRefused(node.step) ? "failed" : this.#changes.destroy(node.step);',
      '    return "done";',
    ],
    [
      "Errors of an object are not reported",
      "      return this.run.report(result.diagnostics);\n    const values",
      '      return "done";\n    const values',
    ],
    [
      "The provider does not learn which objects stay declared",
      "    await new ExpectedChanges(this.run, this.plan).tell(key);\n",
      "",
    ],
    [
      "Failures of the last save are not reported",
      "    this.run.report(await this.state.flush());",
      "    await this.state.flush();",
    ],
  ),
  ...faults(
    "engine",
    "engine/plan/create-plan.ts",
  )([
    "A moved object is deleted at its old address",
    "if (step !== undefined) this.#plan.steps.expect(step);",
    "if (step !== undefined) this.#plan.steps.add(step);",
  ]),
  ...faults(
    "engine",
    "engine/plan/leaving-objects.ts",
  )([
    "Objects without a declaration stay",
    "    this.plan.objects.current.forEach((objects, address) => {\n      if (this.plan.run.graph.has(address)",
    '    this.plan.objects.current.forEach((objects, address) => {\n      if (address !== "" || this.plan.run.graph.has(address)',
  ]),
  ...faults("engine", "engine/plan/leaving-steps.ts")(
    [
      "What another declaration keeps is deleted",
      "    const whole = keptBy === undefined ? [] : [keptBy];",
      '    const whole = keptBy === undefined || this.plan.mode !== "destroy" ? [] : [keptBy];',
    ],
    ["Deletes ignore prevent_destroy", "      ...preventDestroy(run, declared, step.change),\n", ""],
  ),
  ...faults("engine", "engine/plan/declared-objects.ts")(
    [
      "A change counts as a no-op",
      '    return isSame ? "none" : "update";',
      '    return isSame ? "none" : "none";',
    ],
    [
      "A replacement counts as an update",
      '    if (replaceReason !== undefined) return "replace";',
      '    if (replaceReason === "replace_by_request") return "replace";',
    ],
    [
      "Replacements ignore prevent_destroy",
      "    const prevented = isObjectDelete(step) ? preventDestroy(run, declaration, change) : NONE;",
      "    const prevented = NONE;",
    ],
    [
      "An object that could not be read is planned",
      "    const read = this.refreshed?.diagnostics ?? NONE;",
      "    const read = NONE;",
    ],
  ),
  ...faults("engine", "engine/objects/refresh.ts")(
    ["The state counts as live", "if (!isUpgraded || !isEnabled)", "if (isUpgraded || !isEnabled)"],
    [
      "Problems of a read are dropped",
      "live: state, diagnostics: this.#located(object, diagnostics) };",
      "live: state, diagnostics: [] };",
    ],
  ),
];
