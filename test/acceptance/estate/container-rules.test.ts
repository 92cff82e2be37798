import { copyFileSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { makeMirror } from "../../plugin/support/plugin-mirror";
import { Workspace } from "../../plugin/support/workspace";
import { describeWith, runs } from "../../support/capabilities";
import { EstateStack, numbers } from "./support";

// The one list without pages: however many rules there are, they are one request.

/** More than two pages of other lists. */
const RULES = runs(250, 1000);

const resource = {
  steward_container_protection_rule: Object.fromEntries(
    numbers(RULES).map((index) => [
      `r${index}`,
      {
        project: "estate/shop",
        repository_path_pattern: `estate/shop/image-${index}`,
        minimum_access_level_for_push: "owner",
      },
    ]),
  ),
};

let service: Service;
let stack: EstateStack;
beforeAll(async () => {
  service = await startService({
    fixture: { groups: [{ path: "estate" }], projects: [{ path: "estate/shop" }] },
    recordRequests: true,
  });
  stack = new EstateStack(service);
  stack.declare(resource);
  await stack.apply();
});
afterAll(async () => {
  stack.remove();
  await service.close();
});

test("a no-change plan of more container rules than a page of other lists holds is one request", async () => {
  expect(await stack.requestsOfEmptyPlan()).toBe(1);
});

describeWith("engine", "under Terraform", (engine) => {
  jest.setTimeout(120_000);

  test("a no-change plan of more container rules than a page of other lists holds is one request", async () => {
    const mirror = await makeMirror();
    const workspace = new Workspace(engine, {
      TF_CLI_CONFIG_FILE: mirror.configuration,
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: service.adminToken,
    });
    try {
      copyFileSync(stack.stateFile, path.join(workspace.folder, "terraform.tfstate"));
      workspace.write("main.tf.json", JSON.stringify({ resource }));
      await workspace.succeed("init");
      service.requests.reset();
      expect((await workspace.plan()).changes).toBe(false);
      expect(service.requests.count()).toBe(1);
    } finally {
      workspace.remove();
      mirror.remove();
    }
  });
});
