import { play } from "./play";

play("adopt-files", "existing", "import", "one-cause", "rights");
