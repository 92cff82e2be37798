import { readFileSync } from "node:fs";

/** A word of the glossary's third column, with the term to use. */
export interface AvoidedTerm {
  readonly term: string;
  readonly find: RegExp;
}

/** Reads the glossary's table: term, meaning, and the words that the term replaces. */
export function readGlossary(file: string): readonly AvoidedTerm[] {
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return rows
    .filter((cells) => cells.length === 5)
    .flatMap(([, term = "", , avoided = ""]) =>
      avoided
        .split(",")
        .map((word) => word.trim())
        .filter((word) => /^[a-z]/.test(word) && term !== "term")
        .map((word) => ({ term, find: new RegExp(`\\b${word}\\b`, "gi") })),
    );
}
