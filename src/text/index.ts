// Makes untrusted text safe to print or to pass to a shell, and formats names and counts. It prints nothing.

export { compareNatural } from "./compare-natural";
export { allOf, allUpTo, atMost, counted, namesUpTo } from "./names";
export {
  colouredLine,
  isOneLine,
  isPlainText,
  oneLine,
  quote,
  quotedLines,
  quotedShellWord,
  SENSITIVE,
  SensitiveTexts,
  shellWord,
  statedLines,
} from "./safe-text";
export { sentence } from "./sentence";
export { type Wildcard, wildcard } from "./wildcard";
