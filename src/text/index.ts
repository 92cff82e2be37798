export { compareNatural } from "./compare-natural";
export { colouredLine, isOneLine, oneLine } from "./one-line";
export { quotedLines, statedLines } from "./quoted-lines";
export { SENSITIVE, SensitiveTexts } from "./sensitive-texts";
export { quotedShellWord, shellWord } from "./shell-word";
export {
  dayAfter,
  type GivenWaiver,
  MAX_WAIVER_DAYS,
  mergeWaivers,
  type UsedWaiver,
  type Waiver,
  Waivers,
  waiverProblem,
  wildcard,
} from "./waivers";
