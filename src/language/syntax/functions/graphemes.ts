/** Text without anything that could join characters: each character is one. */
const SIMPLE = /^[\x20-\x7e\n\t]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character each: Terraform counts, cuts and reverses texts by these. */
export function graphemes(text: string): string[] {
  if (SIMPLE.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
