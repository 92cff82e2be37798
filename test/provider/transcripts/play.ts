import type { CompatMode } from "cdktf-provider-steward/testing";
import { parse } from "yaml";
import { type Diagnostic, formatPath } from "../../../src/diagnostics";
import type { ConfiguredProvider, StoredState } from "../../../src/framework/protocol/protocol";
import { UNKNOWN, type ValueObject } from "../../../src/schema";
import { expectLike } from "../../support/transcripts/data";
import { readTranscript, type Step } from "../../support/transcripts/parse";
import { Host, type Planned } from "../support/host";
import { FIXTURE, startWorld, TOKEN, type World } from "../support/world";

const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE)$/;

/** Plays the life of objects through the provider: README.md beside this file lists the steps. */
class Player {
  #world!: World;
  #type = "";
  #base: ValueObject = {};
  #run: ConfiguredProvider | undefined;
  #plan!: Planned;
  /** By the name that follows `@`. */
  readonly #states = new Map<string, StoredState>();
  /** What the last operation told and no step has named yet, and what the last one named. */
  #told: Diagnostic[] = [];
  #last: Diagnostic | undefined;
  /** What the last request by hand was answered. */
  #answer: unknown;

  constructor(readonly texts: Record<string, string>) {}

  async open(change: string, compat: string): Promise<void> {
    const it = structuredClone(FIXTURE);
    new Function("it", "TOKEN", change)(it, TOKEN);
    this.#world = await startWorld(it, undefined, (compat || "strict") as CompatMode);
  }

  close = (): Promise<void> => this.#world.close();

