import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { readTranscript } from "./parse";
import { isMethod } from "./request";

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

/** Returns the words that the table in test/README.md documents. */
function documentedWords(): string[] {
  const page = readFileSync(path.join(TESTS, "README.md"), "utf8");
  const [, section = ""] = page.split("## The language of transcripts");
  const rows = section.split("\n## ")[0]!.split("\n");
  return rows
    .filter((row) => row.startsWith("| `"))
    .flatMap((row) => [...row.split(" | ")[0]!.matchAll(/`([^`]+)`/g)])
    .map(([, word]) => word!.replace("\\|", "|"));
}

test("each command word of a transcript is in the table of test/README.md", () => {
  const words = documentedWords();
  const unknown = files.flatMap((file) => {
    const { dir, name } = path.parse(file);
    const { head, tests } = readTranscript(path.join(TESTS, dir), name);
    const steps = [...head, ...tests.flatMap((one) => one.steps)];
    return steps
      .filter(({ word }) => !words.includes(word) && !isMethod(word))
      .map(({ word, at }) => `${at}: ${word}`);
  });
  expect(unknown).toEqual([]);
  expect(words.length).toBeLessThanOrEqual(60);
});
