export { compareNatural } from "./compare-natural";
export { colouredLine, isOneLine, oneLine } from "./one-line";
export { quotedLines, statedLines } from "./quoted-lines";
export { SENSITIVE, SensitiveTexts } from "./sensitive-texts";
export { quotedShellWord, shellWord } from "./shell-word";
