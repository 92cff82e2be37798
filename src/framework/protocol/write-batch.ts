import type { DiagnosticPath } from "../../diagnostics";

/** A write that failed, and the attribute or element that it was for. */
export interface FailedWrite {
  readonly attribute?: DiagnosticPath;
  readonly problem: unknown;
}

/**
 * Of several writes to one object some failed. Nothing is under way any more when it is thrown; where `anyDone`,
 * others were done, or may have been, and what they made exists.
 */
export class SomeWritesFailed extends Error {
  override readonly name = "SomeWritesFailed";

  constructor(
    readonly failures: readonly FailedWrite[],
    readonly anyDone: boolean,
  ) {
    super(`${failures.length} of several writes failed`);
  }
}

/** One request that is under way, and the attribute or element that it is for. */
export interface Write {
  readonly attribute: DiagnosticPath;
  readonly answer: Promise<unknown>;
}

/** The writes that bring one object about, in groups whose members don't depend on each other. */
export class WriteBatch {
  #anyDone = false;

  /**
   * Waits for a whole group, so that nothing is under way when it returns or throws.
   *
   * @throws SomeWritesFailed with every failure of the group
   */
  async all(group: readonly Write[]): Promise<void> {
    const results = await Promise.allSettled(group.map(({ answer }) => answer));
    const failures: FailedWrite[] = [];
    for (const [index, result] of results.entries()) {
      if (result.status === "fulfilled") this.#anyDone = true;
      else failures.push({ attribute: group[index]!.attribute, problem: result.reason });
    }
    if (failures.length > 0) throw new SomeWritesFailed(failures, this.#anyDone);
  }
}

/** Passes over one kind of refusal: what was asked for is so already. */
export async function unless(isSo: (problem: unknown) => boolean, write: Promise<unknown>): Promise<void> {
  await write.catch((problem: unknown) => {
    if (!isSo(problem)) throw problem;
  });
}
