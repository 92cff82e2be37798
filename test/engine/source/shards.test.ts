import * as fc from "fast-check";
import { type ShardedStack, stacksOfShard } from "../../../src/engine/source/shards";
import { configurationFrom } from "../../../src/language";

const TYPE = "steward_job_token_scope";

interface Shape {
  readonly objects: number;
  /** The indexes of the earlier stacks on which this stack depends. */
  readonly needs: readonly number[];
  /** The index of an earlier stack whose state this stack reads. */
  readonly reads: number | undefined;
}

const nameOf = (at: number) => `stack-${String(at).padStart(3, "0")}`;

const stackOf = ({ objects, needs, reads }: Shape, at: number): ShardedStack => ({
  name: nameOf(at),
  constructPath: `app/${nameOf(at)}`,
  dependencies: needs.filter((one) => one < at).map((one) => `app/${nameOf(one)}`),
  configuration: configurationFrom(
    {
      terraform: { backend: { local: { path: `../${nameOf(at)}.tfstate` } } },
      resource: {
        [TYPE]: Object.fromEntries(Array.from({ length: objects }, (_, n) => [`a${n}`, { project: "1" }])),
      },
      ...(reads !== undefined &&
        reads < at && {
          data: {
            terraform_remote_state: {
              other: { backend: "local", config: { path: `../${nameOf(reads)}.tfstate` } },
            },
          },
        }),
    },
    "/app/stack",
  ),
});

const shapes = fc.array(
  fc.record({
    objects: fc.nat(4),
    needs: fc.array(fc.nat(12), { maxLength: 2 }),
    reads: fc.option(fc.nat(12), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 12 },
);

const shardsOf = (stacks: readonly ShardedStack[], total: number): string[][] =>
  Array.from({ length: total }, (_, at) => [...stacksOfShard(stacks, { number: at + 1, total })]);

test("every stack is in the same shard as its dependencies, for any order of stacks", () => {
  fc.assert(
    fc.property(shapes, fc.integer({ min: 1, max: 15 }), (all, total) => {
      const stacks = all.map(stackOf);
      const shards = shardsOf(stacks, total);
      expect(shards.flat().sort()).toEqual(stacks.map(({ name }) => name).sort());
      const shardOf = (at: number) => shards.findIndex((names) => names.includes(nameOf(at)));
      all.forEach(({ needs, reads }, at) => {
        for (const other of [...needs, ...(reads === undefined ? [] : [reads])])
          if (other < at) expect(shardOf(other)).toBe(shardOf(at));
      });
      expect(shardsOf([...stacks].reverse(), total)).toEqual(shards);
    }),
    { numRuns: 60 },
  );
});

test("if stacks have no dependencies, the weights of two shards differ by at most the weight of the heaviest stack", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      (sizes, total) => {
        const stacks = sizes.map((objects, at) => stackOf({ objects, needs: [], reads: undefined }, at));
        const weights = shardsOf(stacks, total).map((names) =>
          names.reduce((sum, name) => sum + 1 + sizes[Number(name.slice(-3))]!, 0),
        );
        expect(Math.max(...weights) - Math.min(...weights)).toBeLessThanOrEqual(Math.max(...sizes) + 1);
      },
    ),
    { numRuns: 40 },
  );
});

test("each instance of a resource adds to the stack's weight if the number of instances is a constant", () => {
  const withResource = (name: string, resource: object): ShardedStack => ({
    name,
    constructPath: name,
    dependencies: [],
    configuration: configurationFrom({ resource: { [TYPE]: { many: resource } } }, `/app/${name}`),
  });
  const stacks = [
    withResource("each", { for_each: { a: 1, b: 2, c: 3 }, project: "${each.key}" }),
    withResource("count", { count: 2, project: "1" }),
    withResource("unknown", { count: "${var.n}", project: "1" }),
    { ...withResource("invalid", {}), configuration: undefined },
  ];
  // The stacks have four, three, two and one objects.
  expect(shardsOf(stacks, 2)).toEqual([
    ["each", "invalid"],
    ["count", "unknown"],
  ]);
});
