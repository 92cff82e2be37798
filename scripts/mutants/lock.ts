import { faults, type PlantedFault } from "./planted-fault";

export const LOCK_FAULTS: readonly PlantedFault[] = [
  ...faults("lock", "state/lock/lock-file.ts")(
    [
      "The lock replaces another one",
      "    return await hasWon(link(finished, place));",
      "    return await hasWon(rename(finished, place));",
    ],
    [
      "The lock of a living process is taken over",
      "      if (holder.process === undefined || !isDead(holder.process)) return { isTaken: false, holder };\n",
      "",
    ],
    [
      "A takeover does not look again",
      "      if (holder.id !== dead.id) return { isTaken: false, holder };\n",
      "",
    ],
    [
      "A takeover has no guard",
      "    const result = await guard.attempt(info);\n      if (result.isTaken) break;",
      "    const result = await guard.attempt(info);\n      if (result !== undefined) break;",
    ],
    [
      "The lock of a dead process stays for ever",
      "      return await this.takeOver(holder, finished);",
      "      return { isTaken: false, holder };",
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
    "state/backends/local-backend.ts",
  )([
    "What dead runs left of attempts to lock stays",
    'journalOf(target), lockFile.path], "any");',
    'journalOf(target)], "any");',
  ]),
  ...faults(
    "lock",
    "files/pending-file.ts",
  )([
    "What dead runs left of guards stays",
    "  return entry.startsWith(prefix) ?",
    '  return entry.startsWith(prefix) && !entry.includes(".guard.guard.") ?',
  ]),
  ...faults(
    "lock",
    "state/lock/lock.ts",
  )([
    "A held lock counts as acquired",
    "    if (result.isTaken) return heldLock(info, result.stale, () => storage.release(info));",
    "    if (result.isTaken || result.holder !== undefined) return heldLock(info, undefined, () => storage.release(info));",
  ]),
  ...faults(
    "lock",
    "engine/library/run-stacks.ts",
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
      "    return holder.id === info.id ? { isTaken: true } : { isTaken: false, holder };",
      "    return { isTaken: true };",
    ],
    [
      "The lock on the service is not released",
      "        this.lockId = undefined;\n        await this.remove(info);",
      "        this.lockId = undefined;",
    ],
  ),
];
