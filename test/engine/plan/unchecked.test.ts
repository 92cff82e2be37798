import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { Stack, thing } from "../support/stack";

// The tests check that a plan reports a separate error for each object that can't be read. The error names the object, and
// the state keeps the object. The plan leaves out only the objects that depend on an unread object.

const NAMES = ["a", "b", "c", "d"] as const;
const address = (name: string) => `memory_thing.${name}`;

/** Declares four things. The name of `c` contains the id of `a`, so `c` depends on `a`. */
const declared = (size: number) => ({
  resource: {
    memory_thing: {
      a: thing("a", { size }),
      b: thing("b", { size }),
      c: thing("c-${memory_thing.a.id}", { size }),
      d: thing("d", { size }),
    },
  },
});
const idOf = (name: string) => (name === "c" ? "c-a" : name);

test("apply changes all objects that do not depend on an unreadable object", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.subarray([...NAMES]),
      fc.subarray([...NAMES]),
      fc.constantFrom("normal" as const, "refresh-only" as const, "destroy" as const),
      async (unreadable, changedByHand, mode) => {
        const stack = new Stack(declared(1));
        try {
          expect((await stack.apply()).diagnostics).toEqual([]);
          const before = new Map((await stack.state())!.resources.map((one) => [one.name, one.instances]));
          for (const name of changedByHand) stack.provider.things.get(idOf(name))!["tags"] = ["by hand"];
          for (const name of unreadable) stack.provider.failing.add(`read ${idOf(name)}`);
          if (mode === "normal") stack.declare(declared(2));

          const plan = await stack.plan(mode);
          expect(plan.unchecked).toEqual(unreadable.map(address));
          expect(plan.applicable).toBe(true);
          const { unchecked } = await stack.apply(mode);
          expect(unchecked).toEqual(unreadable.map(address));

          const left = new Map((await stack.state())!.resources.map((one) => [one.name, one.instances]));
          for (const name of unreadable) expect(left.get(name)).toEqual(before.get(name));
          for (const name of ["b", "d"].filter((one) => !unreadable.includes(one as never))) {
            const live = stack.provider.things.get(name);
            if (mode === "normal") expect(live).toMatchObject({ size: 2, tags: null });
            if (mode === "destroy") expect([live, left.get(name)]).toEqual([undefined, undefined]);
            if (mode === "refresh-only") {
              expect(left.get(name)![0]!.attributes["tags"]).toEqual(live!["tags"] ?? null);
            }
          }
        } finally {
          stack.remove();
        }
      },
    ),
    { numRuns: runs(20, 500), seed },
  );
});
