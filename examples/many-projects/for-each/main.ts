// One policy for all projects of a group. Each plan reads the list of these projects. Try it: steward plan --app "node
// --import tsx examples/many-projects/for-each/main.ts"
import { App, Fn, TerraformIterator, TerraformOutput, TerraformStack } from "cdktf";
import {
  DataStewardProjects,
  JobTokenAllowlistGroup,
  JobTokenScope,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";

class GroupPolicy extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN

    // Archived projects are read-only, so they are excluded.
    const { projects } = new DataStewardProjects(this, "projects", {
      group: "acme",
      includeSubgroups: true,
      archived: false,
    });

    // Uses ids as keys of the instances. A project that is moved or renamed then keeps its instance.
    const each = TerraformIterator.fromComplexList(projects, "id");
    new JobTokenScope(this, "limit", { forEach: each, project: each.key, inboundEnabled: true });
    new JobTokenAllowlistGroup(this, "platform", {
      forEach: each,
      project: each.key,
      targetGroup: "acme/platform",
    });
    new TerraformOutput(this, "count", { value: Fn.lengthOf(projects) });
  }
}

const app = new App();
new GroupPolicy(app, "group-policy");
app.synth();
