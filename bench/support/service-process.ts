import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ServiceOptions } from "../../src/service";

/** The requests to a service since the counters were reset. */
export interface Counted {
  readonly requests: number;
  /** Responses with 429. */
  readonly refused: number;
  /** Requests, by method and address, with status 429 more than once. */
  readonly refusedAgain: number;
}

/** The service has a separate core, as in life: the measured code runs in another process. */
const RUNNER = path.join(__dirname, "service-runner.js");

/** The embedded service in a separate process: it adds latency to each request, and counts them. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly url: string;
  /** An administrator's. */
  readonly token: string;

  private constructor(child: ChildProcess, { url, token }: { url: string; token: string }) {
    this.#child = child;
    this.url = url;
    this.token = token;
  }

  static async start(setup: ServiceOptions): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [RUNNER], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    return new ServiceProcess(child, await ask(child, { start: setup }));
  }

  /** The environment in which programs find the service. */
  get env(): NodeJS.ProcessEnv {
    return { ...process.env, STEWARD_BASE_URL: this.url, STEWARD_TOKEN: this.token };
  }

  /** Delays every request by this number of milliseconds from now on. */
  async delay(milliseconds: number): Promise<void> {
    await ask(this.#child, { delay: milliseconds });
  }

  /** The requests since the last call. */
  counters(): Promise<Counted> {
    return ask(this.#child, { counters: true });
  }

  /** Path and query of each read since the last call of this or `counters`, in the order of the requests. */
  async pages(): Promise<readonly string[]> {
    const { pages } = await ask<{ readonly pages: readonly string[] }>(this.#child, { pages: true });
    return pages;
  }

  async request(method: string, place: string, body?: unknown): Promise<void> {
    const response = await fetch(`${this.url}/api/v4${place}`, {
      method,
      headers: { "private-token": this.token, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${await response.text()}`);
  }

  async close(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }
}

async function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const answered = once(child, "message");
  child.send(question);
  const [answer] = (await answered) as [Answer];
  return answer;
}
