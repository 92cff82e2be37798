import { SCENES } from "./operations";
import { readLimits } from "./support/limits";

// `npm run gate` counts the work. This test only checks that each budget has an operation.

test("each budget of work names an operation that exists", () => {
  const names = SCENES.flatMap((scene) => scene.operations.map(({ name }) => `${scene.name}: ${name}`));
  expect(names.length).toBeGreaterThan(0);
  expect(Object.keys(readLimits().work.operations).filter((name) => !names.includes(name))).toEqual([]);
});
