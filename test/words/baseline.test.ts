import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { grown, lowered, moved, readBaseline, writeBaseline } from "../../scripts/words/baseline";

const counts = (entries: Record<string, number>) => new Map(Object.entries(entries));
const file = () => path.join(mkdtempSync(path.join(tmpdir(), "words-")), "baseline.txt");

test("the baseline file has one line for each file with findings, sorted by file name", () => {
  const target = file();
  writeBaseline(target, counts({ "b.md": 2, "a.md": 1, "c.md": 0 }));
  expect(readFileSync(target, "utf8")).toBe("a.md 1\nb.md 2\n");
  expect(readBaseline(target)).toEqual(counts({ "a.md": 1, "b.md": 2 }));
});

test("if the baseline file has three lines for one page, the lowest number counts", () => {
  const target = file();
  writeFileSync(target, "a.md 5\na.md 3\na.md 4\n");
  expect(readBaseline(target)).toEqual(counts({ "a.md": 3 }));
});

test("if the baseline file does not exist, reading it returns undefined", () => {
  expect(readBaseline(file())).toBeUndefined();
});

test("if a file has more findings than before, an update does not change the file's number in the baseline", () => {
  const before = counts({ "less.md": 5, "more.md": 1, "gone.md": 4 });
  const current = counts({ "less.md": 2, "more.md": 9, "new.md": 3 });
  expect(lowered(before, current)).toEqual(counts({ "less.md": 2, "more.md": 1, "new.md": 0 }));
});

test("a file without a line in the baseline must have no findings", () => {
  expect(grown(counts({ "a.md": 1 }), counts({ "a.md": 1, "new.md": 1 }))).toEqual(["new.md"]);
});

test("if a file is split into two files, these files share the old file's number in the baseline", () => {
  const before = counts({ "old.ts": 6 });
  expect(moved(before, counts({ "a.ts": 2, "b.ts": 4 }), "old.ts", ["a.ts", "b.ts"])).toEqual(
    counts({ "old.ts": 0, "a.ts": 2, "b.ts": 4 }),
  );
  expect(moved(before, counts({ "old.ts": 1, "a.ts": 6 }), "old.ts", ["a.ts"])).toBeUndefined();
});
