import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  apply,
  type Diagnostic,
  drift,
  type EngineOptions,
  importObject,
  type PlanOptions,
  plan,
} from "../engine";
import { stackNames, synthesizeTo, type Tested, useLocalStates } from "./app";
import {
  type AppliedStacks,
  appliedOf,
  type DriftedStacks,
  driftedOf,
  type PlannedStacks,
  plannedOf,
  TestRunError,
} from "./results";
import { providerOfTest, type ServiceOfTest } from "./service-of-test";

/** The options of a stack in a test. */
export interface TestStackOptions {
  /** The service. Whatever service and token the app's provider names, the test uses this one. */
  readonly service: ServiceOfTest;
  /** The token that the app uses; by default that of the service's administrator. */
  readonly token?: string | undefined;
  /** Values of the app's variables by name, in JSON types. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Environment variables that the app's configuration reads, such as `TF_VAR_…`. None by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The options of one run. */
export interface TestRunOptions
  extends PlanOptions,
    Pick<EngineOptions, "targets" | "excludes" | "refresh"> {}

/** The runs of all versions of one app. */
interface Queue {
  /** Settles when no run is in progress. */
  last: Promise<unknown>;
  /** How many runs may have changed the state. */
  changes: number;
}

const wholePlans = new WeakMap<PlannedStacks, () => Promise<PlannedStacks>>();

/** Returns the same plan with the access of all people. @throws TypeError if the state has changed since */
export const withWholeAccess = (planned: PlannedStacks): Promise<PlannedStacks> =>
  Promise.resolve().then(() => wholePlans.get(planned)?.() ?? planned);

/** One run over a synthesized app. */
type Work<T> = (source: { readonly manifest: string }, options: EngineOptions) => Promise<T>;

/** The files of the states, and the files next to them, by name. */
type Files = Map<string, Buffer>;

/**
 * An app, or one of its stacks, that a test plans and applies in its own process. It starts no command, and the
 * state is in memory. Runs of one test stack follow each other; runs of several test stacks run at the same time.
 */
export class TestStack {
  // Nothing that prints a test stack shows its tokens.
  readonly #tested: Tested;
  readonly #options: TestStackOptions;
  readonly #files: Files;
  readonly #queue: Queue;

  /** Use `testStack`. */
  constructor(
    tested: Tested,
    options: TestStackOptions,
    files: Files = new Map(),
    queue: Queue = { last: Promise.resolve(), changes: 0 },
  ) {
    this.#tested = tested;
    this.#options = options;
    this.#files = files;
    this.#queue = queue;
  }

  /** The service of the test. */
  get service(): ServiceOfTest {
    return this.#options.service;
  }

  /**
   * Plans, without changing anything.
   *
   * @throws TestRunError if the run has errors, and what the app's synthesis throws; so do all methods
   */
  plan(options: TestRunOptions = {}): Promise<PlannedStacks> {
    return this.#run(async (source, common) => {
      const planned = plannedOf(this, succeeded(await plan(source, { ...common, ...options }).result));
      const { changes } = this.#queue;
      wholePlans.set(planned, () => {
        if (changes === this.#queue.changes) return this.plan({ ...options, access: "whole" });
        throw new TypeError(
          "This plan was made before an apply or an import. Make another plan, or pass the test stack itself.",
        );
      });
      return planned;
    });
  }

  /** Plans and applies, without a question. */
  apply(options: TestRunOptions = {}): Promise<AppliedStacks> {
    this.#queue.changes++;
    return this.#run(async (source, common) =>
      appliedOf(this, succeeded(await apply(source, { ...common, ...options }).result)),
    );
  }

  /** Destroys everything that the state holds. */
  destroy(): Promise<AppliedStacks> {
    return this.apply({ mode: "destroy" });
  }

  /** Finds changes on the service since the last apply. */
  drift(): Promise<DriftedStacks> {
    return this.#run(async (source, common) => driftedOf(succeeded(await drift(source, common).result)));
  }

  /** A plan, and what was changed on the service, in one run. */
  compare(): Promise<{ readonly plan: PlannedStacks; readonly drift: DriftedStacks }> {
    return this.#run(async (source, common) => ({
      plan: plannedOf(this, succeeded(await plan(source, common).result)),
      drift: driftedOf(succeeded(await drift(source, common).result)),
    }));
  }

  /** Takes a live object into the state. */
  import(address: string, id: string): Promise<void> {
    this.#queue.changes++;
    return this.#run(async (source, common) => {
      succeeded(await importObject(source, { ...common, address, id }).result);
    });
  }

  /** Another version of the app, with the state of this one: for tests of what a change of the code plans. */
  changedTo(tested: Tested): TestStack {
    return new TestStack(tested, this.#options, this.#files, this.#queue);
  }

  #run<T>(work: Work<T>): Promise<T> {
    const run = this.#queue.last.then(() => this.#inFolder(work));
    this.#queue.last = run.catch(() => undefined);
    return run;
  }

  /** Each run has a separate folder, so that a test leaves no files in any case. */
  async #inFolder<T>(work: Work<T>): Promise<T> {
    const { service, token = service.adminToken, variables, env } = this.#options;
    const folder = mkdtempSync(path.join(tmpdir(), `steward-test-${process.pid}-`));
    const output = path.join(folder, "cdktf.out");
    const states = path.join(folder, "states");
    try {
      for (const one of [output, states]) mkdirSync(one);
      synthesizeTo(output, this.#tested);
      useLocalStates(output, states);
      for (const [name, content] of this.#files) writeFileSync(path.join(states, name), content);
      try {
        const providers = [providerOfTest(service.url, token)];
        const stacks = stackNames(this.#tested);
        return await work({ manifest: output }, { providers, folder, stacks, variables, env });
      } finally {
        // This also runs after a failure: completed changes are in the state, and pending changes in its journal.
        this.#files.clear();
        for (const name of readdirSync(states)) this.#files.set(name, readFileSync(path.join(states, name)));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/**
 * Prepares an app or a stack for a test.
 *
 * @example
 * const stack = testStack(new WebShop(Testing.app(), "web-shop"), { service });
 * await stack.apply();
 */
export const testStack = (tested: Tested, options: TestStackOptions): TestStack =>
  new TestStack(tested, options);

function succeeded<R extends { readonly succeeded: boolean; readonly diagnostics: readonly Diagnostic[] }>(
  result: R,
): R {
  if (!result.succeeded) throw new TestRunError(result.diagnostics);
  return result;
}
