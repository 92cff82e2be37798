// The stack of the data team.
import { TerraformStack } from "cdktf";
import { JobTokenAllowlist, JobTokenScope, StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";

export class Data extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // STEWARD_BASE_URL and STEWARD_TOKEN say where, and who

    for (const name of ["warehouse", "recommendations", "reports", "events"]) {
      const project = `acme/data/${name}`;
      new JobTokenScope(this, `${name}-limit`, { project, inboundEnabled: true });
      new JobTokenAllowlist(this, `${name}-callers`, { project, targetGroups: ["acme/data"] });
    }
  }
}
