import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Words that continue a sentence: a title that begins with one has its subject elsewhere, or none. */
const CONTINUING =
  "is|are|was|were|be|has|have|had|does|do|did|can|can't|may|must|never|of|that|and|or|but|so|than|not|whose";
const TITLE = /(?:\b(?:test|it)|\))\(\s*(["'`])(.+?)\1,\s*(?:async\b|\(|_|[a-z]+ =>)/g;

const TESTS = path.join(__dirname, "..");
const TOLD = /^== (.+)$/gm;

const titlesOf = (file: string): string[] => {
  const text = readFileSync(path.join(TESTS, file), "utf8");
  return file.endsWith(".transcript")
    ? [...text.matchAll(TOLD)].map(([, title]) => title!)
    : [...text.matchAll(TITLE)].map(([, , title]) => title!);
};

const found: Record<string, string[]> = {};
for (const file of readdirSync(TESTS, { recursive: true, encoding: "utf8" })) {
  const [folder = ""] = file.split(path.sep);
  if (!/\.test\.ts$|\.transcript$/.test(file)) continue;
  const begun = titlesOf(file).filter((title) => new RegExp(`^(?:${CONTINUING})\\b`).test(title));
  found[folder] = [...(found[folder] ?? []), ...begun.map((title) => `${file}: ${title}`)];
}

test.each(Object.entries(found))("no title of test/%s begins in mid-sentence", (_, titles) => {
  expect(titles).toEqual([]);
});
