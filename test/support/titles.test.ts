import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Matches titles that begin in the middle of a sentence. A title must be a whole sentence, or complete "it …" and begin with
 * a verb.
 */
const CONTINUING = /^(?:of|that|and|or|but|so|than|not|whose)\b/;
const TITLE = /(?:\b(?:test|it)|\))\(\s*(["'`])(.+?)\1,\s*(?:async\b|\(|_|[a-z]+ =>)/g;
const TITLE_OF_TRANSCRIPT = /^== (.+)$/gm;

const TESTS = path.join(__dirname, "..");

const titlesOf = (file: string): string[] => {
  const text = readFileSync(path.join(TESTS, file), "utf8");
  return file.endsWith(".transcript")
    ? [...text.matchAll(TITLE_OF_TRANSCRIPT)].map(([, title]) => title!)
    : [...text.matchAll(TITLE)].map(([, , title]) => title!);
};

const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.test\.ts$|\.transcript$/.test(file),
);

test("no title of a test begins in the middle of a sentence", () => {
  const titles = files.flatMap((file) => titlesOf(file).map((title) => ({ file, title })));
  expect(titles.length).toBeGreaterThan(3000);
  expect(titles.filter(({ title }) => CONTINUING.test(title))).toEqual([]);
});
