import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ServiceOptions } from "../../src/service";

/** The number of requests since the counters were last read. */
export interface Counted {
  readonly requests: number;
  /** The number of responses with status 429. */
  readonly refused: number;
  /** The number of 429 responses to requests (method and URL) that had a 429 response before. */
  readonly refusedAgain: number;
}

/**
 * The program of the service. The service is a separate process, so that service and measured code can use different
 * cores, as in real use.
 */
const RUNNER = path.join(__dirname, "service-runner.js");

/** The embedded service in a separate process. The service delays each response and counts requests. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly url: string;
  /** The token of an administrator. */
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

  /** Returns the environment variables with which programs find the service. */
  get env(): NodeJS.ProcessEnv {
    return { ...process.env, STEWARD_BASE_URL: this.url, STEWARD_TOKEN: this.token };
  }

  /** Makes the service delay each response by this number of milliseconds, from now on. */
  async delay(milliseconds: number): Promise<void> {
    await ask(this.#child, { delay: milliseconds });
  }

  /** Returns the counts of requests since the last call. */
  counters(): Promise<Counted> {
    return ask(this.#child, { counters: true });
  }

  /**
   * Returns the path and query of each read since the last call of `pages` or `counters`, in the order of the requests.
   */
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
