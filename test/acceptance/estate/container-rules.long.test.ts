import { copyFileSync } from "node:fs";
import path from "node:path";
import { ReattachedWorkspace } from "../../plugin/support/reattached-workspace";
import { describeWith } from "../../support/capabilities";
import { resource, useRules } from "./container-rules";

const { service, stack } = useRules();

describeWith("engine", "under Terraform", (engine) => {
  jest.setTimeout(120_000);

  test("a no-change plan of more container rules than a page of other lists holds is one request", async () => {
    const workspace = await ReattachedWorkspace.open(engine);
    try {
      copyFileSync(stack().stateFile, path.join(workspace.folder, "terraform.tfstate"));
      const provider = { steward: { base_url: service().url, token: service().adminToken } };
      workspace.write("main.tf.json", JSON.stringify({ provider, resource }));
      service().requests.reset();
      expect((await workspace.plan()).changes).toBe(false);
      expect(service().requests.count()).toBe(1);
    } finally {
      await workspace.close();
    }
  });
});
