import { type CompatMode, type Service, startService } from "cdktf-provider-steward/testing";
import { parse } from "yaml";
import { expectLike } from "../../support/transcripts/data";
import { playTranscripts, type Start, StepPlayer, type Taken } from "../../support/transcripts/player";
import { isMethod, readRequest } from "../../support/transcripts/request";
import { type Answer, client } from "../client";
import { company, tokenOf } from "../company";

/**
 * Sends the requests of a transcript to the embedded service, and keeps the last response for the checks that follow.
 */
class Player extends StepPlayer {
  #service!: Service;
  #response!: Answer;

  static async open({ texts, change, compat }: Start): Promise<Player> {
    const player = new Player(texts);
    await player.#start(change, compat);
    return player;
  }

  /**
   * Starts a service with the company's fixture. `change` is JavaScript that changes `it` (the fixture) and `settings`.
   */
  async #start(change: string, compat: string): Promise<void> {
    await this.close();
    const it = company();
    const settings = {};
    new Function("it", "settings", change)(it, settings);
    this.#service = await startService({ fixture: it, settings, compat: compat as CompatMode });
  }

  override async close(): Promise<void> {
    await this.#service?.close();
  }

  protected override known(): Readonly<Record<string, string>> {
    return { URL: this.#service.url };
  }

  protected override described(): string {
    return this.#response ? `${this.#response.status} ${JSON.stringify(this.#response.body)}` : "";
  }

  protected async take({ word, rest, block, user }: Taken): Promise<void> {
    if (isMethod(word)) return this.#send(word, rest, block, user);
    const { body, headers } = this.#response ?? {};
    switch (word) {
      case "start":
        return this.#start(block, rest || "strict");
      case "of": {
        const [field, ...values] = rest.split(" ");
        if (field === "keys") return expect(Object.keys((body as object[]).at(-1)!)).toEqual(values);
        return expect((body as Record<string, unknown>[]).map((one) => String(one[field!]))).toEqual(values);
      }
      case "=":
        return expect(body).toEqual(parse(rest + block));
      case "-":
        return expect(JSON.stringify(body)).not.toContain(rest);
      case "header": {
        const [, name, value = ""] = /^(\S+) ?(.*)$/.exec(rest)!;
        const found = headers.get(name!) ?? "";
        if (value.startsWith("~ ")) return expect(found).toMatch(new RegExp(value.slice(2)));
        return expect(found).toBe(value);
      }
      case "fault":
        if (rest === "none") return this.#service.faults.clear();
        return this.#service.faults.add(parse(rest) as never);
      case "note":
        return this.noteFrom(body, rest);
      default:
        throw new Error(`No such step: ${word}`);
    }
  }

  /**
   * Sends a request as an administrator, as a user, or without a token. A token in a header replaces the user's token.
   */
  async #send(method: string, line: string, block: string, user: string | undefined): Promise<void> {
    const { path, header, body, status, expected } = readRequest(line, block);
    const isForm = body !== undefined && !/^[{[]/.test(body);
    const own = user === undefined ? this.#service.adminToken : tokenOf(user);
    const token = user === "nobody" || /token|auth/.test(header?.[0] ?? "") ? null : own;
    const send = client(this.#service, path.startsWith("/_steward/") ? "" : undefined);
    this.#response = await send(method, path, {
      token,
      ...(body !== undefined && (isForm ? { form: body } : { json: parse(body) as unknown })),
      ...(header && { headers: Object.fromEntries([header]) }),
    });
    if (status === undefined) expect(this.#response.status).toBeLessThan(300);
    else expect(this.#response.status).toBe(status);
    if (expected !== undefined) expectLike(this.#response.body, expected);
  }
}

/** Makes a test of each `== title` in the transcripts. */
export const play = (...names: readonly string[]): void =>
  playTranscripts(__dirname, names, (start) => Player.open(start));
