import { type Entry, object, widthOf } from "./code";
import { print, printProperty, WIDTH } from "./print";
import { nodesOf, type SyntaxNode } from "./source-tree";

/** The replacement of a part of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The start and end of a part of a source. */
type Range = Pick<Edit, "start" | "end">;

/** Returns the indentation of the line that contains a position. */
export const indentAt = (source: string, at: number): string =>
  /^[\t ]*/.exec(source.slice(source.lastIndexOf("\n", at - 1) + 1))![0];

/** Returns the text for one level of indentation: a tab if `indent` contains a tab, otherwise two spaces. */
const unitOf = (indent: string): string => (indent.includes("\t") ? "\t" : "  ");

/**
 * Returns printed lines with another indentation: `base` replaces the first `columns` columns, and `unit` each further level of
 * two spaces.
 */
export const reindented = (printed: string, columns: number, base: string, unit = unitOf(base)): string =>
  printed
    .split("\n")
    .map((line) => {
      if (line === "") return line;
      const own = /^ */.exec(line)![0].length;
      return `${base}${unit.repeat(Math.max(0, (own - columns) / 2))}${line.slice(own)}`;
    })
    .join("\n");

/** Returns the text between the start of a line and a position on the line. */
const before = (source: string, at: number): string => source.slice(source.lastIndexOf("\n", at - 1) + 1, at);

/**
 * Returns the edit that removes an item of a list, or a property of an object, with its comma. If the line contains nothing else,
 * the edit removes the line.
 */
export function removed(source: string, { start, end }: Range): Edit {
  const comma = /^\s*,/.exec(source.slice(end));
  const last = comma === null ? end : end + comma[0].length;
  const rest = /^[\t ]*(?:\/\/.*)?\r?\n/.exec(source.slice(last));
  if (before(source, start).trim() === "" && rest !== null)
    return { start: start - before(source, start).length, end: last + rest[0].length, text: "" };
  if (comma !== null) return { start, end: last + /^ */.exec(source.slice(last))![0].length, text: "" };
  const ahead = /,\s*$/.exec(source.slice(0, start));
  return { start: ahead === null ? start : start - ahead[0].length, end, text: "" };
}

/**
 * Returns the edit that adds parts after the last part of a list or object that is not empty.
 *
 * @param print each function prints one part for a line with this indentation
 */
export function appended(source: string, last: Range, parts: readonly ((indent: string) => string)[]): Edit {
  const hasOwnLine = before(source, last.start).trim() === "";
  const indent = indentAt(source, last.start);
  const comma = /^\s*,/.exec(source.slice(last.end));
  const at = comma === null ? last.end : last.end + comma[0].length;
  const lead = comma === null ? "," : "";
  // A comment after the last part stays on the line of that part.
  const rest = comma === null ? "" : (/^[\t ]*\/\/.*/.exec(source.slice(at))?.[0] ?? "");
  const text = parts.map((part) => `${hasOwnLine ? `\n${indent}` : " "}${part(indent)}`).join(",");
  return {
    start: at + rest.length,
    end: at + rest.length,
    text: `${lead}${text}${comma !== null ? "," : ""}`,
  };
}

/** Returns whether the last property of an object literal begins on a line after the opening brace. */
export function isOnLines(node: SyntaxNode, source: string): boolean {
  const last = nodesOf(node, "properties").at(-1);
  return last !== undefined && source.slice(node.start, last.start).includes("\n");
}

const commentsIn = (source: string, start: number, end: number): string[] =>
  source.slice(start, end).match(/\/\*.*?\*\//g) ?? [];

/**
 * Returns the edits that add properties at the end of an object literal. If the literal is on one line and the properties fit,
 * they are added to this line. Otherwise, each property gets its own line.
 */
export function withProperties(source: string, node: SyntaxNode, entries: readonly Entry[]): Edit[] {
  const properties = nodesOf(node, "properties");
  const last = properties.at(-1);
  const outer = indentAt(source, node.start);
  const isOpen = isOnLines(node, source);
  const own = isOpen ? indentAt(source, last!.start) : `${outer}${unitOf(outer)}`;
  const column = own.replaceAll("\t", "  ").length;
  const lines = entries.map((entry) =>
    reindented(`${" ".repeat(column)}${printProperty(entry, column)}`, column, own),
  );
  if (last === undefined || !isOpen) {
    const inline = print(object(entries), { indent: 0, column: 0, after: 0 });
    const added = `, ${inline.slice(2, -2)}`;
    const line = `${before(source, node.start)}${source.slice(node.start).split("\n")[0]}`;
    const isFitting = !inline.includes("\n") && widthOf(`${line}${added}`) <= WIDTH;
    if (isFitting && last !== undefined) return [{ start: last.end, end: last.end, text: added }];
    const present = properties.map(({ start, end }, at) =>
      [...commentsIn(source, properties[at - 1]?.end ?? node.start, start), source.slice(start, end)].join(
        " ",
      ),
    );
    const all = [...present.map((each) => `${own}${each}`), ...lines];
    const behind = commentsIn(source, last?.end ?? node.start, node.end).map((each) => ` ${each}`);
    const text =
      isFitting && behind.length === 0 ? inline : `{\n${all.join(",\n")},${behind.join("")}\n${outer}}`;
    return [{ start: node.start, end: node.end, text }];
  }
  const [tail] = source.slice(last.end, node.end - 1).split("\n");
  const [behind] = /^\s*,?[^\S\n]*(?:\/\/.*|\/\*.*?\*\/)?/.exec(tail!)!;
  const at = last.end + behind.trimEnd().length;
  const comma = behind.trimStart().startsWith(",") ? "" : ",";
  const added = `\n${lines.join(",\n")},`;
  if (at === last.end) return [{ start: at, end: at, text: `${comma}${added}` }];
  const edits: Edit[] = [{ start: at, end: at, text: added }];
  return comma === "" ? edits : [{ start: last.end, end: last.end, text: comma }, ...edits];
}

/** Returns the source after edits that do not overlap. Added text gets the line ends of the source. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const end = source.includes("\r\n") ? "\r\n" : "\n";
  return [...edits]
    .sort((one, other) => other.start - one.start || other.end - one.end)
    .reduce(
      (text, edit) => `${text.slice(0, edit.start)}${edit.text.replaceAll("\n", end)}${text.slice(edit.end)}`,
      source,
    );
}
