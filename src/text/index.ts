export { compareNatural } from "./compare-natural";
export { allOf, atMost, counted, namesUpTo } from "./names";
export {
  colouredLine,
  isOneLine,
  oneLine,
  quotedLines,
  quotedShellWord,
  shellWord,
  statedLines,
} from "./safe-text";
export { SENSITIVE, SensitiveTexts } from "./sensitive-texts";
export { sentence } from "./sentence";
export { type Wildcard, wildcard } from "./wildcard";
