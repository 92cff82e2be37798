import { play } from "./play";

play("moves-between-stacks", "objects-of-two-stacks");
