import { readTranscript, type Step } from "./parse";

/** A step whose placeholders are replaced. `user` is the user that a step `as NAME STEP` names. */
export interface Taken {
  readonly word: string;
  readonly rest: string;
  readonly block: string;
  readonly user: string | undefined;
}

/** Plays the steps of one transcript. */
export abstract class StepPlayer {
  readonly texts: Record<string, string>;
  /**
   * The user of the last step `as NAME` that contains no other step. This user applies to all later steps of the test.
   */
  protected user: string | undefined;

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = { ...texts };
  }

  protected abstract take(step: Taken): void | Promise<void>;

  /** Returns a description of the last result, for the message of a failed step. */
  protected described(): string {
    return "";
  }

  /** Returns the placeholders in angle brackets that the player itself defines, with their texts. */
  protected known(): Readonly<Record<string, string>> {
    return {};
  }

  async close(): Promise<void> {}

  async play(steps: readonly Step[]): Promise<void> {
    this.user = undefined;
    for (const step of steps) {
      try {
        await this.#take(step);
      } catch (problem) {
        (problem as Error).message =
          `${step.at}: ${step.word} ${step.rest}\n${(problem as Error).message}\n${this.described()}`;
        throw problem;
      }
    }
  }

  async #take({ word, rest, block }: Step): Promise<void> {
    const step = { word, rest: this.filled(rest), block: this.filled(block), user: undefined };
    if (word !== "as") return this.take(step);
    const [, user, next, more = ""] = /^(\S+)(?: (\S+) ?(.*))?$/s.exec(step.rest)!;
    if (next !== undefined) return this.take({ ...step, word: next, rest: more, user });
    this.user = user;
  }

  /** Handles `note NAME a 0 b`: keeps the value at `data.a[0].b` as the placeholder `<NAME>`. */
  protected noteFrom(data: unknown, rest: string): void {
    const [name, ...fields] = rest.split(" ");
    this.texts[name!] = String(
      fields.reduce((part, field) => (part as Record<string, unknown>)[field], data),
    );
  }

  /** Replaces the placeholders in a text. A text that the transcript defines may itself contain placeholders. */
  protected filled(text: string): string {
    const known = this.known();
    return text.replace(/<([\w-]+)>/g, (whole, name: string) => {
      const own = this.texts[name];
      return own === undefined ? (known[name] ?? whole) : this.filled(own);
    });
  }
}

/** The start of a transcript, from a step such as `start all observed`. JavaScript below the step may change the fixture. */
export interface Start {
  readonly compat: string;
  readonly change: string;
  readonly fixture: Step | undefined;
  readonly texts: Readonly<Record<string, string>>;
}

const HEAD = ["start", "fixture", "let", "every"];

/**
 * Declares a test for each `== title` of these transcripts. `NAME PART` takes only the tests whose titles begin with `PART:
 * `. After `start all`, each test continues after the test before it. `every NAME a | b` plays all tests with each of these
 * texts as `<NAME>`.
 */
export function playTranscripts(
  folder: string,
  names: readonly string[],
  open: (start: Start) => StepPlayer | Promise<StepPlayer>,
): void {
  describe.each(names)("%s", (which) => {
    const [name = "", part] = which.split(" ");
    const { head, tests: all } = readTranscript(folder, name);
    const tests = part === undefined ? all : all.filter(({ title }) => title.startsWith(`${part}: `));
    expect(tests).not.toEqual([]);
    const of = (word: string) => head.filter((step) => step.word === word);
    const texts = Object.fromEntries(of("let").map(({ rest }) => rest.split(/ (.*)/s)));
    const [start] = of("start");
    const [when, compat = "strict"] = (start?.rest ?? "each").split(" ");
    const playWith = (more: Readonly<Record<string, string>>) => {
      let player: StepPlayer;
      const begin = async () => {
        const [fixture] = of("fixture");
        player = await open({ compat, change: start?.block ?? "", fixture, texts: { ...texts, ...more } });
        await player.play(head.filter(({ word }) => !HEAD.includes(word)));
      };
      (when === "all" ? beforeAll : beforeEach)(begin);
      (when === "all" ? afterAll : afterEach)(() => player.close());
      for (const { title, steps } of tests) test(title, () => player.play(steps));
    };
    const [every] = of("every");
    if (every === undefined) return playWith({});
    const [key, ...values] = every.rest.split(/ \| | (?=\S+(?: \||$))/);
    describe.each(values)(`with ${key} %s`, (value) => playWith({ [key!]: value }));
  });
}
