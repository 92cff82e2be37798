import { play } from "./play";

play("broken-projects", "fleet", "fleet-shards", "own-allowlist");
