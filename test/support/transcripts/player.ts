import { readTranscript, type Step } from "./parse";

/** A step without placeholders, with the user that `as NAME` before it names. */
export interface Taken {
  readonly word: string;
  readonly rest: string;
  readonly block: string;
  readonly user: string | undefined;
}

/** Plays the steps of one transcript. */
export abstract class StepPlayer {
  readonly texts: Record<string, string>;
  /** The user of `as NAME` on a line by itself. */
  protected user: string | undefined;

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = { ...texts };
  }

  protected abstract take(step: Taken): void | Promise<void>;

  /** The last result, for the message of a failed step. */
  protected described(): string {
    return "";
  }

  /** Texts in angle brackets that no transcript defines. */
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

  /** `note NAME a 0 b`: keeps a value below these fields as `<NAME>`. */
  protected noteFrom(data: unknown, rest: string): void {
    const [name, ...fields] = rest.split(" ");
    this.texts[name!] = String(
      fields.reduce((part, field) => (part as Record<string, unknown>)[field], data),
    );
  }

  /** Replaces placeholders. Only texts of the transcript may have placeholders themselves. */
  protected filled(text: string): string {
    const known = this.known();
    return text.replace(/<([\w-]+)>/g, (whole, name: string) => {
      const own = this.texts[name];
      return own === undefined ? (known[name] ?? whole) : this.filled(own);
    });
  }
}

/** How a transcript starts: `start all observed`, with JavaScript below it that changes the fixture. */
export interface Start {
  readonly compat: string;
  readonly change: string;
  readonly fixture: Step | undefined;
  readonly texts: Readonly<Record<string, string>>;
}

const HEAD = ["start", "fixture", "let", "every"];

/**
 * Makes tests of transcripts, or of a part of one, by `NAME PART`: each `== title` is one. After `start all` they build on
 * each other. `every NAME a | b` plays all tests with each of these texts.
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
