import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { DiagnosticError } from "../../../src/diagnostics";
import { runs, seed } from "../../support/capabilities";
import { Stack, thing } from "../support/stack";

/** One damage to a file: some bytes become others, some are cut out, or all from one on. */
type Damage =
  | { readonly kind: "flip"; readonly at: number; readonly by: number }
  | { readonly kind: "cut"; readonly at: number; readonly length: number }
  | { readonly kind: "end"; readonly at: number };

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: share, by: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant("cut" as const), at: share, length: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ kind: fc.constant("end" as const), at: share }),
);

function damaged(bytes: Buffer, damage: Damage): Buffer {
  const at = Math.floor(damage.at * bytes.length);
  if (damage.kind === "end") return bytes.subarray(0, at);
  if (damage.kind === "cut")
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + damage.length)]);
  const flipped = Buffer.from(bytes);
  flipped[at] = flipped[at]! ^ damage.by;
  return flipped;
}

/** A stack that was killed in an update, with a state, its journal, and changes to come. */
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

describe("bytes flipped or cut", () => {
  test.each(["terraform.tfstate", "terraform.tfstate.journal", "cdk.tf.json"])(
    "in %s are a diagnostic, or harmless; never a crash, and never half a write",
    async (name) => {
      const stack = await interrupted();
      const file = path.join(stack.folder, name);
      const sound = filesOf(stack.folder);
      const things = JSON.stringify([...stack.provider.things]);
      const bytes = readFileSync(file);
      await fc.assert(
        fc.asyncProperty(damages, async (damage) => {
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
