import type { CompatMode } from "cdktf-provider-steward/testing";
import { parse } from "yaml";
import { type Diagnostic, formatPath } from "../../../src/diagnostics";
import type { ConfiguredProvider, StoredState } from "../../../src/framework/protocol/protocol";
import { UNKNOWN, type ValueObject } from "../../../src/schema";
import { expectLike } from "../../support/transcripts/data";
import type { Step } from "../../support/transcripts/parse";
import { playTranscripts, type Start, StepPlayer, type Taken } from "../../support/transcripts/player";
import { isMethod, readRequest } from "../../support/transcripts/request";
import { Host, type Planned } from "../support/host";
import { FIXTURE, startWorld, TOKEN, type World } from "../support/world";

/** Plays the lives of objects in a transcript. Each step of a host is a run, unless `run` joins several steps. */
class Player extends StepPlayer {
  #world!: World;
  #type = "";
  #base: ValueObject = {};
  #run: ConfiguredProvider | undefined;
  #plan!: Planned;
  /** The states of objects, by the name after `@`. */
  readonly #states = new Map<string, StoredState>();
  /** The diagnostics of the last operation that no later line has named yet. */
  #unnamed: Diagnostic[] = [];
  /** The diagnostic to which the last line refers. */
  #last: Diagnostic | undefined;
  #response: unknown;

  static async open({ texts, change, compat }: Start): Promise<Player> {
    const player = new Player(texts);
    const it = structuredClone(FIXTURE);
    new Function("it", "TOKEN", change)(it, TOKEN);
    player.#world = await startWorld(it, undefined, compat as CompatMode);
    return player;
  }

  override close = (): Promise<void> => this.#world.close();

  override async play(steps: readonly Step[]): Promise<void> {
    await super.play(steps);
    expect(this.#unnamed).toEqual([]);
  }

  protected async take({ word, rest, block, user }: Taken): Promise<void> {
    const token = user === undefined ? undefined : TOKEN[user as keyof typeof TOKEN];
    const { service } = this.#world;
    if (isMethod(word)) return this.#send(word, rest, block, token);
    switch (word) {
      case "declare": {
        const [, type, base] = /^(steward_\w+)? ?(.*)$/s.exec(rest)!;
        if (type !== undefined) this.#type = type;
        if (base !== "") this.#base = parse(base + block) as ValueObject;
        return;
      }
      case "fault":
        return rest === "none" ? service.faults.clear() : service.faults.add(parse(rest) as never);
      case "note":
        return this.noteFrom(this.#response, rest);
      case "run":
        if (rest === "expects")
          return new Host(this.#world, this.#type).expectReads([...this.#states.values()], this.#run!);
        this.#run = rest === "end" ? undefined : new Host(this.#world, this.#type, token).connect();
        return;
      case "error":
      case "warning":
        return this.#names(word, rest + block);
      case "action":
        return expectLike(this.#last!.action, parse(rest));
      case "-":
        return expect(this.#last!.detail).not.toContain(rest);
      case "@":
        return expectLike(shown(this.#plan.planned!.attributes), parse(rest + block));
      case "sent":
        return expect(this.#writes().join(" ")).toBe(rest);
      case "requests":
        return expect(service.requests.count()).toBe(Number(rest));
      default:
        expect(this.#unnamed).toEqual([]);
        service.requests.reset();
        return this.#operate(word, rest, block, token);
    }
  }

  /**
   * Sends a request as the user, or as an Owner by default. Requests about the service itself are sent as an
   * administrator.
   */
  async #send(method: string, line: string, block: string, token: string | undefined): Promise<void> {
    const { path, body, status, expected } = readRequest(line, block);
    const { service, http } = this.#world;
    if (path.startsWith("/_steward/")) {
      const headers = { "private-token": service.adminToken };
      const response = await fetch(service.url + path, { method, headers });
      return expect(response.status).toBeLessThan(300);
    }
    if (status !== undefined) throw new Error("The provider's transcripts show no status.");
    this.#response = await http(method, path, body === undefined ? undefined : parse(body), token);
    if (expected !== undefined) expectLike(this.#response, expected);
  }

  #writes = (): string[] =>
    this.#world.service.requests.all.flatMap(({ method }) => (method === "GET" ? [] : [method]));

  /** Checks a line such as `CODE at PATH: a part of the detail`. */
  #names(severity: string, written: string): void {
    const [, code, at, text = ""] = /^(\w+)(?: at (.+?))?(?:: (.*))?$/s.exec(written)!;
    this.#last = this.#unnamed.shift();
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

  async #planDestroy(prior: StoredState): Promise<void> {
    const host = this.#run ?? new Host(this.#world, this.#type).connect();
    const { diagnostics } = await host.planDestroy({ type: this.#type, prior });
    this.#unnamed = [...diagnostics];
  }

  /**
   * Runs a line such as `WORD @name {change} => expected`. The line operates on the object `name`, whose declaration is
   * the transcript's base with this change.
   */
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
    /** Keeps the state of the object after the operation, and the diagnostics. */
    const ends = (left: StoredState | undefined, diagnostics: readonly Diagnostic[]) => {
      this.#unnamed = [...diagnostics];
      if (expected === "gone") expect(left).toBeUndefined();
      else if (expected === "kept") expect(left?.attributes).toEqual(state?.attributes);
      else if (expected !== undefined) expectLike(shown(left!.attributes), parse(expected + block));
      keep(left);
    };
    switch (word) {
      case "validate":
        this.#unnamed = [...host.validate(config)];
        return;
      case "bring": {
        const plan = await host.plan(state, config, run);
        const answer = await host.apply(plan, run);
        expect(answer.diagnostics).toEqual([]);
        return ends(answer.state, []);
      }
      case "plan": {
        if (text === "destroy") return this.#planDestroy(state!);
        this.#plan = await host.plan(state, config, run);
        this.#unnamed = [...this.#plan.diagnostics];
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
        this.#unnamed = [...diagnostics];
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

/** Returns values as a transcript writes them. */
const shown = (attributes: ValueObject): unknown =>
  JSON.parse(JSON.stringify(attributes, (_, value: unknown) => (value === UNKNOWN ? "unknown" : value)));

/** Makes a test of each `== title` in a transcript. */
export const play = (name: string): void => playTranscripts(__dirname, [name], (start) => Player.open(start));
