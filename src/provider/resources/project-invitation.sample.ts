import { PROJECT } from "../samples/company";
import { invitationSample } from "../samples/invitation";
import type { Sample } from "../samples/sample";

export const sample: Sample = {
  ...invitationSample("project", ["acme/web", "acme/docs"], PROJECT.web, {
    id: "ada",
    config: { project: "acme/web-shop", email: "ada@example.com", access_level: 30 },
  }),
  hasHabits: true,
};
