import { readFileSync } from "node:fs";
import path from "node:path";
import { QUADRATICS } from "../../bench/gate/planted";

const ROOT = path.join(__dirname, "../..");

test("the code that each planted quadratic fault replaces occurs exactly once in its source file", () => {
  const lost = QUADRATICS.filter(
    ({ file, from }) => readFileSync(path.join(ROOT, file), "utf8").split(from).length !== 2,
  );
  expect(lost.map(({ file, what }) => `${file}: ${what}`)).toEqual([]);
});
