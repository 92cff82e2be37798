import { play } from "./play";

play(
  "accept",
  "broken-projects",
  "drift",
  "fleet-shards",
  "limits",
  "repair",
  "unchecked",
  "undeclared",
  "waves",
);
