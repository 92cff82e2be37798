const SHORT: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

const NEEDS_ESCAPE = /["\\\p{C}\p{Z}]/gu;

/** The text in double quotes with escapes as Go writes them, which Terraform uses for `%q` and for sorting sets. */
export function quote(text: string): string {
  return `"${text.replace(NEEDS_ESCAPE, escaped)}"`;
}

function escaped(character: string): string {
  if (character === " ") return character;
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}
