/** Text without combining characters: each code unit is one character. */
const SIMPLE = /^[\x20-\x7e\n\t]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Grapheme clusters, by which Terraform counts, cuts and reverses texts. */
export function graphemes(text: string): string[] {
  if (SIMPLE.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
