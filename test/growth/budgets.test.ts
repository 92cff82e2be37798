import { SCENES } from "./operations";
import { readLimits } from "./support/limits";

// `npm run gate` compares the work of operations with the budgets. This test only checks that each budget names an existing
// operation.

test("each operation that has a limit in the growth limits exists in the growth test", () => {
  const names = SCENES.flatMap((scene) => scene.operations.map(({ name }) => `${scene.name}: ${name}`));
  expect(names.length).toBeGreaterThan(0);
  expect(Object.keys(readLimits().work.operations).filter((name) => !names.includes(name))).toEqual([]);
});
