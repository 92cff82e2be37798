import type { DiagnosticPath } from "../../diagnostics";

/** A failed write with its attribute or element. */
export interface FailedWrite {
  readonly attribute?: DiagnosticPath;
  readonly problem: unknown;
}

/**
 * Some of several writes to one object failed. No request is in flight when it is thrown; with `anyDone`,
 * others succeeded, or may have, and their results exist.
 */
export class SomeWritesFailed extends Error {
  override readonly name = "SomeWritesFailed";

  constructor(
    readonly failures: readonly FailedWrite[],
    readonly isAnyDone: boolean,
  ) {
    super(`${failures.length} of several writes failed`);
  }
}

/** One request in flight, with its attribute or element. */
export interface Write {
  readonly attribute: DiagnosticPath;
  readonly answer: Promise<unknown>;
}

/** The writes of one object, in groups of independent requests. */
export class WriteBatch {
  #isAnyDone = false;

  /**
   * Waits for a whole group, so that no request is in flight when it returns or throws.
   *
   * @throws SomeWritesFailed with every failure of the group
   */
  async all(group: readonly Write[]): Promise<void> {
    const results = await Promise.allSettled(group.map(({ answer }) => answer));
    const failures: FailedWrite[] = [];
    for (const [index, result] of results.entries()) {
      if (result.status === "fulfilled") this.#isAnyDone = true;
      else failures.push({ attribute: group[index]!.attribute, problem: result.reason });
    }
    if (failures.length > 0) throw new SomeWritesFailed(failures, this.#isAnyDone);
  }
}

/** Ignores a kind of refusal that means that the request is already fulfilled. */
export async function unless(isSo: (problem: unknown) => boolean, write: Promise<unknown>): Promise<void> {
  await write.catch((problem: unknown) => {
    if (!isSo(problem)) throw problem;
  });
}

/**
 * A write was answered, but what it made is read by another request, and that one failed. The object exists: what was
 * sent stands for it until the next refresh.
 */
export class NotReadBack<Made = unknown> extends Error {
  override readonly name = "NotReadBack";

  /** @param made the object as far as the request and its answer tell */
  constructor(
    readonly made: Made,
    readonly problem: unknown,
  ) {
    super("what was written could not be read");
  }
}
