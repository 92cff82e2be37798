import { copyFileSync } from "node:fs";
import path from "node:path";
import { makeMirror } from "../../plugin/support/plugin-mirror";
import { Workspace } from "../../plugin/support/workspace";
import { describeWith } from "../../support/capabilities";
import { resource, useRules } from "./container-rules";

const { service, stack } = useRules();

describeWith("engine", "under Terraform", (engine) => {
  jest.setTimeout(120_000);

  test("a no-change plan of more container rules than a page of other lists holds is one request", async () => {
    const mirror = await makeMirror();
    const workspace = new Workspace(engine, {
      TF_CLI_CONFIG_FILE: mirror.configuration,
      STEWARD_BASE_URL: service().url,
      STEWARD_TOKEN: service().adminToken,
    });
    try {
      copyFileSync(stack().stateFile, path.join(workspace.folder, "terraform.tfstate"));
      workspace.write("main.tf.json", JSON.stringify({ resource }));
      await workspace.succeed("init");
      service().requests.reset();
      expect((await workspace.plan()).changes).toBe(false);
      expect(service().requests.count()).toBe(1);
    } finally {
      workspace.remove();
      mirror.remove();
    }
  });
});
