import { play } from "./play";

play(
  "apply",
  "conditions",
  "drift",
  "ephemeral",
  "excludes",
  "existing",
  "functions",
  "import",
  "import-blocks",
);
play("lifecycle", "moves", "plan", "terraform-data", "validate");
