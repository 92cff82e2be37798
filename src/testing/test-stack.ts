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
  /**
   * The service of the test. This service replaces the service and the token in the configuration of the app's
   * provider.
   */
  readonly service: ServiceOfTest;
  /** The token of the app. By default, this is the token of the service's administrator. */
  readonly token?: string | undefined;
  /** The values of the app's variables, by name and in JSON types: `{ level: 40 }`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The environment variables that the app's configuration reads, such as `TF_VAR_…`. By default, there are no
   * variables.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The options of one run. */
export interface TestRunOptions
  extends PlanOptions,
    Pick<EngineOptions, "targets" | "excludes" | "refresh"> {}

/** The runs of one app and of all its later versions, in their order. */
interface Queue {
  /** A promise that settles when no run is in progress. */
  last: Promise<unknown>;
  /** The number of runs that may have changed the state. */
  changes: number;
}

const wholePlans = new WeakMap<PlannedStacks, () => Promise<PlannedStacks>>();

/**
 * Returns the given plan with the access of all people.
 * @throws TypeError if the state changed after the plan
 */
export const withWholeAccess = (planned: PlannedStacks): Promise<PlannedStacks> =>
  Promise.resolve().then(() => wholePlans.get(planned)?.() ?? planned);

/** The work of one run on a synthesized app. */
type Work<T> = (source: { readonly manifest: string }, options: EngineOptions) => Promise<T>;

/** The content of the state files and of the files next to the state files, by file name. */
type Files = Map<string, Buffer>;

/**
 * Plans and applies an app, or one of its stacks, in the process of the test. A test stack starts no command and
 * keeps the state in memory. Runs of one test stack follow each other. Several test stacks can run at the same time.
 */
export class TestStack {
  // The field is private, so that nothing that prints a test stack shows its tokens.
  readonly #tested: Tested;
  readonly #options: TestStackOptions;
  readonly #files: Files;
  readonly #queue: Queue;

  /** Use {@link testStack} instead of this constructor. */
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
   * Plans without applying.
   *
   * @throws TestRunError if the run has errors, and the errors of the app's synthesis, as all methods do
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

  /** Plans and applies, without asking for an approval. */
  apply(options: TestRunOptions = {}): Promise<AppliedStacks> {
    this.#queue.changes++;
    return this.#run(async (source, common) =>
      appliedOf(this, succeeded(await apply(source, { ...common, ...options }).result)),
    );
  }

  /** Destroys all objects of the state. */
  destroy(): Promise<AppliedStacks> {
    return this.apply({ mode: "destroy" });
  }

  /** Finds changes on the service since the last apply. */
  drift(): Promise<DriftedStacks> {
    return this.#run(async (source, common) => driftedOf(succeeded(await drift(source, common).result)));
  }

  /** Returns a plan, and the changes on the service since the last apply, from a single run. */
  compare(): Promise<{ readonly plan: PlannedStacks; readonly drift: DriftedStacks }> {
    return this.#run(async (source, common) => ({
      plan: plannedOf(this, succeeded(await plan(source, common).result)),
      drift: driftedOf(succeeded(await drift(source, common).result)),
    }));
  }

  /** Imports a live object into the state. The object has an address, such as `steward_pages_settings.site`, and an id. */
  import(address: string, id: string): Promise<void> {
    this.#queue.changes++;
    return this.#run(async (source, common) => {
      succeeded(await importObject(source, { ...common, address, id }).result);
    });
  }

  /**
   * Returns a test stack for another version of the app, with the state of this test stack. Use it to test the plan of a change
   * of the code.
   */
  changedTo(tested: Tested): TestStack {
    return new TestStack(tested, this.#options, this.#files, this.#queue);
  }

  #run<T>(work: Work<T>): Promise<T> {
    const run = this.#queue.last.then(() => this.#inFolder(work));
    this.#queue.last = run.catch(() => undefined);
    return run;
  }

  /** Runs the work in a separate folder, so that a test never leaves files. */
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
