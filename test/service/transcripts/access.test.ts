import { play } from "./play";

play(
  "access",
  "accounts",
  "compat",
  "enterprise-users",
  "fixtures",
  "levels",
  "operations",
  "pages-of-lists",
  "parameters",
);
