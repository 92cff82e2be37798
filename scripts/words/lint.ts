import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import { pageLines } from "./files";
import type { AvoidedTerm } from "./glossary";
import { retextCheck } from "./retext";
import { lengths, patterns, terms, textlintRule } from "./rules";
import { typescriptPlugin } from "./typescript";

/** A text that the style guide does not allow, with its line. */
export interface Finding {
  readonly line: number;
  readonly message: string;
}

export type Lint = (file: string, text: string) => Promise<readonly Finding[]>;

/** Returns a function that checks the text of one file. The name of the file decides how it is parsed. */
export async function createLint(avoided: readonly AvoidedTerm[]): Promise<Lint> {
  const kernel = new TextlintKernel();
  const checks = { patterns, terms: terms(avoided), lengths, words: await retextCheck() };
  const all = Object.entries(checks).map(([ruleId, check]) => ({ ruleId, rule: textlintRule(check) }));
  // The glossary itself must contain the words that its terms replace.
  const withoutTerms = all.filter(({ ruleId }) => ruleId !== "terms");
  const plugins = [
    { pluginId: "markdown", plugin: markdown },
    { pluginId: "typescript", plugin: typescriptPlugin((await import("oxc-parser")).parseSync) },
  ];
  return async (file, text) => {
    const rules = file === "docs/glossary.md" ? withoutTerms : all;
    const ext = file.slice(file.lastIndexOf("."));
    const { messages } = await kernel.lintText(text, { filePath: file, ext, plugins, rules });
    const found = messages.map(({ line, message }) => ({ line, message }));
    const lines = text.split("\n").length - 1;
    if (lines <= pageLines(file)) return found;
    return [
      ...found,
      { line: pageLines(file), message: `${lines} lines, ${pageLines(file)} allowed (page-length)` },
    ];
  };
}
