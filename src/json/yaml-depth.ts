import { MAX_JSON_DEPTH } from "./parse-json";

/** What is used of the library `yaml`, which takes a while to load. */
type Yaml = Pick<typeof import("yaml"), "Lexer" | "Parser">;

/** Levels of mappings, sequences and their items that are read. */
export const MAX_YAML_DEPTH = MAX_JSON_DEPTH / 2;

/**
 * Whether a YAML text is nested deeper than `MAX_YAML_DEPTH`. To be asked before it is read: the library calls itself for
 * each level, and V8 ends the process where the stack is exhausted while it compiles a regular expression.
 */
export function isYamlTooDeep({ Lexer, Parser }: Yaml, text: string): boolean {
  // It does not call itself, but keeps what is open in a list.
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH) return true;
  }
  return false;
}
