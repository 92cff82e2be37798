import { SomeWritesFailed } from "./problems";

/** The writes that bring one object about, in groups whose members don't depend on each other. */
export class Writes {
  #anyDone = false;

  /**
   * Waits for a whole group, so that nothing is under way when it returns or throws.
   *
   * @throws SomeWritesFailed with every failure of the group
   */
  async all(group: readonly Promise<unknown>[]): Promise<void> {
    const results = await Promise.allSettled(group);
    this.#anyDone ||= results.some(({ status }) => status === "fulfilled");
    const problems = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    if (problems.length > 0) throw new SomeWritesFailed(problems, this.#anyDone);
  }
}

/** Passes over one kind of refusal: what was asked for is so already. */
export async function unless(isSo: (problem: unknown) => boolean, write: Promise<unknown>): Promise<void> {
  await write.catch((problem: unknown) => {
    if (!isSo(problem)) throw problem;
  });
}
