import fc from "fast-check";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { createPlan } from "../../../src/engine/plan/create-plan";
import type { RunContext } from "../../../src/engine/run/context";
import { AppStacks } from "../../../src/engine/stacks/app-stacks";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { runs, seed } from "../../support/capabilities";
import { MemoryProvider, SOURCE } from "../support/memory-provider";
import { Stack, thing } from "../support/stack";

const NAMES = ["a", "b", "c"] as const;
type Name = (typeof NAMES)[number];

/** What a stack has applied, and what it declares now. */
interface Sides {
  readonly held: readonly Name[];
  readonly declared: readonly Name[];
}

const sides = fc.record({ held: fc.subarray([...NAMES]), declared: fc.subarray([...NAMES]) });

/** Two stacks of one app on one service. */
class Two {
  readonly provider = new MemoryProvider();
  readonly stacks = { one: new Stack({}), two: new Stack({}) };

  constructor() {
    this.provider.service = "memory";
  }

  /** Things whose addresses don't identify them. */
  declare(stack: "one" | "two", names: readonly Name[]): void {
    const declared = names.map((name, at) => [`${stack}-${NAMES.length - at}`, thing(name)]);
    this.stacks[stack].declare({ resource: { memory_thing: Object.fromEntries(declared) } });
  }

  context = (stack: "one" | "two"): RunContext => ({
    ...this.stacks[stack].context(),
    providers: { [SOURCE]: this.provider },
  });

  backend = (stack: "one" | "two") => new LocalBackend(this.stacks[stack].stateFile);

  async apply(stack: "one" | "two"): Promise<void> {
    const backend = this.backend(stack);
    const plan = await createPlan(this.context(stack), await backend.read());
    await applyPlan(this.context(stack), plan, backend);
  }

  /** Plans one stack and compares it with the other. */
  async plan(isSelected: boolean) {
    const app = new AppStacks(
      (["one", "two"] as const).map((name) => ({
        name,
        isSelected: isSelected || name === "one",
        context: () => this.context(name),
        backend: () => this.backend(name),
      })),
    );
    return createPlan(this.context("one"), await this.backend("one").read(), "normal", { name: "one", app });
  }

  remove(): void {
    this.stacks.one.remove();
    this.stacks.two.remove();
  }
}

test("a plan is rejected exactly if another stack declares what it declares or deletes, or holds what it declares", async () => {
  await fc.assert(
    fc.asyncProperty(sides, sides, fc.boolean(), async (one, two, isSelected) => {
      const app = new Two();
      try {
        for (const [stack, { held, declared }] of Object.entries({ one, two }) as ["one" | "two", Sides][]) {
          app.declare(stack, held);
          await app.apply(stack);
          app.declare(stack, declared);
        }
        app.provider.asked.length = 0;
        const plain = await createPlan(app.context("one"), await app.backend("one").read());
        const asked = app.provider.asked.splice(0);
        const { applicable, diagnostics } = await app.plan(isSelected);
        expect(app.provider.asked).toEqual(asked);
        expect(plain.applicable).toBe(true);

        const refused = NAMES.filter(
          (name) =>
            (one.declared.includes(name) && [...two.declared, ...two.held].includes(name)) ||
            (one.held.includes(name) && two.declared.includes(name)),
        );
        expect(diagnostics.filter(({ code }) => code === "object_of_two_stacks")).toHaveLength(
          refused.length,
        );
        expect(applicable).toBe(refused.length === 0);
      } finally {
        app.remove();
      }
    }),
    { numRuns: runs(25, 500), seed },
  );
});
