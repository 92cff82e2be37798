import { string } from "../values";
import { type ExpressionParser, type ForHead, parseForHead } from "./expression-parts";
import type { Scanner } from "./scanner";
import { between, type Node, type Range } from "./syntax";
import { flushLines, nextPiece, type Part, type Piece, type TemplateForm } from "./template-scanner";

/** Parses a template without quotes, which is the whole text of a string in a JSON configuration. */
export function parseBare(parser: ExpressionParser): Node {
  const start = parser.scanner.position;
  return assemble(readParts(parser, { kind: "bare" }), start, parser.scanner);
}

/** Parses a template in quotes. */
export function parseQuoted(parser: ExpressionParser): Node {
  const open = parser.scanner.next();
  return assemble(readParts(parser, { kind: "quoted" }), open.range.start, parser.scanner);
}

/**
 * Parses a heredoc: the text from `<<MARKER` to a line that contains only the marker. `<<-` removes the common indentation of the
 * lines.
 */
export function parseHeredoc(parser: ExpressionParser): Node {
  const open = parser.scanner.next();
  const [, flush, marker] = /^<<(-?)(.*?)\r?\n$/s.exec(open.text)!;
  const parts = readParts(parser, { kind: "heredoc", marker: marker! });
  if (flush === "-") flushLines(parts);
  return assemble(parts, open.range.start, parser.scanner);
}

function readParts(parser: ExpressionParser, form: TemplateForm): Part[] {
  const { scanner } = parser;
  const parts: Part[] = [];
  let isNextTrimmed = false;
  let isAtLineStart = true;
  for (;;) {
    const piece = nextPiece(scanner, form, isAtLineStart);
    if (piece.kind === "end" || piece.kind === "text") parts.push(piece);
    if (piece.kind === "end") return parts;
    if (piece.kind === "text") {
      isAtLineStart = piece.text.endsWith("\n");
      if (isNextTrimmed) piece.text = piece.text.trimStart();
      isNextTrimmed = false;
      continue;
    }
    isAtLineStart = false;
    trimBefore(piece, parts);
    const [part, close] = scanner.withNewlines(false, () => readSequence(parser, piece.kind, piece.range));
    parts.push({ ...part, range: between(piece.range, close) });
    isNextTrimmed = close.end - close.start === 2;
    scanner.moveTo(close.end);
  }
}

/** Removes the white space at the end of the text before `${~` or `%{~`. */
function trimBefore(piece: Piece, parts: Part[]): void {
  const last = parts.at(-1);
  if (piece.kind !== "end" && piece.kind !== "text" && piece.isTrimming && last?.kind === "text") {
    last.text = last.text.trimEnd();
  }
}

type Sequence = Exclude<Part, { kind: "text" | "end" }>;

function readSequence(
  parser: ExpressionParser,
  kind: "interpolation" | "directive",
  open: Range,
): [Sequence, Range] {
  const { scanner } = parser;
  const part: Sequence =
    kind === "interpolation" ? { kind, node: parser.expression(), range: open } : readDirective(parser, open);
  const close = scanner.take("}") ?? scanner.take("~}");
  if (close !== undefined) return [part, close.range];
  const hint =
    kind === "interpolation"
      ? ' If it is meant as text, for a shell or another language, write "$${" for "${".'
      : "";
  throw scanner.error(
    kind === "interpolation"
      ? "Extra characters after interpolation expression"
      : "Extra characters in directive",
    `Expected a closing brace for the sequence that begins at offset ${open.start}.${hint}`,
  );
}

function readDirective(parser: ExpressionParser, range: Range): Sequence {
  const { scanner } = parser;
  const word = scanner.peek();
  switch (word.kind === "identifier" ? word.text : "") {
    case "if":
      scanner.next();
      return { kind: "if", condition: parser.expression(), range };
    case "for":
      return { kind: "for", head: parseForHead(parser), range };
    case "else":
    case "endif":
    case "endfor":
      scanner.next();
      return { kind: word.text as "else" | "endif" | "endfor", range };
    default:
      throw scanner.error(
        "Invalid template directive",
        'After "%{" comes "if", "else", "endif", "for" or "endfor". For a literal "%{" write "%%{".',
        word.range,
      );
  }
}

function assemble(parts: Part[], start: number, scanner: Scanner): Node {
  const end = parts.at(-1)!.range.end;
  const nodes = new Assembler(joinTexts(parts), scanner).until("end");
  const range = { start, end };
  const [first] = parts;
  if (parts.length === 2 && first!.kind === "interpolation")
    return { kind: "group", inner: first!.node, range };
  return { kind: "template", parts: nodes.length > 0 ? nodes : [emptyText(range)], range };
}

const emptyText = (range: Range): Node => ({ kind: "literal", value: string(""), range });

/** Joins adjacent texts to one text. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = {
        kind: "text",
        text: last.text + part.text,
        range: between(last.range, part.range),
      };
    } else joined.push(part);
  }
  return joined;
}

/** Builds syntax tree nodes from the parts of a template. */
class Assembler {
  private position = 0;

  constructor(
    private readonly parts: readonly Part[],
    private readonly scanner: Scanner,
  ) {}

  /** Returns the nodes before the next part of one of these kinds, and moves past this part. */
  until(...closers: readonly Part["kind"][]): Node[] {
    const nodes: Node[] = [];
    while (!closers.includes(this.current.kind)) nodes.push(this.node());
    this.position += 1;
    return nodes;
  }

  private get current(): Part {
    return this.parts[this.position]!;
  }

  private node(): Node {
    const part = this.current;
    this.position += 1;
    switch (part.kind) {
      case "text":
        return { kind: "literal", value: string(part.text), range: part.range };
      case "interpolation":
        return part.node;
      case "if":
        return this.conditional(part.condition, part.range);
      case "for":
        return this.loop(part.head, part.range);
      case "end":
        throw this.scanner.error(
          "Unexpected end of template",
          'An "if" or "for" directive has no "endif" or "endfor".',
          part.range,
        );
      default:
        throw this.scanner.error(
          `Unexpected ${part.kind} directive`,
          `"${part.kind}" has no opening directive.`,
          part.range,
        );
    }
  }

  private conditional(condition: Node, open: Range): Node {
    const then = this.until("else", "endif");
    const middle = this.parts[this.position - 1]!;
    const otherwise = middle.kind === "else" ? this.until("endif") : [];
    const range = between(open, this.parts[this.position - 1]!.range);
    return {
      kind: "conditional",
      condition,
      whenTrue: body(then, middle.range),
      whenFalse: body(otherwise, range),
      range,
    };
  }

  private loop(head: ForHead, open: Range): Node {
    const nodes = this.until("endfor");
    const range = between(open, this.parts[this.position - 1]!.range);
    const parts: Node = {
      kind: "for",
      ...head,
      key: undefined,
      value: body(nodes, range),
      condition: undefined,
      isGrouped: false,
      range,
    };
    return { kind: "join", parts, range };
  }
}

const body = (parts: Node[], range: Range): Node =>
  parts.length === 0
    ? { kind: "template", parts: [emptyText(range)], range }
    : { kind: "template", parts, range: between(parts[0]!.range, parts.at(-1)!.range) };
