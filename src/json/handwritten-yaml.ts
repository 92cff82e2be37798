import type { Document, LineCounter, YAMLError } from "yaml";
import { MAX_JSON_DEPTH } from "./parse-json";
import { positionText } from "./tokens";

/**
 * The error for a text that is not YAML, for YAML that is nested too deeply, and for a mapping that contains a key twice. The
 * message contains the position.
 */
class YamlProblem extends Error {
  override readonly name = "YamlProblem";
}

/** The content of a YAML text that people wrote. */
export interface HandwrittenYaml {
  readonly value: unknown;
  /**
   * Returns the line of the value at a path. If the text has no value at the path, returns the line of its nearest parent.
   * Returns undefined for an empty text.
   */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/**
 * Reads handwritten YAML 1.2. Refuses a mapping that contains a key twice, because one of the values would be ignored. A date
 * is read as a string.
 *
 * @throws YamlProblem
 */
export function parseHandwrittenYaml(text: string): HandwrittenYaml {
  // The library is loaded only when it is needed, because loading takes a while.
  const yaml: typeof import("yaml") = require("yaml");
  if (isYamlTooDeep(yaml, text))
    throw new YamlProblem(`it is nested more than ${MAX_YAML_DEPTH} levels deep`);
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, schema: "core" });
  const [broken] = document.errors;
  if (broken !== undefined)
    throw new YamlProblem(repeatedKey(yaml, document, broken, text) ?? firstLine(broken), { cause: broken });
  return { value: plainValue(document), lineOf: (path) => lineOf(yaml, document, lines, path) };
}

/** Converts a document to plain values. @throws YamlProblem if the aliases in the document would create too many values */
function plainValue(document: Document): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw new YamlProblem(`it is not YAML: ${(cause as Error).message}`, { cause });
  }
}

/** Returns the library's error message with its position. The excerpt of the file, which the library adds, is left out. */
function firstLine({ message }: YAMLError): string {
  const line = message.split("\n")[0]!.replace(/:$/, "");
  const [, text = line, place = ""] = /^(.*)( at line \d+, column \d+)$/.exec(line) ?? [];
  return `it is not YAML${place}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

type Yaml = typeof import("yaml");

/** Returns a message with both positions of a repeated key. Returns undefined if the error has another cause. */
function repeatedKey(
  yaml: Yaml,
  document: Document,
  { code, pos }: YAMLError,
  text: string,
): string | undefined {
  if (code !== "DUPLICATE_KEY") return undefined;
  let found: string | undefined;
  yaml.visit(document, {
    Map(_, { items }) {
      const keys = items.map(({ key }) => (yaml.isScalar(key) ? key : undefined));
      const second = keys.find((key) => key?.range?.[0] === pos[0]);
      const first = keys.find((key) => key !== undefined && key.value === second?.value);
      if (second === undefined || first === undefined || first === second) return undefined;
      const [one, other] = [first, second].map(({ range }) => positionText(text, range![0]));
      found = `it has the key ${JSON.stringify(String(first.value))} twice in one mapping, at ${one} and at ${other}`;
      return yaml.visit.BREAK;
    },
  });
  return found;
}

/** Returns the line of the value at a path. For a missing key, returns the line of the nearest parent. */
function lineOf(
  yaml: Yaml,
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (yaml.isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

/** The parts of the library `yaml` that `isYamlTooDeep` uses. The caller loads the library, because loading takes a while. */
type YamlParser = Pick<typeof import("yaml"), "Lexer" | "Parser">;

/** The maximum number of nested mappings, sequences and items. */
export const MAX_YAML_DEPTH = MAX_JSON_DEPTH / 2;

/**
 * Returns whether a YAML text is nested deeper than `MAX_YAML_DEPTH`. Call this function before `parseDocument`, which is
 * recursive and exhausts the stack for a deeply nested text. An exhausted stack does not always throw: V8 ends the process if
 * the stack is exhausted while V8 compiles a regular expression.
 */
export function isYamlTooDeep({ Lexer, Parser }: YamlParser, text: string): boolean {
  // This parser of the library is not recursive: it keeps open collections in a list.
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH) return true;
  }
  return false;
}
