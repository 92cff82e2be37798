import { play } from "./play";

play(
  "adopt",
  "adopt-files",
  "adopt-reasons",
  "environment-names",
  "existing",
  "import",
  "one-cause",
  "rights",
);
