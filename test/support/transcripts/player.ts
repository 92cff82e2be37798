import { readTranscript, type Step } from "./parse";

/** Plays the steps of one test of a transcript. */
export abstract class StepPlayer {
  constructor(readonly texts: Readonly<Record<string, string>>) {}

  protected abstract take(word: string, rest: string, block: string): Promise<void>;

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        await this.take(step.word, this.#filled(step.rest), this.#filled(step.block));
      } catch (problem) {
        (problem as Error).message = `${step.at}: ${step.word} ${step.rest}\n${(problem as Error).message}`;
        throw problem;
      }
    }
  }

  #filled(text: string): string {
    return text.replace(/<(\w+)>/g, (whole, name: string) =>
      this.texts[name] === undefined ? whole : this.#filled(this.texts[name]),
    );
  }
}

/** Makes tests of transcripts of which `let NAME text` alone stands above the titles. */
export function playSteps(
  folder: string,
  names: readonly string[],
  Player: new (texts: Readonly<Record<string, string>>) => StepPlayer,
): void {
  describe.each(names)("%s", (name) => {
    const { head, tests } = readTranscript(folder, name);
    const texts = Object.fromEntries(head.map(({ rest }) => rest.split(/ (.*)/s)));
    for (const { title, steps } of tests) test(title, () => new Player(texts).play(steps));
  });
}
