import type { ProtectedEnvironment } from "../../../src/api";
import { Collections } from "../../../src/framework/collections/collections";
import { pauseBeforeVerify } from "../../../src/framework/operations/verify-write";
import { exclusively } from "../../../src/framework/ownership/owners";
import { Failures } from "../../../src/framework/protocol/failures";
import { connect } from "../../../src/provider/configuration";
import { failureOf } from "../../../src/provider/failure-of";
import { environments } from "../../../src/provider/resources/protected-environment";
import type { ListTask } from "../story/story";
import { simulation } from "../time/simulation";
import { ORIGIN, TOKEN } from "../world/company";
import { type Content, contentOf, LISTED, type ListHistory, type Shown } from "../world/list-history";

type Environment = ProtectedEnvironment | undefined;
type Records = ReadonlyMap<string, ProtectedEnvironment>;

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void simulation().after(milliseconds, resolve));

function open() {
  const connection = connect({ base_url: ORIGIN, token: TOKEN }, { env: {} });
  const failures = new Failures(failureOf);
  const collections = new Collections({ api: connection.client, failures }, []);
  const live = collections.of(LISTED, environments);
  return { connection, failures, collections, live, turns: new Map() };
}

/** Performs all tasks on one list at the same time in the current process, as the objects of one run use a list. */
export async function useList(tasks: readonly ListTask[], history: ListHistory): Promise<void> {
  const user = new ListUser(history);
  await Promise.all(tasks.map((task) => user.perform(task)));
  await user.close();
}

class ListUser {
  readonly #history: ListHistory;
  readonly #session = open();

  constructor(history: ListHistory) {
    this.#history = history;
  }

  close(): Promise<void> {
    return this.#session.connection.close();
  }

  async perform({ task, key, after }: ListTask): Promise<void> {
    const { live } = this.#session;
    await sleep(after);
    switch (task) {
      case "read all":
        return this.#readAll(task, () => live.all());
      case "read if short":
        return this.#readAll(task, () => live.allWithin(2));
      case "look": {
        const since = simulation().monotonic;
        return this.#readAll(task, () => live.asOf(since).all(), since);
      }
      case "read one":
        return this.#readOne(task, key, () => Promise.resolve(live.get(key, 1)));
      case "read one of many":
        return this.#readOne(task, key, () => Promise.resolve(live.get(key, 3)));
      case "drop":
        live.drop();
        return this.#history.dropped();
      default:
        return this.#write(task, key);
    }
  }

  #readAll(what: string, read: () => Promise<Records | undefined>, since?: number): Promise<void> {
    const all = async () => {
      const records = await read();
      if (records === undefined) return undefined;
      const keys = new Set([...this.#history.keys, ...records.keys()]);
      return new Map([...keys].map((key) => [key, textOf(records.get(key))]));
    };
    return this.#read(what, all, since);
  }

  #readOne(what: string, key: string, read: () => Promise<Environment>, since?: number): Promise<void> {
    return this.#read(what, async () => new Map([[key, textOf(await read())]]), since);
  }

  /** Reads the list, and records the returned values. A read that fails is not recorded. */
  async #read(
    what: string,
    read: () => Promise<Shown["records"] | undefined>,
    since?: number,
  ): Promise<void> {
    const from = this.#history.next();
    try {
      const records = await read();
      if (records === undefined) return;
      this.#history.shown.push({ what, from, to: this.#history.next(), records, ...(since && { since }) });
    } catch (problem) {
      this.#session.failures.throwUnlessFailure(problem);
    }
  }

  /**
   * Sends a write. As in the product, operations on one object take turns, and a read after a lost response finds the
   * outcome.
   */
  #write(what: "create" | "update" | "delete", key: string): Promise<void> {
    const { failures, collections, live, turns } = this.#session;
    return exclusively({ turns }, key, async () => {
      this.#history.begin(key);
      try {
        await this.#send(what, key);
        this.#history.answered(key);
      } catch (problem) {
        failures.throwUnlessFailure(problem);
        this.#history.dropped();
        if (failures.whenMaybeDone(problem) === undefined) return collections.drop(LISTED);
        const { since } = await pauseBeforeVerify(this.#session, LISTED, problem, 1);
        await this.#readOne(
          `a look after a lost ${what}`,
          key,
          async () => live.asOf(since).get(key, 1),
          since,
        );
      } finally {
        this.#history.end(key);
      }
    });
  }

  async #send(what: "create" | "update" | "delete", key: string): Promise<void> {
    const { connection, live } = this.#session;
    const { protectedEnvironments: api } = connection.client;
    const levels = (access_level: 30 | 40) => ({ deploy_access_levels: [{ access_level }] });
    if (what === "create") {
      const made = await live.send(() => api.protect(LISTED, { name: key, ...levels(40) }));
      live.written(made, key);
    } else if (what === "update") {
      live.written(await api.update(LISTED, key, levels(30)), key);
    } else {
      await live.send(() => api.unprotect(LISTED, key));
      live.removed(key);
    }
  }
}

const textOf = (environment: Environment): Content =>
  environment && contentOf(environment.deploy_access_levels.map(({ access_level }) => access_level));
