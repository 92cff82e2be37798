import { readFileSync } from "node:fs";
import path from "node:path";
import { QUADRATICS } from "../../bench/gate/planted";

const ROOT = path.join(__dirname, "../..");

test("for each planted quadratic fault, the code to replace occurs exactly once in the source file", () => {
  const lost = QUADRATICS.filter(
    ({ file, from }) => readFileSync(path.join(ROOT, file), "utf8").split(from).length !== 2,
  );
  expect(lost.map(({ file, what }) => `${file}: ${what}`)).toEqual([]);
});
