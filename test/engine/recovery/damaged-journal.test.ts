import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { DiagnosticError } from "../../../src/diagnostics";
import { runs, seed } from "../../support/capabilities";
import { byteDamages, damaged } from "../../support/damage";
import { Stack, thing } from "../support/stack";

/** A stack that was killed during an update, with a state, its journal and pending changes. */
async function interrupted(): Promise<Stack> {
  const stack = new Stack({});
  const declare = (size: number) =>
    stack.declare({
      resource: {
        memory_thing: Object.fromEntries(["a", "b", "c"].map((name) => [name, thing(name, { size })])),
      },
    });
  declare(1);
  await stack.apply();
  declare(2);
  stack.provider.crashing.add("update c");
  await stack.apply();
  stack.provider.crashing.clear();
  return stack;
}

const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), "latin1")]),
  );

describe("flipped or truncated bytes", () => {
  test.each(["terraform.tfstate", "terraform.tfstate.journal", "cdk.tf.json"])(
    "in %s cause a diagnostic or nothing, never a crash or a partial write",
    async (name) => {
      const stack = await interrupted();
      const file = path.join(stack.folder, name);
      const sound = filesOf(stack.folder);
      const things = JSON.stringify([...stack.provider.things]);
      const bytes = readFileSync(file);
      await fc.assert(
        fc.asyncProperty(byteDamages, async (damage) => {
          for (const other of readdirSync(stack.folder)) rmSync(path.join(stack.folder, other));
          for (const [other, text] of Object.entries(sound))
            writeFileSync(path.join(stack.folder, other), text, "latin1");
          writeFileSync(file, damaged(bytes, damage));
          const before = filesOf(stack.folder);
          stack.provider.asked.length = 0;
          try {
            const plan = await stack.settleAndPlan();
            const codes = plan.diagnostics.map(({ code }) => code);
            expect(codes).not.toContain("internal_error");
          } catch (problem) {
            expect(problem).toBeInstanceOf(DiagnosticError);
            expect((problem as DiagnosticError).diagnostics.map(({ code }) => code)).not.toContain(
              "internal_error",
            );
            expect(filesOf(stack.folder)).toEqual(before);
          }
          expect(JSON.stringify([...stack.provider.things])).toBe(things);
        }),
        { seed, numRuns: runs(50, 3000) },
      );
      stack.remove();
    },
    runs(60_000, 600_000),
  );
});
