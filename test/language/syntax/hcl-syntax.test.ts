import fc from "fast-check";
import { ExpressionError, parseExpression } from "../../../src/language/syntax";
import { children } from "../../../src/language/syntax/references";
import type { Node } from "../../../src/language/syntax/syntax";
import { runs, seed } from "../../support/capabilities";
import { readCases } from "./cases";
import { expressions } from "./random-expressions";

// The test loads HashiCorp's parser, which is compiled to WebAssembly. Without this variable, the parser may contact
// HashiCorp.
process.env["CHECKPOINT_DISABLE"] = "1";
const hcl2json = import("@cdktf/hcl2json");
// The parser is a Go program that never ends. The timers of the parser would keep the process alive, so the test clears
// them.
const timers = jest.spyOn(globalThis, "setTimeout");
afterAll(() => {
  for (const { value } of timers.mock.results) clearTimeout(value);
});

/** Generates parts of expressions that a typing error could insert. */
const PIECES = fc.constantFrom(
  ...'( ) [ ] { } , . .. ... : :: ? = == ! != < > + - * / % && || => ~ " \\ ${ %{ $${ ~} # // /* */ 0 1.5 1e a for in if null \n'.split(
    " ",
  ),
  " ",
);

interface Edit {
  readonly at: number;
  readonly drop: number;
  readonly insert: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.integer({ min: 0, max: 3 }),
  insert: fc.oneof(PIECES, fc.constant("")),
});

const edited = fc.tuple(expressions, fc.array(edit, { maxLength: 2 })).map(([text, edits]) =>
  edits.reduce((current, { at, drop, insert }) => {
    const position = Math.floor(at * current.length);
    return current.slice(0, position) + insert + current.slice(position + drop);
  }, text),
);

/** The references in an expression, each with the number of its parts. Undefined if the text is not an expression. */
type Shape = readonly string[] | undefined;

function ownShape(source: string): Shape {
  try {
    const found: string[] = [];
    const visit = (node: Node): void => {
      if (node.kind === "reference") found.push(`${node.traversal.root} ${node.traversal.steps.length}`);
      for (const child of children(node)) visit(child);
    };
    visit(parseExpression(source).root);
    return found.sort();
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

interface Ast {
  readonly type: string;
  readonly meta?: { readonly traversal?: readonly { readonly segment?: string }[] };
  readonly children?: readonly Ast[];
}

async function theirShape(source: string): Promise<Shape> {
  const { getExpressionAst } = await hcl2json;
  const ast = (await getExpressionAst("case.tf", source).catch(() => undefined)) as Ast | undefined;
  if (ast === undefined) return undefined;
  const found: string[] = [];
  const visit = (node: Ast): void => {
    const traversal = node.type === "scopeTraversal" ? node.meta?.traversal : undefined;
    if (traversal !== undefined) found.push(`${traversal[0]!.segment} ${traversal.length - 1}`);
    for (const child of node.children ?? []) visit(child);
  };
  visit(ast);
  return found.sort();
}

async function differences(sources: readonly string[]): Promise<unknown[]> {
  const different: unknown[] = [];
  for (const source of sources) {
    const [own, theirs] = [ownShape(source), await theirShape(source)];
    if (JSON.stringify(own) !== JSON.stringify(theirs)) different.push({ source, own, theirs });
  }
  return different;
}

/**
 * Texts with keys that HashiCorp's parser accepts and only its evaluator refuses. Steward's parser already refuses
 * these texts.
 */
const AMBIGUOUS_KEYS: ReadonlySet<string> = new Set(["{a.b=1}", "{a[0]=1}"]);

describe("the syntax of expressions is the same as in HashiCorp's parser", () => {
  test("Steward's parser finds the same references as HashiCorp's parser in each expression of the console table", async () => {
    const sources = readCases()
      .flatMap((group) => group.sources)
      .filter((source) => typeof source === "string")
      .filter((source) => source.startsWith("${") && source.endsWith("}"))
      .map((source) => source.slice(2, -1));
    expect(await differences(sources.filter((source) => !AMBIGUOUS_KEYS.has(source)))).toEqual([]);
  });

  test("Steward's parser finds the same references as HashiCorp's parser in random and damaged expressions", async () => {
    expect(await differences(fc.sample(edited, { seed, numRuns: runs(500, 20_000) }))).toEqual([]);
  }, 600_000);
});
