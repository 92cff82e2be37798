import type { TextlintMessage, TextlintPluginCreator } from "@textlint/types";
import type { Kind } from "./patterns";

/** The type of oxc-parser's function `parseSync`. */
export type Parse = (
  file: string,
  source: string,
) => { readonly program: unknown; readonly comments: readonly Comment[] };

/** A text in a source file, with its place. */
interface Piece {
  readonly kind: Kind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/**
 * A textlint plugin for TypeScript and JavaScript. The plugin turns comments, titles of tests, messages and help into
 * paragraphs.
 */
export const typescriptPlugin = (parse: Parse): TextlintPluginCreator => ({
  Processor: class {
    availableExtensions() {
      return [".ts", ".js"];
    }
    processor() {
      return {
        preProcess: (source: string, filePath = "") => documentOf(source, piecesOf(parse, source, filePath)),
        postProcess: (messages: TextlintMessage[], filePath = "") => ({ messages, filePath }),
      };
    }
  },
});

function documentOf(source: string, pieces: readonly Piece[]) {
  const lineStarts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  const position = (offset: number) => {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - lineStarts[low]! };
  };
  const node = (type: string, start: number, end: number) => ({
    type,
    raw: source.slice(start, end),
    range: [start, end] as const,
    loc: { start: position(start), end: position(end) },
  });
  const children = pieces.map(({ kind, text, start, end }) => ({
    ...node("Paragraph", start, end),
    kind,
    children: [{ ...node("Str", start, end), value: text }],
  }));
  // biome-ignore lint/suspicious/noExplicitAny: the types of textlint demand parents, which the kernel adds.
  return { ...node("Document", 0, source.length), children } as any;
}

function piecesOf(parse: Parse, source: string, filePath: string): readonly Piece[] {
  const { program, comments } = parse(filePath, source);
  const printsMessages = /^src\/(?!service\/)/.test(filePath);
  const found: Piece[] = [];
  visit(program as Node, (node) => {
    const title = titleOf(node);
    if (title !== undefined) found.push({ ...title, kind: "title" });
    if (title !== undefined || !printsMessages) return undefined;
    const text = textOf(node);
    if (text === undefined) return undefined;
    const [, flags, help] = /^((?:-|<|\[)[^:]*): (.*)$/s.exec(text) ?? [];
    if (flags !== undefined) found.push({ kind: "help", text: help!, start: node.start, end: node.end });
    else if (isMessage(text)) found.push({ kind: "message", text, start: node.start, end: node.end });
    return node.type === "TemplateLiteral" ? undefined : "inner";
  });
  return [...found, ...commentPieces(source, comments)].sort((a, b) => a.start - b.start);
}

/**
 * Calls a function for each node of a syntax tree. If the function returns "inner", the children of the node are
 * skipped.
 */
function visit(node: Node, call: (node: Node) => "inner" | undefined): void {
  if (/^(?:ImportDeclaration|ExportAllDeclaration|TS(?!As|Satisfies|NonNull)\w+)$/.test(node.type)) return;
  if (call(node) === "inner") return;
  for (const field in node) {
    const value = node[field];
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === "object" && child !== null && typeof child.type === "string") visit(child, call);
    }
  }
}

const TITLED = /^(?:describe|it|test)$/;

/** Returns the title of a test or of a group of tests. Returns undefined for other nodes. */
function titleOf(node: Node): Omit<Piece, "kind"> | undefined {
  if (node.type !== "CallExpression") return undefined;
  let callee = node["callee"] as Node;
  while (callee.type !== "Identifier") {
    const inner = callee["object"] ?? callee["callee"] ?? callee["tag"];
    if (inner === undefined) return undefined;
    callee = inner as Node;
  }
  const [first] = node["arguments"] as readonly Node[];
  if (first === undefined || !TITLED.test(callee["name"] as string)) return undefined;
  const text = textOf(first);
  return text === undefined ? undefined : { text, start: first.start, end: first.end };
}

/** Returns the text of a literal, a template or a concatenation. A noun replaces each inserted value. */
function textOf(node: Node): string | undefined {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined;
  if (node.type === "TemplateLiteral") {
    const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string | null } }[];
    return quasis.map(({ value }) => value.cooked ?? "").join("Value");
  }
  if (node.type !== "BinaryExpression" || node["operator"] !== "+") return undefined;
  const left = textOf(node["left"] as Node);
  const right = textOf(node["right"] as Node);
  return left === undefined && right === undefined ? undefined : `${left ?? "Value"}${right ?? "Value"}`;
}

/**
 * Returns true for a sentence that people read. A message has at least four words, and is not a query, a command, a
 * style sheet or a script.
 */
function isMessage(text: string): boolean {
  if (/^steward [a-z]+ |"use strict"|[{;}]\s*--?[a-z]|[a-z]\{[a-z-]+:/.test(text)) return false;
  if (/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|BEGIN|ALTER)\b/.test(text)) return false;
  return (text.match(/(?<![\w$-])[A-Za-z][a-z']*(?= |[.,;:]|$)/g) ?? []).length >= 4;
}

interface Comment {
  readonly type: "Line" | "Block";
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const DIRECTIVE = /^[\s*]*(?:biome-ignore|eslint|@ts-|prettier|#__PURE__|istanbul|c8 |\/ <reference|knip)/;

/** Returns comments as paragraphs. Consecutive lines of `//` are one comment. */
function commentPieces(source: string, comments: readonly Comment[]): readonly Piece[] {
  const found: Piece[] = [];
  let lines: Comment[] = [];
  const close = () => {
    if (lines.length > 0) {
      found.push(
        ...paragraphs(lines.map(({ value }) => value).join("\n"), lines[0]!.start, lines.at(-1)!.end),
      );
    }
    lines = [];
  };
  for (const comment of comments) {
    if (DIRECTIVE.test(comment.value)) continue;
    const last = lines.at(-1);
    if (last !== undefined && !/^\r?\n[ \t]*$/.test(source.slice(last.end, comment.start))) close();
    if (comment.type === "Line") lines.push(comment);
    else {
      close();
      found.push(...paragraphs(comment.value.replace(/^[ \t]*\*+[ \t]?/gm, ""), comment.start, comment.end));
    }
  }
  close();
  return found;
}

/** Splits a comment at empty lines, list items and tags. Leaves out code blocks and examples. */
function paragraphs(text: string, start: number, end: number): readonly Piece[] {
  return text
    .replace(/^\s*```.*?^\s*```/gms, "")
    .split(/\n\s*\n|\n\s*(?=[-*•] |\d+\. |@)/)
    .filter((part) => !/^\s*@example\b/.test(part))
    .map((part) =>
      part
        .trim()
        .replace(
          /^(?:[-*•]|\d+\.)\s+|^@(?:param|template)\s+\S+\s+(?:-\s+)?|^@(?:throws|returns)\s+|^@\w+\s*/,
          "",
        ),
    )
    .filter((part) => /[a-z]{2}/.test(part) && !/^[\w.]+\(.*\);?$|^<\/?\w/.test(part))
    .map((part) => ({ kind: "comment" as const, text: part, start, end }));
}
