import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const TESTS = path.join(__dirname, "../..");
const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".transcript"),
);

test("lines of transcripts stay below 120 characters", () => {
  const long = files.flatMap((file) =>
    readFileSync(path.join(TESTS, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (line.length < 120 ? [] : [`${file}:${index + 1}`])),
  );
  expect(long).toEqual([]);
});
