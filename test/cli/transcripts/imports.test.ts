import { play } from "./play";

play("existing", "import", "one-cause", "rights");
