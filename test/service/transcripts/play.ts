import { type CompatMode, type Service, startService } from "cdktf-provider-steward/testing";
import { parse } from "yaml";
import { expectLike } from "../../support/transcripts/data";
import { readTranscript, type Step } from "../../support/transcripts/parse";
import { type Answer, client } from "../client";
import { company, tokenOf } from "../company";

const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE)$/;

/** Plays requests and what is answered: README.md beside this file lists the steps. */
class Player {
  #service!: Service;
  #answer!: Answer;
  #known: Record<string, string>;

  constructor(texts: Readonly<Record<string, string>>) {
    this.#known = { ...texts };
  }

  /** A service of the company, changed by JavaScript, in which `it` is its fixture and `settings` its settings. */
  async open(change: string, compat: string): Promise<void> {
    await this.close();
    const it = company();
    const settings = {};
    new Function("it", "settings", change)(it, settings);
    this.#service = await startService({ fixture: it, settings, compat: (compat || "strict") as CompatMode });
  }

  async close(): Promise<void> {
    await this.#service?.close();
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        await this.#take(step.word, this.#filled(step.rest), this.#filled(step.block));
      } catch (problem) {
        const answered = this.#answer && `${this.#answer.status} ${JSON.stringify(this.#answer.body)}`;
        (problem as Error).message =
          `${step.at}: ${step.word} ${step.rest}\n${(problem as Error).message}\n${answered}`;
        throw problem;
      }
    }
  }

  #filled(text: string): string {
    const known: Readonly<Record<string, string>> = { ...this.#known, URL: this.#service.url };
    return text.replace(/<([\w-]+)>/g, (whole, name: string) =>
      known[name] === undefined ? whole : this.#filled(known[name]),
    );
  }

  async #take(word: string, rest: string, block: string): Promise<void> {
    if (METHODS.test(word)) return this.#send(word, rest, block, this.#service.adminToken);
    const [, method, request] = /^(\w+) (.*)$/s.exec(rest) ?? [];
    if (method !== undefined && METHODS.test(method))
      return this.#send(method, request!, block, word === "nobody" ? null : tokenOf(word));
    const { body, headers } = this.#answer ?? {};
    switch (word) {
      case "found": {
        const [, query, usernames] = /^(.*?):(.*)$/.exec(rest)!;
        await this.#send("GET", `${this.#known["LIST"]}&${query}`, "", this.#service.adminToken);
        const found = (this.#answer.body as { username: string }[]).map(({ username }) => username);
        return expect(found.sort().join(" ")).toBe(usernames!.trim());
      }
      case "fixture":
        return this.open(block, rest);
      case "of": {
        const [field, ...values] = rest.split(" ");
        return expect((body as Record<string, unknown>[]).map((one) => String(one[field!]))).toEqual(values);
      }
      case "fields": {
        const [at, ...names] = rest.split(" ");
        return expect(Object.keys((body as object[])[Number(at)]!)).toEqual(names);
      }
      case "is":
        return expect(body).toEqual(parse(rest + block));
      case "-":
        return expect(JSON.stringify(body)).not.toContain(rest);
      case "header": {
        const [, name, value] = /^(\S+) ?(.*)$/.exec(rest)!;
        return expect(headers.get(name!) ?? "").toBe(value);
      }
      case "rels":
        return expect(
          [...(headers.get("link") ?? "").matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel).join(" "),
        ).toBe(rest);
      case "fault":
        return this.#service.faults.add(parse(rest) as never);
      case "faults":
        return this.#service.faults.clear();
      case "note": {
        const [name, ...path] = rest.split(" ");
        this.#known[name!] = String(path.reduce((at, key) => (at as Record<string, unknown>)[key], body));
        return;
      }
      default:
        throw new Error(`No such step: ${word}`);
    }
  }

  /** `/path {body} => status {what is in the answer}`; any status below 300 where none is named. */
  async #send(method: string, request: string, block: string, by: string | null): Promise<void> {
    const [, asked, status, expected = ""] = /^(.*?)(?: => (\d+)(?: (.*))?)?$/s.exec(request)!;
    const [, path, header, value, body] = /^(\S+)(?: \[([\w-]+): (.*?)\])? ?(.*)$/s.exec(asked!)!;
    const isForm = !/^[{[]/.test(body!);
    const token = /token|auth/.test(header ?? "") ? null : by;
    const send = client(this.#service, path!.startsWith("/_steward/") ? "" : undefined);
    this.#answer = await send(method, path!, {
      token,
      ...(body !== "" && (isForm ? { form: body! } : { json: parse(body!) as unknown })),
      ...(header !== undefined && { headers: { [header]: value! } }),
    });
    if (status === undefined) expect(this.#answer.status).toBeLessThan(300);
    else expect(this.#answer.status).toBe(Number(status));
    const pattern = expected + block;
    if (pattern !== "") expectLike(this.#answer.body, parse(pattern));
  }
}

/** Makes tests of transcripts: each `== title` is one. */
export function play(...names: readonly string[]): void {
  describe.each(names)("%s", (name) => {
    const { head, tests } = readTranscript(__dirname, name);
    const of = (word: string) => head.filter((step) => step.word === word);
    const texts = Object.fromEntries(of("let").map(({ rest }) => rest.split(/ (.*)/s)));
    const isOne = of("company")[0]?.rest.startsWith("all");
    const [, compat = ""] = of("company")[0]!.rest.split(" ");
    // `every NAME a | b`: all tests are played with each of these.
    const [key, ...values] = (of("every")[0]?.rest ?? "none -").split(/ \| | (?=\S+(?: \||$))/);
    describe.each(values)(`with ${key} %s`, (value) => {
      let player: Player;
      const open = async () => {
        player = new Player({ ...texts, [key!]: value });
        await player.open(of("company")[0]!.block, compat);
        await player.play(head.filter(({ word }) => !["company", "let", "every"].includes(word)));
      };
      (isOne ? beforeAll : beforeEach)(open);
      (isOne ? afterAll : afterEach)(() => player.close());
      for (const { title, steps } of tests) test(title, () => player.play(steps));
    });
  });
}
