export { colouredLine, isOneLine, oneLine } from "./one-line";
export { shellWord } from "./shell-word";
