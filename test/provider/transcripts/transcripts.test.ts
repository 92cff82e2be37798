import { readdirSync } from "node:fs";
import { play } from "./play";

for (const file of readdirSync(__dirname).filter((name) => name.endsWith(".transcript")))
  play(file.replace(".transcript", ""));
