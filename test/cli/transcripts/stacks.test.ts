import { play } from "./play";

play("command-line", "fail-fast", "moves-between-stacks", "objects-of-two-stacks");
