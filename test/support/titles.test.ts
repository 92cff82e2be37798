import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Words that continue a sentence: a title that begins with one has no subject. */
const CONTINUING = "of|that|and|or|but|so|than|not|whose";
/** Verbs. A title may begin with one if a `describe` names the subject. */
const WITHOUT_SUBJECT =
  "is|are|was|were|be|has|have|had|does|do|did|can|can't|may|must|never|accepts|adds|answers|applies|asks|compares|creates|deletes|destroys|escapes|fails|finds|gets|gives|hides|keeps|leads|leaves|makes|offers|opens|" +
  "parses|passes|plans|points|prints|reads|redacts|refuses|rejects|removes|returns|runs|says|sends|serves|shows|stops|synthesizes|takes|tells|" +
  "throws|validates|waits|warns|works|come|stay";
const TITLE = /(?:\b(?:test|it)|\))\(\s*(["'`])(.+?)\1,\s*(?:async\b|\(|_|[a-z]+ =>)/g;

const TESTS = path.join(__dirname, "..");
const TOLD = /^== (.+)$/gm;

const titlesOf = (file: string): string[] => {
  const text = readFileSync(path.join(TESTS, file), "utf8");
  return file.endsWith(".transcript")
    ? [...text.matchAll(TOLD)].map(([, title]) => title!)
    : [...text.matchAll(TITLE)].map(([, , title]) => title!);
};

/** Whether a `describe` of the file may hold the omitted part of a title. */
const mayContinue = (file: string): boolean =>
  file.endsWith(".transcript") || /\bdescribe/.test(readFileSync(path.join(TESTS, file), "utf8"));

const found: Record<string, string[]> = {};
for (const file of readdirSync(TESTS, { recursive: true, encoding: "utf8" })) {
  const [folder = ""] = file.split(path.sep);
  if (!/\.test\.ts$|\.transcript$/.test(file)) continue;
  const begins = mayContinue(file) ? CONTINUING : `${CONTINUING}|${WITHOUT_SUBJECT}`;
  const begun = titlesOf(file).filter((title) => new RegExp(`^(?:${begins})\\b`).test(title));
  found[folder] = [...(found[folder] ?? []), ...begun.map((title) => `${file}: ${title}`)];
}

test.each(Object.entries(found))(
  "no title of test/%s begins in mid-sentence, or with a verb whose subject nothing names",
  (_, titles) => {
    expect(titles).toEqual([]);
  },
);
