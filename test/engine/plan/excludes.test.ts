import fc from "fast-check";
import { actions, Stack, thing } from "../support/stack";

// transcripts/excludes.transcript covers the other rules of --exclude.

describe("a plan with --exclude", () => {
  test("plan accepts --exclude with a resource that another stack declares", async () => {
    const stack = new Stack({ resource: { memory_thing: { a: thing("a") } } });
    const excludes = ["memory_thing.none"];
    const plan = await stack.plan("normal", { excludes, isDeclaredElsewhere: () => true });
    expect(actions(plan)).toEqual({ "memory_thing.a": "create" });
    stack.remove();
  });

  /** Generates, for each resource, the earlier resources to which it refers. */
  const dependencies = fc
    .integer({ min: 1, max: 6 })
    .chain((count) =>
      fc.tuple(
        ...Array.from({ length: count }, (_, at) =>
          fc.uniqueArray(fc.nat({ max: Math.max(at - 1, 0) }), { maxLength: at }),
        ),
      ),
    );

  test("plan --exclude omits the excluded resource and its dependents, and no other resource", async () => {
    await fc.assert(
      fc.asyncProperty(dependencies, fc.nat(), async (uses, seed) => {
        const random = new Stack({});
        try {
          const name = (at: number) => `memory_thing.r${at}`;
          const reaches = (at: number, goal: number): boolean =>
            at === goal || uses[at]!.some((one) => one !== at && reaches(one, goal));
          const excluded = seed % uses.length;
          random.declare({
            resource: {
              memory_thing: Object.fromEntries(
                uses.map((all, at) => [
                  `r${at}`,
                  thing(`r${at}`, { depends_on: all.filter((one) => one !== at).map(name) }),
                ]),
              ),
            },
          });
          const all = uses.map((_, at) => at);
          const included = all.filter((at) => !reaches(at, excluded));
          const excludes = [name(excluded)];
          expect(Object.keys(actions(await random.plan("normal", { excludes }))).sort()).toEqual(
            included.map(name),
          );
          await random.apply("normal", { excludes });
          await random.apply();
          const kept = all.filter((at) => reaches(excluded, at));
          const destroyed = actions(await random.plan("destroy", { excludes }));
          expect(Object.keys(destroyed).sort()).toEqual(all.filter((at) => !kept.includes(at)).map(name));
        } finally {
          random.remove();
        }
      }),
      { numRuns: 30 },
    );
  });
});
