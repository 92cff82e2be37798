import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { differences, type Generator, update } from "../../../scripts/generate/generated-files";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "steward-generated-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const generator = (place: string, texts: Readonly<Record<string, string>>): Generator => ({
  place,
  generate: async () => new Map(Object.entries(texts)),
});

const put = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};

const filesAndTexts = (folder: string) =>
  Object.fromEntries(
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(root, file), readFileSync(file, "utf8")]),
  );

describe("files that differ from the generated text", () => {
  it("the comparison reports each changed, surplus or missing file with the kind of difference", async () => {
    put("pages/changed.md", "written by hand");
    put("pages/same.md", "same");
    put("pages/deeper/surplus.md", "of a resource that is gone");
    const pages = generator("pages", {
      "pages/changed.md": "generated",
      "pages/same.md": "same",
      "pages/missing.md": "new",
    });
    expect(await differences(root, [pages])).toEqual([
      { path: "pages/changed.md", kind: "changed" },
      { path: "pages/deeper/surplus.md", kind: "surplus" },
      { path: "pages/missing.md", kind: "missing" },
    ]);
    expect(filesAndTexts("pages")["pages/changed.md"]).toBe("written by hand");
  });

  it("the update of one generated file does not change other files in the same folder", async () => {
    put("docs/by-hand.md", "kept");
    const page = generator("docs/errors.md", { "docs/errors.md": "codes" });
    expect(await update(root, [page])).toEqual([{ path: "docs/errors.md", kind: "missing" }]);
    expect(filesAndTexts("docs")).toEqual({ "docs/by-hand.md": "kept", "docs/errors.md": "codes" });
  });

  it("an update refuses a generator if it generates a file outside of its folder", async () => {
    const pages = generator("pages", { "pages-too/a.md": "" });
    await expect(update(root, [pages])).rejects.toThrow("pages-too/a.md is generated outside of pages");
  });
});

it("after an update, the folders contain exactly the generated files", async () => {
  const name = fc.constantFrom("a.md", "b.md", "c.md", "d/a.md", "d/b.md", "e/f/a.md");
  const texts = fc.dictionary(
    name.map((file) => `pages/${file}`),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(texts, texts, async (before, after) => {
      put("pages/d/kept-folder", "");
      await update(root, [generator("pages", before)]);
      await update(root, [generator("pages", after)]);
      expect(filesAndTexts("pages")).toEqual(after);
      expect(await differences(root, [generator("pages", after)])).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
