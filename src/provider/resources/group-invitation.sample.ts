import { GROUP } from "../samples/company";
import { invitationSample } from "../samples/invitation";
import type { Sample } from "../samples/sample";

export const sample: Sample = invitationSample("group", ["acme/platform", "acme/approvers"], GROUP.platform, {
  id: "auditor",
  config: {
    group: "acme/platform",
    email: "grace@example.com",
    access_level: 20,
    expires_at: "2030-12-31",
  },
});
