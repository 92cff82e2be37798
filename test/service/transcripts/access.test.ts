import { play } from "./play";

play("access", "accounts", "enterprise-users", "levels", "parameters");
