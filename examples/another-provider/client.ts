import type { Flag } from "./service";

/** An error response of the service, or a lost response. If the response was lost, `status` is not set. */
export class FlagError extends Error {
  override readonly name = "FlagError";

  constructor(
    message: string,
    readonly status: number | undefined,
    /** True if the client sent a change and the service may have executed it. */
    readonly maybeDone: boolean,
  ) {
    super(message);
  }
}

interface SpaceRecord {
  readonly id: number;
  readonly name: string;
}

/** A client of the feature flag service. In practice, the makers of the service would publish this client. */
export class FlagClient {
  readonly address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.address = address;
    this.#token = token;
  }

  space = (id: number) => this.#send<SpaceRecord>("GET", `/spaces/${id}`);
  spacesNamed = (name: string) =>
    this.#send<SpaceRecord[]>("GET", `/spaces/?name=${encodeURIComponent(name)}`);

  createFlag = (space: number, flag: Flag) => this.#send<Flag>("POST", `/spaces/${space}/flags`, flag);
  updateFlag = (space: number, flag: Flag) => this.#send<Flag>("PUT", flagPath(space, flag.name), flag);
  deleteFlag = (space: number, name: string) => this.#send<undefined>("DELETE", flagPath(space, name));

  /** Yields the flags of a space page by page. If the cursor expires after a minute, the client reads the list again. */
  async *flags(space: number): AsyncGenerator<readonly Flag[]> {
    const given = new Set<string>();
    let cursor: string | undefined;
    for (let expired = 0; ; ) {
      try {
        const query = cursor === undefined ? "" : `?cursor=${cursor}`;
        const page = await this.#send<{ flags: Flag[]; next?: string }>(
          "GET",
          `/spaces/${space}/flags${query}`,
        );
        yield page.flags.filter(({ name }) => !given.has(name));
        for (const { name } of page.flags) given.add(name);
        if (page.next === undefined) return;
        cursor = page.next;
      } catch (problem) {
        if (!(problem instanceof FlagError && problem.status === 410) || ++expired > 3) throw problem;
        cursor = undefined;
      }
    }
  }

  editors = async (space: number) =>
    (await this.#send<{ editors: string[] }>("GET", `/spaces/${space}/editors`)).editors;
  setEditors = (space: number, editors: readonly string[]) =>
    this.#send<{ editors: string[] }>("PUT", `/spaces/${space}/editors`, { editors });

  async #send<T>(method: string, path: string, body?: unknown): Promise<T> {
    let answer: Response;
    try {
      answer = await fetch(`${this.address}${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "error",
      });
    } catch {
      throw new FlagError(`${method} ${path}: the answer was lost`, undefined, method !== "GET");
    }
    const text = await answer.text();
    if (answer.ok) return (text === "" ? undefined : JSON.parse(text)) as T;
    const { message } = JSON.parse(text) as { message: string };
    throw new FlagError(
      `${method} ${path} was answered with ${answer.status}: ${message}`,
      answer.status,
      false,
    );
  }
}

const flagPath = (space: number, name: string): string =>
  `/spaces/${space}/flags/${encodeURIComponent(name)}`;
