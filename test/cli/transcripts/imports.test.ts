import { play } from "./play";

play("adopt", "adopt-files", "adopt-reasons", "existing", "import", "one-cause", "rights");
