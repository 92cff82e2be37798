import { SCENES } from "./operations";
import { readLimits } from "./support/limits";

// `npm run gate` compares the work of operations with the budgets. This test only checks that each budget belongs to an
// existing operation.

test("the growth test measures each operation that has a growth limit", () => {
  const names = SCENES.flatMap((scene) => scene.operations.map(({ name }) => `${scene.name}: ${name}`));
  expect(names.length).toBeGreaterThan(0);
  expect(Object.keys(readLimits().work.operations).filter((name) => !names.includes(name))).toEqual([]);
});