  async play(steps: readonly Step[]): Promise<void> {
    for (const { word, rest, block, at } of steps) {
      const [filledRest, filledBlock] = [rest, block].map((text) => this.#filled(text));
      try {
        await this.#take(word, filledRest!, filledBlock!);
      } catch (problem) {
        (problem as Error).message = `${at}: ${word} ${rest}\n${(problem as Error).message}`;
        throw problem;
      }
    }
    expect(this.#told).toEqual([]);
  }

  #filled = (text: string): string =>
    text.replace(/<([A-Z]+)>/g, (whole, name: string) =>
      this.texts[name] === undefined ? whole : this.#filled(this.texts[name]),
    );

  async #take(word: string, rest: string, block: string, token?: string): Promise<void> {
    if (word in TOKEN) {
      const [, next = "", more = ""] = /^(\S+) ?(.*)$/s.exec(rest)!;
      return this.#take(next, more, block, TOKEN[word as keyof typeof TOKEN]);
    }
    const { service, http } = this.#world;
    if (METHODS.test(word)) {
      const [, path, body, expected] = /^(\S+)(?: (?!=> )(.*?))?(?: => (.*))?$/s.exec(rest)!;
      this.#answer = await http(word, path!, body ? (parse(body) as unknown) : undefined, token);
      if (expected !== undefined) expectLike(this.#answer, parse(expected + block));
      return;
    }
    switch (word) {
      case "type":
        this.#type = rest;
        return;
      case "base":
        this.#base = parse(rest) as ValueObject;
        return;
      case "fault":
        return service.faults.add(parse(rest) as never);
      case "faults":
        return service.faults.clear();
      case "accept":
      case "approve":
        return this.#settle(rest, word);
      case "note": {
        const [name = "", ...path] = rest.split(" ");
        this.texts[name] = String(
          path.reduce((at, key) => (at as Record<string, unknown>)[key], this.#answer),
        );
        return;
      }
      case "expects":
        return new Host(this.#world, this.#type).expectReads([...this.#states.values()], this.#run!);
      case "run":
        this.#run = rest === "end" ? undefined : new Host(this.#world, this.#type, token).connect();
        return;
      case "error":
      case "warning":
        return this.#tells(word, rest + block);
      case "action":
        return expectLike(this.#last!.action, parse(rest));
      case "lacks":
        return expect(this.#last!.detail).not.toContain(rest);
      case "planned":
        return expectLike(shown(this.#plan.planned!.attributes), parse(rest + block));
      case "sent":
        return expect(this.#writes().join(" ")).toBe(rest);
      case "asks":
        return expect(service.requests.count()).toBe(Number(rest));
      default:
        expect(this.#told).toEqual([]);
        service.requests.reset();
        return this.#operate(word, rest, block, token);
    }
  }

  /** The first open invitation of a list is accepted in the person's place, or approved by an administrator. */
  async #settle(path: string, how: "accept" | "approve"): Promise<void> {
    const { service, http } = this.#world;
    const [first] = (await http("GET", path)) as readonly { readonly id: number }[];
    const headers = { "private-token": service.adminToken };
    const { status } = await fetch(`${service.url}/_steward/invitations/${first!.id}/${how}`, {
      method: "POST",
      headers,
    });
    expect(status).toBe(201);
  }

  #writes = (): string[] =>
    this.#world.service.requests.all.flatMap(({ method }) => (method === "GET" ? [] : [method]));

  /** `CODE at PATH: a part of the detail`. */
  #tells(severity: string, told: string): void {
    const [, code, at, text = ""] = /^(\w+)(?: at (.+?))?(?:: (.*))?$/s.exec(told)!;
    this.#last = this.#told.shift();
    const { attribute } = this.#last ?? {};
    const found = {
      severity: this.#last?.severity,
      code: this.#last?.code,
      ...(at && { at: attribute && formatPath(attribute) }),
    };
    expect(found).toEqual({ severity, code, ...(at && { at }) });
    if (text.startsWith("~ ")) expect(this.#last!.detail).toMatch(new RegExp(text.slice(2), "s"));
    else expect(this.#last!.detail).toContain(text);
  }

  /** `WORD @name {change} => expected`: of the object of that name, whose declaration is the base with the change. */
  async #operate(word: string, operands: string, block: string, token?: string): Promise<void> {
    const [, name = "", isNew, text = "", expected] = /^(?:@(\w+) ?)?(new ?)?(.*?)(?:(?:^| )=> (.*))?$/s.exec(
      operands,
    )!;
    const host = new Host(this.#world, this.#type, token);
    const run = this.#run;
    const state = isNew ? undefined : this.#states.get(name);
    const change = (text.startsWith("{") ? parse(text) : {}) as ValueObject;
    const config = { ...this.#base, ...change };
    const keep = (next: StoredState | undefined) =>
      next === undefined ? this.#states.delete(name) : this.#states.set(name, next);
    /** What became of the object, and what was told. */
    const ends = (left: StoredState | undefined, diagnostics: readonly Diagnostic[]) => {
      this.#told = [...diagnostics];
      if (expected === "gone") expect(left).toBeUndefined();
      else if (expected === "kept") expect(left?.attributes).toEqual(state?.attributes);
      else if (expected !== undefined) expectLike(shown(left!.attributes), parse(expected + block));
      keep(left);
    };
    switch (word) {
      case "validate":
        this.#told = [...host.validate(config)];
        return;
      case "bring": {
        const plan = await host.plan(state, config, run);
        const answer = await host.apply(plan, run);
        expect(answer.diagnostics).toEqual([]);
        return ends(answer.state, []);
      }
      case "plan": {
        this.#plan = await host.plan(state, config, run);
        this.#told = [...this.#plan.diagnostics];
        const [action, ...changed] = (expected ?? "").split(" ");
        if (action) expect(this.#plan.planned === undefined ? "refused" : this.#plan.action).toBe(action);
        if (changed.length > 0) expect(this.#plan.changed).toEqual(changed);
        return;
      }
      case "apply": {
        const answer = await host.apply({ ...this.#plan, diagnostics: [] }, run);
        return ends(answer.state, answer.diagnostics);
      }
      case "destroy": {
        const answer = await host.destroy(state!, run);
        if (expected === undefined) expect(answer.state).toBeUndefined();
        return ends(answer.state, answer.diagnostics);
      }
      case "end": {
        const { diagnostics } = await (run ?? host.connect()).planDestroy({
          type: this.#type,
          prior: state!,
        });
        this.#told = [...diagnostics];
        return;
      }
      case "read": {
        const answer = await host.read(state!, run);
        return ends(answer.state, answer.diagnostics);
      }
      case "drift":
        return expect((await host.drift(state!, config)).join(" ")).toBe(expected ?? "");
      case "import": {
        const answer = await (run ?? host.connect()).importResource({ type: this.#type, id: text });
        return ends(answer.state, answer.diagnostics);
      }
      case "list": {
        const within = String(this.#base["project"] ?? this.#base["group"]);
        const { objects, diagnostics } = await host.connect().listResource({ type: this.#type, within });
        this.#told = [...diagnostics];
        return expectLike(
          objects.map((one) => shown(one.state.attributes)),
          parse(expected!),
        );
      }
      default:
        throw new Error(`No such step: ${word}`);
    }
  }
}

/** Values as a transcript writes them. */
const shown = (attributes: ValueObject): unknown =>
  JSON.parse(JSON.stringify(attributes, (_, value: unknown) => (value === UNKNOWN ? "unknown" : value)));

/** Makes tests of a transcript: each `== title` is one. */
export function play(name: string): void {
  const { head, tests } = readTranscript(__dirname, name);
  const of = (word: string) => head.filter((step) => step.word === word);
  const texts = Object.fromEntries(of("let").map(({ rest }) => rest.split(/ (.*)/s)));
  // `every NAME a | b`: all tests are played with each of these.
  const [key, ...values] = (of("every")[0]?.rest ?? "none -").split(/ \| | (?=\S+(?: \||$))/);
  const [world] = of("world");
  describe.each(values)(`${name} %s`, (value) => {
    let player: Player;
    beforeEach(async () => {
      player = new Player({ ...texts, [key!]: value });
      await player.open(world?.block ?? "", world?.rest ?? "");
      await player.play(head.filter(({ word }) => !["world", "let", "every"].includes(word)));
    });
    afterEach(() => player.close());
    for (const { title, steps } of tests) test(title, () => player.play(steps));
  });
}
