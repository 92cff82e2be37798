import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(__dirname, "../../src");

/** Rooms that any provider could be written on: the second one, in `examples/another-provider`, stands on some of them. */
const GENERAL = [
  ...["text", "json", "files", "schema", "http", "transport", "language", "state", "framework"],
  ...["plugin", "engine"],
];

/** Words of this provider's API, its resources, its roles and its configuration. */
const WORDS = [
  /\bprojects?\b/i,
  /job[ _-]?token|allow[ _-]?list/i,
  /protected[ _]?environment|deploy_access|approval_rule/i,
  /invitation|membership|merge request|pipeline/i,
  /container[ _]protection|pages[ _](?:settings|domain)/i,
  /\b(?:or|and) groups?\b|\bgroups? (?:or|and)\b|\bsub_?groups?\b/i,
  /maintainer|access[ _]level/i,
  // Names in files of our own are no resource types.
  /\bsteward_(?!plan\b|journal\b)\w/,
  // What the program itself reads is no part of a provider's configuration.
  /\bSTEWARD_(?!APP\b|LOG\b|STATE_)\w/,
  /\bbase_url\b|\bCI_API|\/api\/v4/,
];

test.each(GENERAL)("src/%s names nothing of this provider's API", (room) => {
  const found = readdirSync(join(SOURCES, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) =>
      readFileSync(join(SOURCES, room, name), "utf8")
        .split("\n")
        .map((line, at) => ({ place: `src/${room}/${name}:${at + 1}`, line }))
        .filter(({ line }) => WORDS.some((word) => word.test(line)))
        .map(({ place, line }) => `${place}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
