import { play } from "./play";

play("allowlists", "around", "environments", "invitations", "members", "projects", "promotions", "settings");
