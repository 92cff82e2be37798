import { play } from "./play";

play("apply", "conditions", "excludes", "import-blocks", "lifecycle", "moves", "plan", "validate");
