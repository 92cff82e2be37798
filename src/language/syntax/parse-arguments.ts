import { ExpressionError } from "./errors";
import { finish } from "./parse";
import { Parser } from "./parser";
import { children } from "./references";
import { describe, Scanner, type Token } from "./scanner";
import type { Expression, Node, NodeOf, Range } from "./syntax";

/** An argument `NAME = EXPRESSION` in an HCL text. Ranges are positions in the whole text. */
interface Argument {
  readonly name: string;
  readonly range: Range;
  readonly value: Expression;
}

/**
 * Returns the arguments of an HCL text that consists of arguments only, such as a variables file. A name can occur several times.
 *
 * @throws ExpressionError
 */
export function parseArguments(source: string): readonly Argument[] {
  const scanner = new Scanner(source, 0, true);
  const found: Argument[] = [];
  for (;;) {
    while (scanner.peek().kind === "newline") scanner.next();
    if (scanner.peek().kind === "end") return found;
    const name = takeName(scanner);
    takeEquals(scanner);
    const root = new Parser(scanner).expression();
    found.push({ name: name.text, range: name.range, value: finish(source, root) });
    takeEnd(scanner);
  }
}

function takeName(scanner: Scanner): Token {
  const token = scanner.next();
  if (token.kind === "identifier") return token;
  if (token.kind === "quote")
    throw scanner.error(
      "Invalid argument name",
      "The name of an argument must not be in quotes.",
      token.range,
    );
  throw scanner.error(
    "Argument required",
    `Expected \`NAME = VALUE\` but found ${describe(token)}.`,
    token.range,
  );
}

function takeEquals(scanner: Scanner): void {
  if (scanner.take("=") !== undefined) return;
  throw scanner.error(
    "Argument required",
    `Expected "=" after the name but found ${describe(scanner.peek())}.`,
  );
}

function takeEnd(scanner: Scanner): void {
  const { kind, text } = scanner.peek();
  if (kind === "newline" || kind === "end") return;
  const found = kind === "symbol" && text === "," ? "a comma" : describe(scanner.peek());
  throw scanner.error("Missing new line", `An argument must end with a new line, but ${found} follows.`);
}

/**
 * Throws an error if an expression contains a function call.
 *
 * @throws ExpressionError at the function's name
 */
export function refuseCalls(root: Node, detail: (name: string) => string): void {
  const call = firstCall(root);
  if (call !== undefined)
    throw new ExpressionError("Function calls not allowed", detail(call.name), call.nameRange);
}

function firstCall(node: Node): NodeOf<"call"> | undefined {
  if (node.kind === "call") return node;
  for (const child of children(node)) {
    const found = firstCall(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
