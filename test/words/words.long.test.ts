import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

/** A small project without a baseline. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "words-"));
  const all = {
    "docs/glossary.md": "| term | meaning | instead of |\n|---|---|---|\n| response | | answer |\n",
  };
  for (const [name, text] of Object.entries({ ...all, ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  mkdirSync(path.join(folder, "scripts/words"), { recursive: true });
  return folder;
}

function words(folder: string, ...options: readonly string[]) {
  const tsx = path.join(ROOT, "node_modules/tsx/dist/cli.mjs");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsx, path.join(ROOT, "scripts/words.ts"), ...options],
    { cwd: folder, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

test("`npm run words` finds avoided phrases in pages, comments, messages and titles", () => {
  const folder = project({
    "docs/page.md": "# Title\n\nThe value stands here.\n\n```sh\nstands\n```\n",
    "src/a.ts": [
      "// A comment that tells a reason.",
      'import x from "./what nobody reads and nobody has";',
      'export const message = (name: string) => `The object ${name} is an user of ` + "the the group.";',
      'export const help = "--out <file>: what is live";',
      'const key = "nobody";',
    ].join("\n"),
    "test/a.test.ts":
      'test.each([1])("a list that is read anew", () => { const text = "nobody reads this string here"; });',
  });
  const { stdout } = words(folder, "docs/page.md", "src/a.ts", "test/a.test.ts");
  expect(stdout.split("\n").map((line) => line.trim())).toEqual([
    'docs/page.md:3: "The value stands here.": write "is", "remains" or "means" (stand)',
    'src/a.ts:1: "comment that tells a reason.": write "report", "print", "show", "distinguish" or "list" (tell)',
    "src/a.ts:3: Unexpected article `an` before `user`, expected `a` (words)",
    "src/a.ts:3: Unexpected repeated `the`, remove one occurrence (words)",
    expect.stringContaining('src/a.ts:4: "what is live"'),
    'test/a.test.ts:1: "is read anew": write "again" (anew)',
    "",
  ]);
});

test("if a file has more findings than its baseline, `npm run words` fails and prints the new findings", () => {
  const folder = project({ "docs/page.md": "The value stands here.\n" });
  const git = (...options: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...options], { cwd: folder });
  git("init", "--quiet");
  expect(words(folder).stdout).toContain("1 findings are left in the baseline.");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");
  writeFileSync(path.join(folder, "docs/page.md"), "The value stands here.\n\nThe answer is late.\n");
  const { status, stderr } = words(folder);
  expect(status).toBe(1);
  expect(stderr).toContain("docs/page.md: 2 findings, 1 allowed. New ones:\n");
  expect(stderr).toContain(`docs/page.md:3: "The answer is late.": the glossary's term is "response" (term)`);
  expect(stderr).not.toContain("page.md:1:");
  expect(stderr).toContain("npm run words -- --move OLD NEW...");
});

test("if a file has fewer findings than its count in the baseline, `npm run words -- --update` lowers this count", () => {
  const folder = project({ "docs/a.md": "It stands.\n\nIt stands.\n", "docs/b.md": "It stands.\n" });
  words(folder);
  writeFileSync(path.join(folder, "docs/a.md"), "It stands.\n");
  writeFileSync(path.join(folder, "docs/b.md"), "It stands.\n\nIt stands.\n");
  expect(words(folder, "--update").status).toBe(1);
  expect(readFileSync(path.join(folder, "scripts/words/baseline.txt"), "utf8")).toBe(
    "docs/a.md 1\ndocs/b.md 1\n",
  );
});

test("`npm run words` reports a page that has too many lines", () => {
  const folder = project({ "README.md": "Word.\n\n".repeat(61) });
  expect(words(folder, "README.md").stdout).toBe("  README.md:120: 122 lines, 120 allowed (page-length)\n");
});
