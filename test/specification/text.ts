import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * The file with the text of the specification. The file exists only on machines that have the specification next to
 * this project.
 */
export const SPECIFICATION = path.join(__dirname, "../../../shared/spec/project-administration-rest-api.md");

export const isBeside = (): boolean => existsSync(SPECIFICATION);

/** The names in one section of the specification. */
export interface Section {
  readonly title: string;
  /** The endpoints of the section, such as `GET /projects/:id/pages`. */
  readonly endpoints: readonly string[];
  /** The names of fields and parameters, without the place of a nested field. */
  readonly names: readonly string[];
}

/** Reads the sections about records and endpoints, with the names in their tables and sentences. */
export function sections(): readonly Section[] {
  const text = readFileSync(SPECIFICATION, "utf8");
  const part = (title: string) => text.split(`\n## ${title}\n`)[1]!.split("\n## ")[0]!;
  return ["Resources and their fields", "Endpoints"].flatMap((title) =>
    part(title)
      .split("\n### ")
      .slice(1)
      .map((section) => ({
        title: section.split("\n")[0]!,
        endpoints: title === "Endpoints" ? endpointsOf(section) : [],
        names: [...new Set(title === "Endpoints" ? parametersOf(section) : fieldsOf(section))],
      })),
  );
}

const rowsOf = (section: string): string[][] =>
  section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const NAME = /^[a-z]+(_[a-z]+)*$/;

/**
 * Returns the names of fields. Some names are in the first cells of tables (`username, name`), and some names have a
 * type (`kind (string)`). Other names are in the list of fields that are null in the sample.
 */
function fieldsOf(section: string): string[] {
  const first = rowsOf(section).flatMap(([cell = ""]) => cell.split(", "));
  const typed = [
    ...section.replaceAll("`", "").matchAll(/\b([a-z_]+) \((?:integer|string|boolean|date-time|object)/g),
  ];
  const nulls = /^Fields null in the sample: ([^;]+);/m.exec(section)?.[1]?.split(", ") ?? [];
  return [...first, ...typed.map(([, name]) => name!), ...nulls].filter((name) => NAME.test(name));
}

const endpointsOf = (section: string): string[] =>
  rowsOf(section).flatMap(([cell = ""]) =>
    [...cell.matchAll(/([A-Z]{3,6}) `([^`]+)`/g)].map(
      ([, method, address]) => `${method} ${address!.replace("/api/v4", "")}`,
    ),
  );

/** Returns the quoted words in the column about requests. */
const parametersOf = (section: string): string[] =>
  rowsOf(section).flatMap(([, request = ""]) =>
    [...request.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).filter((name) => NAME.test(name)),
  );
