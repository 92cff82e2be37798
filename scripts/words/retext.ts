import type { Check } from "./rules";

/**
 * Finds wrong articles and repeated words with retext. Each check parses only two words, because parsing whole texts
 * takes minutes.
 */
export async function retextCheck(): Promise<Check> {
  const [{ unified }, { default: english }, { default: article }, { default: repeated }] = await Promise.all([
    import("unified"),
    import("retext-english"),
    import("retext-indefinite-article"),
    import("retext-repeated-words"),
  ]);
  const compiler = function (this: { compiler?: unknown }) {
    this.compiler = () => "";
  };
  const processor = unified().use(english).use(article).use(repeated).use(compiler).freeze();
  const known = new Map<string, readonly string[]>();
  const problems = (phrase: string) => {
    let found = known.get(phrase);
    if (found === undefined) {
      found = processor.processSync(phrase).messages.map(({ reason }) => `${reason} (words)`);
      known.set(phrase, found);
    }
    return found;
  };
  return function* (text) {
    // The words "Code" and "Value" replace code and values, so it is not known whether "a" or "an" is right before
    // them. Retext also judges "HTTP" and "in" wrongly.
    for (const [phrase] of text.matchAll(
      /\ban? (?!Code|Value|https?\b|in\b|oneof\b)["']?[\p{L}\p{N}][\p{L}\p{N}'-]*|\b(\p{L}+) \1\b/giu,
    )) {
      yield* problems(phrase);
    }
  };
}
