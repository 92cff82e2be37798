/** A fault to plant: a change of one place of the sources. */
export interface PlantedFault {
  readonly area:
    | "engine"
    | "journal"
    | "cache"
    | "retry"
    | "lock"
    | "ownership"
    | "repair"
    | "access"
    | "moves"
    | "state";
  /** What the fault is, as a sentence. */
  readonly fault: string;
  /** Below `src`. */
  readonly file: string;
  /** A text that the file has once, and what stands there instead. */
  readonly from: string;
  readonly to: string;
}

const faults =
  (area: PlantedFault["area"], file: string) =>
  (...list: readonly (readonly [fault: string, from: string, to: string])[]): PlantedFault[] =>
    list.map(([fault, from, to]) => ({ area, file, fault, from, to }));

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...faults("journal", "state/journal/journal.ts")(
    [
      "An intent is not awaited",
      '      await this.#record({ kind: "begun", change }, n);',
      '      void this.#record({ kind: "begun", change }, n);',
    ],
    [
      "A commit is not written",
      '    this.#record({ kind: "ended", of, edits }, of, true).catch(',
      "    Promise.resolve().catch(",
    ],
    [
      "A save is not recorded",
      "    if (!this.#hasIntents && !this.#hasEarlierIntents) return;\n    this.#saving = state;",
      "    if (this.#hasIntents || !this.#hasEarlierIntents) return;\n    this.#saving = state;",
    ],
    [
      "The journal is cleared while intents are open",
      "    if (this.#pending.size === 0) await this.#store.clear();",
      "    await this.#store.clear();\n    if (this.#pending.size === 0) return;",
    ],
    [
      "The journal is cleared although the state could not be saved",
      "  async leave(): Promise<void> {\n    await this.flush();\n    await this.#store.release();",
      "  async leave(): Promise<void> {\n    await this.flush();\n    await this.#store.clear();",
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
      "    await syncFolder(path.dirname(file));\n    return { handle, size: 0 };",
      "    return { handle, size: 0 };",
    ],
    ["Each line overwrites the one before", "    file.size += bytes.length;\n", ""],
    ["Lines after replaced ones overwrite them", "size: this.#replaced };", "size: 0 };"],
  ),
  ...faults("journal", "engine/recovery/open-state.ts")(
    ["Open intents are not looked up", "    pendingIntents(journal),\n  );", "    [],\n  );"],
    [
      "Committed changes of a known state are not merged",
      "return { merged: mergeCommits(journal, editor), diagnostics: [] };",
      "return { merged: [], diagnostics: [] };",
    ],
    [
      "The journal is cleared before the recovered state is saved",
      "  // Pending entries refer to a state, even if it is still empty.\n",
      "  if (kept.length === 0) await backend.journal.clear();\n",
    ],
    [
      "Saved versions are not known",
      '  [...head.states, ...entries.flatMap((entry) => (entry.kind === "saving" ? [entry.state] : []))].some(',
      "  [...head.states].some(",
    ],
    [
      "Recovered objects are not saved",
      "  if (exists || !editor.isEmpty || kept.length > 0)\n",
      "  if (kept.length > 0)\n",
    ],
  ),
  ...faults("journal", "engine/recovery/resolve-intents.ts")(
    [
      "A failed look-up counts as settled",
      'pending.filter((_, at) => found[at] === "failed")',
      "pending.filter((_, at) => found[at] === undefined)",
    ],
    [
      "A found object is not put into the state",
      "  editor.put(resource, instance);\n  return outcome;",
      "  return outcome;",
    ],
    [
      "A confirmed delete stays in the state",
      '    if (actionOf(change) === "delete" && outcome === "done") {',
      '    if (actionOf(change) === "delete" && outcome !== "done") {',
    ],
  ),
  ...faults("journal", "framework/operations/recover-resource.ts")(
    [
      "A create that was done counts as not done",
      '  if (found === undefined) return { outcome: "not-done", diagnostics: [] };\n  const { key }',
      '  if (found === undefined || definition.key !== undefined) return { outcome: "not-done", diagnostics: [] };\n  const { key }',
    ],
    [
      "An object that was there before counts as created",
      '  if (wasThere) return { outcome: "foreign", diagnostics: [] };\n',
      "",
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
  ...faults("engine", "engine/apply/apply-step.ts")(
    [
      "A create sends before its intent is recorded",
      "  const intent = await journal.recordIntent(journalChange(run, step, prior, planned));",
      "  const intent = 0;",
    ],
    [
      "A delete sends before its intent is recorded",
      "  const intent = await journal.recordIntent(journalChange(run, step, prior, undefined, held));",
      "  const intent = 0;",
    ],
    ["An uncertain create is committed", "...(answer.isUncertain !== true && { intent })", "intent"],
    [
      "A failed create taints what is sound",
      "  const tainted = prior === undefined && hasErrors(diagnostics) && answer.isSound !== true;",
      "  const tainted = prior === undefined && hasErrors(diagnostics);",
    ],
  ),
  ...faults("engine", "engine/apply/object-changes.ts")(
    [
      "A created object is not put into the state",
      "    if (result.state !== undefined) edits.push(this.put(step, result.state, result.tainted));",
      "",
    ],
    [
      "An object whose delete failed leaves the state",
      "    if (state === undefined) return [this.#remove(step, deposed)];\n    const { editor }",
      "    if (state !== null) return [this.#remove(step, deposed)];\n    const { editor }",
    ],
    [
      "A deleted object stays in the state",
      "    this.#state.editor.remove(resourceOf(step), objectName(address, deposed));\n    this.#state.schedule();\n    return { remove",
      "    return { remove",
    ],
    [
      "No change is committed to the journal",
      "    if (intent !== undefined) this.#state.journal.recordCommit(intent, edits);",
      "",
    ],
  ),
  ...faults("engine", "engine/apply/apply-plan.ts")(
    [
      "The state is not saved at the end",
      "    if (this.#plan.priorState !== undefined || !this.#editor.isEmpty) this.#save();\n",
      "",
    ],
    [
      "Moved objects are not saved first",
      "    if (this.#plan.steps.some(changesState)) await this.#state.saveNow();\n",
      "",
    ],
    [
      "Deletes do nothing",
      '        return this.#rights.refuses(node.step) ? "failed" : this.#changes.destroy(node.step);',
      '        return "done";',
    ],
    [
      "Errors of an object are not reported",
      "      return this.#run.report(result.diagnostics);\n    const values",
      '      return "done";\n    const values',
    ],
    [
      "The provider is not told what stays declared",
      "    await expectChanges(this.#run, this.#plan, key);\n",
      "",
    ],
    [
      "Failures of the last save are not reported",
      "    this.#run.report(await this.#state.flush());",
      "    await this.#state.flush();",
    ],
  ),
  ...faults("engine", "engine/plan/deletes.ts")(
    [
      "Objects without a declaration stay",
      "    for (const [address, objects] of current) {\n      if (this.#run.graph.has(address)",
      '    for (const [address, objects] of current) {\n      if (address !== "" || this.#run.graph.has(address)',
    ],
    [
      "A moved object is deleted at its old address",
      "    for (const step of this.#unconfirmed.filter(hasMoved)) this.#steps.remove(step);\n",
      "",
    ],
    [
      "What another declaration keeps is deleted",
      "    if (keptBy !== undefined) {",
      '    if (keptBy !== undefined && this.#mode === "destroy") {',
    ],
    ["Deletes ignore prevent_destroy", ", ...preventDestroy(declared, step.change)];", "];"],
    [
      "Deletes that the comparison of stacks refuses are carried out",
      "|| refused.has(step.change.address)",
      "",
    ],
  ),
  ...faults("engine", "engine/plan/plan-managed.ts")(
    [
      "A change counts as none",
      '  return isUnchanged(before, after) ? "no-op" : "update";',
      '  return "no-op";',
    ],
    [
      "A replacement counts as an update",
      "  if (replaceReason !== undefined) return",
      '  if (replaceReason === "replace_by_request") return',
    ],
    [
      "Replacements ignore prevent_destroy",
      "    ...preventDestroy(declaration, step.change),\n  ];\n  const after",
      "  ];\n  const after",
    ],
    [
      "An object that could not be read is planned",
      '  const before = joined(refreshed?.diagnostics ?? [], checkInstance(stage, "precondition"));',
      '  const before = joined([], checkInstance(stage, "precondition"));',
    ],
  ),
  ...faults("engine", "engine/steps/refresh.ts")(
    [
      "The state counts as live",
      "upgraded.attributes === undefined || !this.#isEnabled ||",
      "upgraded.attributes !== undefined || !this.#isEnabled ||",
    ],
    [
      "Problems of a read are dropped",
      "live: answer.state, diagnostics: this.#located(object, answer.diagnostics) };",
      "live: answer.state, diagnostics: [] };",
    ],
  ),
  ...faults("cache", "framework/collections/live-collection.ts")(
    [
      "A list read before a lost answer counts afterwards",
      "      if (isOlder(this.#listing, since) || isOlder(this.#boundedRead, since)) this.drop(since);\n",
      "",
    ],
    [
      "A deleted record stays in the cache",
      "  removed(key: K): void {\n    this.#patch(key, null);",
      "  removed(key: K): void {\n    void key;",
    ],
    [
      "A single record that was read twice is the first one",
      "    if (record !== undefined) this.#singles.set(key, Promise.resolve(record));\n    return record;",
      "    return record;",
    ],
    [
      "Dropping keeps single records",
      "    this.#singles.clear();\n    this.#singleReads = 0;",
      "    this.#singleReads = 0;",
    ],
  ),
  ...faults("cache", "framework/collections/read-write-lock.ts")(
    [
      "Writes don't wait for reads of their list",
      "    while (this.#reads.size > 0) await settled(this.#reads);\n",
      "",
    ],
    [
      "Reads don't wait for writes of their list",
      "    return during(this.#reads, settled(this.#writes).then(read));",
      "    return during(this.#reads, read());",
    ],
  ),
  ...faults(
    "cache",
    "http/read-pages.ts",
  )([
    "A list that changed while it was read counts",
    "    if (pass.isStable) return;",
    "    if (pass !== undefined) return;",
  ]),
  ...faults("retry", "http/retry.ts")(
    [
      "A write whose answer was lost is sent again",
      "  return isRepeatable || !failure.wasSent;",
      "  return true;",
    ],
    [
      "A write that a proxy failed is sent again",
      "(isRepeatable && isTransient(answer.status));",
      "isTransient(answer.status);",
    ],
    [
      "Nothing is retried",
      "    if (attempt >= maxAttempts || !isRetryable(outcome, isRepeatable)) return undefined;",
      "    if (attempt >= 1 || !isRetryable(outcome, isRepeatable)) return undefined;",
    ],
    [
      "Reads are retried for ever",
      "    if (attempt >= maxAttempts || !isRetryable(outcome, isRepeatable)) return undefined;",
      "    if (!isRetryable(outcome, isRepeatable)) return undefined;",
    ],
  ),
  ...faults("retry", "http/transport.ts")(
    [
      "A request counts as unsent although it was sent",
      "this.#controller !== undefined, cause));",
      "false, cause));",
    ],
    [
      "An answer has no time limit",
      '    this.#timer = setTimeout(() => this.#stop("timeout"), limits.timeout);',
      "    this.#timer = setTimeout(() => undefined, 0);",
    ],
    [
      "A cut body counts as whole",
      '    this.#fail(isIdle ? "timeout" : "connection", error);',
      '    if (this.#size > 0) return this.#end();\n    this.#fail(isIdle ? "timeout" : "connection", error);',
    ],
  ),
  ...faults("retry", "framework/operations/create-object.ts")(
    [
      "After a lost answer the create is sent again without a look",
      "      const { found, mayBeSentAgain } = await verifyLost(attempt, identity, problem, sent);",
      "      const { found, mayBeSentAgain } = { found: undefined as never, mayBeSentAgain: sent < 3 };",
    ],
    [
      "After a lost answer the create is neither looked for nor kept",
      "      if (!isLost && sent === 1) throw problem;",
      "      if (sent === 1) throw problem;",
    ],
    [
      "What was there before a lost create is taken over",
      "        const mayBeOurs = isOnlyOne || !before?.ids.includes(formatId(place));",
      "        const mayBeOurs = true;",
    ],
    [
      "A lost create that could not be verified counts as failed",
      "      (problem instanceof VerifyFailed || ",
      "      (",
    ],
    [
      "A foreign object is taken over",
      "  const mayBeOurs = definition.isEntry === true && !session.host.recoversKilledRuns;",
      "  const mayBeOurs = true;",
    ],
  ),
  ...faults("retry", "framework/operations/delete-object.ts")(
    [
      "A lost delete counts as done",
      "    if (found === undefined) return await alreadyGone(definition, session, identity, prior);\n    return isRetryable",
      "    if (found !== null) return { diagnostics: [] };\n    return isRetryable",
    ],
    [
      "A refused delete counts as done",
      "      session.collections.drop(identity.container);\n      const references",
      "      return { diagnostics: [] };\n      const references",
    ],
    [
      "A 404 on a delete is an error",
      "      if (session.failures.isGone(problem)) {",
      "      if (session.failures.isGone(problem) && sent > 1) {",
    ],
  ),
  ...faults("retry", "framework/operations/update-object.ts")(
    [
      "A failed update counts as done",
      "      if (session.failures.whenMaybeDone(problem) === undefined) throw problem;",
      "      if (session.failures.whenMaybeDone(problem) === undefined) return prior.attributes as never;",
    ],
    [
      "A lost update counts as done",
      "      if (!loss.isRetryable) throw problem;",
      "      return prior.attributes as never;",
    ],
  ),
  ...faults(
    "retry",
    "framework/operations/verify-write.ts",
  )([
    "A lost answer is verified in what was read before it",
    "  if (lost !== undefined) collections.drop(container);\n",
    "",
  ]),
  ...faults("lock", "state/lock/lock-file.ts")(
    [
      "The lock replaces another one",
      "    await link(createComplete, place);\n    return true;",
      "    await rename(createComplete, place);\n    return true;",
    ],
    [
      "The lock of a living process is taken over",
      "      if (holder.process === undefined || !isDead(holder.process)) return { taken: false, holder };\n",
      "",
    ],
    [
      "A takeover does not look again",
      "      if (holder.id !== dead.id) return { taken: false, holder };\n",
      "",
    ],
    [
      "A takeover has no guard",
      "    const result = await guard.attempt(info);\n      if (result.taken) break;",
      "    const result = await guard.attempt(info);\n      if (result !== undefined) break;",
    ],
    [
      "The lock of a dead process stays for ever",
      "      return await this.takeOver(holder, createComplete);",
      "      return { taken: false, holder };",
    ],
    [
      "The lock is not released",
      "      if (holder?.id !== id) return holder;\n      await removeFile(this.path);",
      "      if (holder?.id !== id) return holder;",
    ],
    ["The guard is not removed", "      await removeFile(guard.path);", ""],
  ),
  ...faults(
    "lock",
    "state/lock/lock.ts",
  )([
    "A held lock counts as acquired",
    "    if (result.taken) return result.stale;",
    "    if (result.taken || result.holder !== undefined) return undefined;",
  ]),
  ...faults(
    "lock",
    "engine/operations/run-stacks.ts",
  )([
    "Nothing locks",
    "    if (locksFor === undefined) return work();",
    '    if (locksFor !== "") return work();',
  ]),
  ...faults(
    "lock",
    "files/process-identity.ts",
  )([
    "A living process counts as dead",
    "  if (found === undefined) return true;\n  return holder.started",
    "  if (found !== null) return true;\n  return holder.started",
  ]),
  ...faults("lock", "state/backends/http-backend.ts")(
    [
      "A lock refused by the service counts as taken",
      "    return holder.id === info.id ? { taken: true } : { taken: false, holder };",
      "    return { taken: true };",
    ],
    [
      "The lock on the service is not released",
      "    this.lockId = undefined;\n    await this.remove(info);",
      "    this.lockId = undefined;",
    ],
  ),
  ...faults("state", "state/backends/local-backend.ts")(
    [
      "The state's version is not announced to the journal",
      "      await options.announce?.(version);\n      await pending.commit();",
      "      await pending.commit();",
    ],
    [
      "The state is not written",
      "      await pending.commit();\n      this.known",
      "      await pending.discard();\n      this.known",
    ],
  ),
  ...faults("state", "state/backends/state-writer.ts")(
    [
      "A failed save is not retried, and not told",
      "      this.failure = { first: this.failure?.first ?? problem, unsaved: snapshot };",
      "      void problem;",
    ],
    [
      "What came during a save is not saved",
      "  } while (this.latest !== undefined && this.failure === undefined);",
      "  } while (false);",
    ],
  ),
  ...faults("state", "files/pending-file.ts")(
    [
      "A state is renamed before its content is synced",
      "    await flush();\n    await syncFile(this.handle);",
      "    await flush();",
    ],
    [
      "A state's name is not synced",
      "    await rename(this.temporary, this.target);\n    await syncFolder(path.dirname(this.target));",
      "    await rename(this.temporary, this.target);",
    ],
  ),
  ...faults("ownership", "framework/ownership/held-objects.ts")(
    [
      "Nothing stays because another declaration holds it",
      "    return this.#holders.of(share).some((holder) => holds(holder, ending));\n  }\n\n  /** Whether a declaration of another",
      "    return this.#holders.of(share).length > 99 && holds({} as never, ending);\n  }\n\n  /** Whether a declaration of another",
    ],
    [
      "Nothing counts as released",
      "    return this.#leaving.of(share).some((leaving) => address === undefined || leaving.address !== address);",
      "    return this.#leaving.of(share).length > 99 && address === undefined;",
    ],
    [
      "Operations on one object run side by side",
      "(this.#turns.get(place) ?? Promise.resolve()).then(work, work);",
      "work();",
    ],
    ["A list's owner is not known", "    for (const share of owns) this.#owners.add(share, holder);\n", ""],
  ),
  ...faults(
    "ownership",
    "framework/ownership/ownership.ts",
  )([
    "Two declarations of one object are accepted",
    "      if (other !== undefined) return [conflict(",
    "      if (other !== undefined && claims.length > 9) return [conflict(",
  ]),
  ...faults("ownership", "engine/stacks/compare-stacks.ts")(
    [
      "Declarations of other stacks are not compared",
      "          ...conflicts(name, one, stack.name, stack.index.of(one.identity)),\n",
      "",
    ],
    [
      "Sets of other stacks are not compared",
      "          ...overlaps(name, one, stack.name, stack.index),\n",
      "",
    ],
    [
      "Deletes are not compared with other stacks",
      "        if (before !== undefined) found.push({ ...site, identity: before, isHeld: true, isDeclared: false });\n        continue;",
      "        continue;",
    ],
  ),
  ...faults("ownership", "provider/resources/job-token-allowlist.ts")(
    [
      "What is left over in a list stays",
      "    ...projects.leftOver.map((entry) =>",
      "    ...projects.leftOver.slice(1).map((entry) =>",
    ],
    [
      "Groups of a list are not added",
      "    ...groups.missing.map((entry) =>",
      "    ...groups.missing.slice(1).map((entry) =>",
    ],
    [
      "A changed list is read from the cache",
      "  if (isChange(projects)) scope.collection(allowedProjects).drop();\n",
      "",
    ],
  ),
  ...faults("moves", "engine/moves/pair-by-identity.ts")(
    [
      "Nothing is found by its identity",
      "    else if (from.length === 1 && to.length === 1) moves.set(from[0]!.address, to[0]!.address);",
      "    else if (from.length > 1) moves.set(from[0]!.address, to[0]!.address);",
    ],
    [
      "An object moves although its address keeps it",
      '    held.filter(({ released }) => released !== "no"),',
      "    held,",
    ],
  ),
  ...faults("moves", "engine/plan/move-detection.ts")(
    [
      "Any object matches the declaration at its address",
      "      return value === null || !isSingle || sameValue(value, values[name] ?? null);",
      '      return value === null || !isSingle || name !== "";',
    ],
    [
      "Objects of any identity match",
      "      if (!holders.has(identity)) return undefined;\n",
      "      if (holders.has(identity)) return undefined;\n",
    ],
  ),
  ...faults("moves", "engine/recovery/state-move.ts")(
    [
      "A move between stacks leaves its source first",
      "  if (!hasArrived) await target.write(moveBetween(before, targetState, addresses, providerOf).target);\n  if (!hasLeft) await source.write(without(before, (name) => leaving.has(name)));",
      "  if (!hasLeft) await source.write(without(before, (name) => leaving.has(name)));\n  if (!hasArrived) await target.write(moveBetween(before, targetState, addresses, providerOf).target);",
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
  ...faults("repair", "engine/drift/repair.ts")(
    [
      "Repair also does what the code changed since",
      "    if (reason === undefined) repaired.add(address);",
      "    repaired.add(address);",
    ],
    ["Repair leaves everything as it is", "    if (reason === undefined) repaired.add(address);", ""],
  ),
  ...faults("repair", "engine/drift/detect-drift.ts")(
    [
      "What vanished is no drift",
      "    if (change.after === null) {\n      const drifted",
      "    if (change.after === null) return;\n    if (change.after === undefined) {\n      const drifted",
    ],
    [
      "A read that fails is no error of drift",
      '    if (this.#run.report(found) === "failed") {\n      this.#unchecked',
      "    if (found.length > 99) {\n      this.#unchecked",
    ],
  ),
  ...faults("access", "provider/access/environments.ts")(
    [
      "Access reports leave out who deploys after the change",
      "        deploy: declaredEntries(deploy_access_levels),",
      "        deploy: declaredEntries(deploy_access_levels).slice(1),",
    ],
    [
      "Access reports leave out live rules",
      "  deploy: declaredEntries(environment.deploy_access_levels.map(fromRecord)),",
      "  deploy: declaredEntries(environment.deploy_access_levels.map(fromRecord)).slice(1),",
    ],
  ),
];
