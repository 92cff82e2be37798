import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { OUTPUT_KINDS, type OutputKind } from "../../../src/cli/outputs/kinds";

const KINDS = Object.keys(OUTPUT_KINDS) as OutputKind[];

const recognized = (content: Buffer): OutputKind[] =>
  KINDS.filter((kind) => OUTPUT_KINDS[kind].isOwn(content.subarray(0, 65_536), () => content));

/** The kinds of the files that version 0.2.0 wrote, by file name. */
const OF_FILES: Readonly<Record<string, OutputKind>> = {
  "saved.plan": "plan",
  "approval.json": "approval",
  "history.html": "history",
  "snapshot.yaml": "snapshot",
  ...{ "imports.tf": "imports", "imports.json": "imports", "moves.tf": "moves", "moves.json": "moves" },
};

const FOLDER = path.join(__dirname, "fixtures", "of-0.2.0");
const written = readdirSync(FOLDER).filter((name) => name !== "README.md");

test.each(written)(
  "Steward detects the correct kind of output for %s, a file that version 0.2.0 wrote",
  (name) => {
    expect(recognized(readFileSync(path.join(FOLDER, name)))).toEqual([OF_FILES[name] ?? "report"]);
  },
);

/** The kinds that version 0.2.0 did not have. */
const LATER: readonly OutputKind[] = ["verdicts"];

test("fixtures/of-0.2.0 contains a sample file of each kind of output that version 0.2.0 wrote", () => {
  const found = written.map((name) => OF_FILES[name] ?? "report");
  expect(new Set([...found, ...LATER])).toEqual(new Set(KINDS));
});

const MOVED = '{"from": "acme_thing.a", "to": "acme_thing.b"}';
/** Files of other programs that look like files of Steward. */
const HANDWRITTEN: Readonly<Record<string, string>> = {
  "a page in Markdown": "# Infrastructure\n\nRead me first.\n",
  "a page that quotes a report": "# Reports\n\n<!-- steward plan -->\n",
  "a page in HTML":
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Steward plan</title>\n',
  "a report of other tests":
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="jest tests" tests="2">\n',
  "a plan of Terraform": '{"format_version":"1.2","terraform_version":"1.11.4","variables":{}}\n',
  "an approval of somebody else": '{"format_version":"1.0","changes":[]}\n',
  "counts with something else": '{"create":2,"update":0,"delete":0,"read":1}\n',
  "a configuration": '{"resource":{"acme_thing":{"a":{}}}}\n',
  "moves in a configuration": `{"moved":[${MOVED}],"output":{"a":{"value":1}}}\n`,
  "moves of another form": '{"moved":[{"from":"a.b","to":"a.c","//":"by hand"}]}\n',
  "blocks with a comment": "# why\nmoved {\n  from = a.b\n  to   = a.c\n}\n",
  "blocks and a resource": 'moved {\n  from = a.b\n  to   = a.c\n}\n\nresource "a" "d" {}\n',
  "a state": '{\n  "version": 4,\n  "terraform_version": "1.11.4",\n  "serial": 1\n}\n',
  "a fixture": "# Written by hand.\nusers: []\n",
  nothing: "\n",
  "no text": "\u0000\u0001\u0002",
};

test.each(Object.entries(HANDWRITTEN))(
  "Steward does not recognize %s as one of its output files",
  (_, content) => {
    expect(recognized(Buffer.from(content))).toEqual([]);
  },
);

test("Steward recognizes its report even if the file has Windows line ends and a byte order mark", () => {
  const report = readFileSync(path.join(FOLDER, "plan.md"), "utf8");
  expect(recognized(Buffer.from(`\uFEFF${report.replace(/\n/g, "\r\n")}`))).toEqual(["report"]);
});

test("if a large file of moved blocks contains another block, Steward does not recognize the file as its output", () => {
  const block = readFileSync(path.join(FOLDER, "moves.tf"), "utf8");
  const many = Array.from({ length: 2_000 }, () => block).join("\n");
  expect(recognized(Buffer.from(many))).toEqual(["moves"]);
  expect(recognized(Buffer.from(`${many}\nlocals {}\n`))).toEqual([]);
});
