import { type Diagnostic, type RefusedContainer, warning } from "../diagnostics";
import { type ConfiguredProvider, tokenError } from "../framework";

/** A response about an object of a configured provider. */
interface Answer {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Tells of a token that is refused everywhere as one error, where Terraform asks for one object after the other: the answers about
 * refused objects wait until one was answered, or no request is left that could be.
 */
export class RefusedToken {
  readonly #refused: RefusedContainer[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isAnswered = false;
  #blame: Promise<Diagnostic | undefined> | undefined;
  #isTold = false;

  /**
   * An answer with the error about the token in place of those about what was refused; after the first one, a warning is enough,
   * which Terraform folds: the object stays as it is.
   *
   * @param isRead whether it is one to a read. The plan of a new object tells that the token is good for something, and no more: its
   * parent that is not found may be misspelled
   */
  async judge<A extends Answer>(
    provider: ConfiguredProvider,
    asked: A | Promise<A>,
    isRead: boolean,
  ): Promise<A> {
    if (this.#isAnswered) return asked;
    this.#running++;
    try {
      const answer = await asked;
      const refused = answer.diagnostics.filter(({ refused }) => refused !== undefined);
      if (refused.length === 0 || !isRead) {
        this.#isAnswered ||= answer.diagnostics.every(({ severity }) => severity !== "error");
        return answer;
      }
      this.#refused.push(...refused.map((one) => one.refused!));
      await new Promise<void>((go) => {
        this.#waiting.push(go);
        this.#release();
      });
      const blame = await this.#error(provider);
      if (blame === undefined) return answer;
      const rest = answer.diagnostics.filter((one) => !refused.includes(one));
      const isFollowing = this.#isTold;
      this.#isTold = true;
      return { ...answer, diagnostics: [...rest, isFollowing ? NOT_CHECKED : blame] };
    } finally {
      this.#running--;
      this.#release();
    }
  }

  /** Lets what waits go on, if something was answered or all that is asked waits. */
  #release(): void {
    if (!this.#isAnswered && this.#waiting.length < this.#running) return;
    for (const go of this.#waiting.splice(0)) go();
  }

  async #error(provider: ConfiguredProvider): Promise<Diagnostic | undefined> {
    if (this.#isAnswered) return undefined;
    this.#blame ??= tokenError(this.#refused, provider, "that were asked for so far");
    const blame = await this.#blame;
    // One container alone may have been deleted; the next one tells more.
    if (blame === undefined) this.#blame = undefined;
    return blame;
  }
}

const NOT_CHECKED = warning({
  code: "token_without_role",
  summary: "Not checked, kept in the state",
  detail: "The token can't read this object either: see the error about its role.",
});
