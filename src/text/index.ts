export { colouredLine, isOneLine, oneLine } from "./one-line";
export { quotedLines, statedLines } from "./quoted-lines";
export { shellWord } from "./shell-word";
