import { readFileSync } from "node:fs";

/** A word from the third column of the glossary, with the term to use instead. */
export interface AvoidedTerm {
  readonly term: string;
  readonly find: RegExp;
}

/** Reads the table of the glossary: term, meaning, and the words that the term replaces. */
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
