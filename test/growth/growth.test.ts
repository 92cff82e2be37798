// No cost grows faster than its input: each operation works at most 4.2 times as much for four times as many objects.
// Work is counted, not timed: `test/growth/support/instrument.js` says how.
import { type Service, startService } from "../../src/service";
import { SCENES } from "./operations";
import { described, limitOf, ratioOf, readLimits, unknownIn } from "./support/limits";
import { countGrowth, fixtureFor } from "./support/measure-growth";
import type { Counted } from "./support/results";

const SIZE = 12;
const limits = readLimits();

let service: Service;
let all: readonly Counted[];
beforeAll(async () => {
  service = await startService({ fixture: fixtureFor(SIZE) });
  const place = { url: service.url, token: service.adminToken };
  all = await countGrowth({ place, size: SIZE });
});
afterAll(() => service.close());

describe.each(SCENES.map((scene) => [scene.name, scene] as const))("%s", (scene, { operations }) => {
  test.each(operations.map(({ name }) => name))(
    "%s: the work grows with the number of objects",
    (operation) => {
      const counted = all.find((one) => one.scene === scene && one.operation === operation)!;
      expect(unknownIn(counted, limits).map(described)).toEqual([]);
      expect(ratioOf(counted)).toBeLessThanOrEqual(limitOf(limits.work, counted));
    },
  );
});

test("budgets name operations that exist", () => {
  const names = SCENES.flatMap((scene) => scene.operations.map(({ name }) => `${scene.name}: ${name}`));
  const budgets = Object.keys(limits.work.operations);
  expect(budgets.filter((name) => !names.includes(name))).toEqual([]);
});
