import fc from "fast-check";
import { hasErrors } from "../../../src/diagnostics";
import { runs, seed } from "../../support/capabilities";
import { type AnswerDamage, answerDamages, isBelievable } from "./damage";
import { DamagedService, type Lies, type Placed, worse } from "./damaged-service";
import {
  addressOf,
  DATA_NAMES,
  type DataName,
  type Declared,
  KIND_NAMES,
  type KindName,
  kindOf,
  type Variant,
} from "./estate";
import { HostileStack, type Operation } from "./hostile-stack";
import { type Allowed, soundWrites, wrongDiagnostics, wrongWrites } from "./oracle";

// A hostile or broken service or proxy can send any response. The tests check that each run still ends with diagnostics,
// keeps the state sound, and sends only requests that a run without damage sends. The next run without damage must complete
// the changes.

/** The number of damaged responses. */
const DAMAGED = runs(40, 20_000);

interface Step {
  readonly operation: Operation;
  readonly declared: Declared;
  readonly data: readonly DataName[];
  readonly placed: readonly Placed[];
  /** The index of the object that the step imports if its operation is `import`. */
  readonly imported: number;
}

const declared: fc.Arbitrary<Declared> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...KIND_NAMES), fc.constantFrom<Variant>("A", "B")), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 3,
  })
  .map((pairs) => Object.fromEntries(pairs) as Declared);

const placedOf = (damages: fc.Arbitrary<AnswerDamage>): fc.Arbitrary<Placed> =>
  fc.record({
    to: fc.constantFrom("read" as const, "write" as const, "any" as const),
    at: fc.nat({ max: 6 }),
    times: fc.constantFrom(1, 1, 2, 4, 1000),
    damage: damages,
  });

const stepOf = (damages: fc.Arbitrary<AnswerDamage>): fc.Arbitrary<Step> =>
  fc.record({
    operation: fc.constantFrom<Operation>("apply", "apply", "apply", "apply", "plan", "drift", "import"),
    declared: fc.oneof({ weight: 6, arbitrary: declared }, { weight: 1, arbitrary: fc.constant({}) }),
    data: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.uniqueArray(fc.constantFrom(...DATA_NAMES), { minLength: 1, maxLength: 3 }),
      },
    ),
    placed: fc.array(placedOf(damages), { minLength: 1, maxLength: 4, size: "max" }),
    imported: fc.nat({ max: 2 }),
  });

const stepsOf = (damages: fc.Arbitrary<AnswerDamage>): fc.Arbitrary<Step[]> =>
  fc.array(stepOf(damages), { minLength: 1, maxLength: 8, size: "max" });

/**
 * A third of the cases contains no false response that the client could believe. In such a case, the state must not lose
 * any object.
 */
const cases = fc.oneof(
  { weight: 2, arbitrary: stepsOf(answerDamages) },
  { weight: 1, arbitrary: stepsOf(answerDamages.filter((damage) => !isBelievable(damage))) },
);

/** The numbers of runs, requests, damaged responses and failed runs of all cases until now. */
const met = { damaged: 0, runs: 0, requests: 0, failed: 0 };

/** A case: a service, a stack, and the steps that the test runs with both. */
class Case {
  /**
   * The declarations of all runs since the last run without damage. `#lies` says whether the client believed a false
   * response in these runs.
   */
  #before: Declared = {};
  #lies: Lies = "none";
  readonly #told: unknown[] = [];

  private constructor(
    readonly service: DamagedService,
    readonly stack: HostileStack,
    readonly allowed: Allowed,
  ) {}

  static async open(allowed: Allowed): Promise<Case> {
    const service = await DamagedService.start();
    return new Case(service, new HostileStack(service.url), allowed);
  }

  async close(): Promise<void> {
    this.stack.remove();
    await this.service.close();
  }

