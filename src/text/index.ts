export { compareNatural } from "./compare-natural";
export { namesUpTo } from "./names";
export { atMost, counted, listed } from "./lists";
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
