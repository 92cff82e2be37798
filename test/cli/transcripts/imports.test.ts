import { play } from "./play";

play(
  "adopt",
  "adopt-files",
  "adopt-reasons",
  "adopt-undeclarable",
  "existing",
  "import",
  "one-cause",
  "rights",
);