  async take({ operation, declared, data, placed, imported }: Step): Promise<void> {
    const { service, stack } = this;
    const before = stack.stateText;
    const wasOpen = stack.isOpen;
    const stalls = placed.some(({ damage }) => damage.kind === "stall");
    stack.declare(declared, data, stalls ? 0.2 : 30);
    const object = operation === "import" ? this.#importable(declared, imported) : undefined;
    if (operation === "import" && (object === undefined || wasOpen)) return;
    if (object !== undefined) {
      // The object exists on the service but must not be in the state, so the import starts with an empty state.
      stack.stateText = undefined;
    }
    const unimported = stack.stateText;
    service.begin(placed);
    const { diagnostics } = await stack.run(operation, object);
    met.runs += 1;
    met.damaged += service.damaged;
    met.requests += service.requests;
    if (hasErrors(diagnostics)) met.failed += 1;
    this.#told.push(...diagnostics);
    const lies = worse(this.#lies, service.lies);
    this.#lies = lies;
    const { writes, sentBlindly, isFlooded, strayed } = service;
    const isApply = operation === "apply";
    expect({
      diagnostics: wrongDiagnostics(diagnostics),
      writes: isApply
        ? wrongWrites(writes, { before: this.#before, declared, lies }, this.allowed)
        : writes.map(({ what }) => what),
      sentBlindly,
      isFlooded,
      strayed,
    }).toEqual({ diagnostics: [], writes: [], sentBlindly: [], isFlooded: false, strayed: 0 });
    await stack.held();
    if ((operation === "plan" || operation === "drift") && !wasOpen) expect(stack.stateText).toBe(before);
    if (operation === "import") {
      if (hasErrors(diagnostics)) expect(stack.stateText).toBe(unimported);
      stack.stateText = before;
    }
    if (isApply) this.#before = { ...this.#before, ...declared };
  }

  /** Runs without damage. The run must complete the changes, and the next plan must be empty. */
  async converge(declared: Declared): Promise<void> {
    const { service, stack } = this;
    const lies = this.#lies;
    const told = this.#told;
    stack.declare(declared, []);
    service.begin();
    let left = (await stack.run("apply")).diagnostics.filter(({ severity }) => severity === "error");
    const again = wrongWrites(service.writes, { before: this.#before, declared, lies }, this.allowed);
    // If a false response says that an object is gone or that a create failed, the state loses the object. The error of the
    // next run explains how to import the object.
    if (lies !== "none" && left.every(({ code }) => code === "already_exists")) {
      for (const { address, action } of left) {
        const name = KIND_NAMES.find((name) => addressOf(name) === address)!;
        await stack.run("import", { name, id: action?.kind === "import" ? action.id : "" });
      }
      left = (await stack.run("apply")).diagnostics.filter(({ severity }) => severity === "error");
    }
    expect({ told, left, again }).toEqual({ told, left: [], again: [] });
    service.begin();
    const plan = await stack.run("plan");
    expect({ told, ...plan }).toEqual({ told, diagnostics: [], hasChanges: false });
  }

  #importable(declared: Declared, index: number): { name: KindName; id: string } | undefined {
    const names = KIND_NAMES.filter(
      (name) => declared[name] !== undefined && this.#before[name] !== undefined,
    );
    const name = names[index % Math.max(1, names.length)];
    const id = name && kindOf(name).id;
    return name === undefined || id === undefined ? undefined : { name, id };
  }
}

const unhandled: unknown[] = [];
const note = (problem: unknown) => unhandled.push(problem);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

/** The number of cases before the test counts the damaged responses again. */
const CASES_EACH = 5;

test(
  `none of ${DAMAGED} damaged responses causes a crash, a hang or a wrong write`,
  async () => {
    const allowed = await soundWrites(() => DamagedService.start());
    for (let round = 0; met.damaged < DAMAGED; round++) {
      await fc.assert(
        fc.asyncProperty(cases, async (steps) => {
          const one = await Case.open(allowed);
          try {
            for (const each of steps) await one.take(each);
            await one.converge(steps.at(-1)!.declared);
            expect(unhandled).toEqual([]);
          } finally {
            await one.close();
          }
        }),
        { seed: seed + round, numRuns: CASES_EACH, endOnFailure: true },
      );
    }
    const { damaged, requests, runs, failed } = met;
    process.stderr.write(
      `damaged answers: ${damaged} of ${requests} in ${runs} runs, of which ${failed} ended with an error\n`,
    );
  },
  runs(120_000, 7_200_000),
);
