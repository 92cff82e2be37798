import { play } from "./play";

play(
  "allowlists",
  "around",
  "environments",
  "invitations",
  "members",
  "merge-requests",
  "projects",
  "promotions",
  "settings",
);
