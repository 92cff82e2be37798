import { rmSync } from "node:fs";
import path from "node:path";
import { describeFeature } from "../support/compatibility";
import { type CdktfProject, cdktfProject } from "./support/cdktf-project";

jest.setTimeout(900_000);

describeFeature(
  "cdktf-on-mirror",
  ["terraform-1.11", "terraform-1.16", "opentofu-1.12"],
  (program) => {
    let project: CdktfProject;
    beforeAll(async () => {
      // The proxy does not exist, so every request to a registry fails. The setup of the tests sends no request to a
      // registry.
      project = await cdktfProject(program, {
        HTTPS_PROXY: "http://127.0.0.1:9",
        TF_REGISTRY_DISCOVERY_RETRY: "0",
      });
    });
    afterAll(() => project?.close());

    test("without --skip-provider-lock or TF_CLI_ARGS_providers_lock, the first cdktf diff of a stack fails", async () => {
      await expect(project.cdktf(["diff", "quickstart"])).rejects.toThrow();
      rmSync(path.join(project.folder, "cdktf.out"), { recursive: true });
    });

    test("with TF_CLI_ARGS_providers_lock, the first cdktf diff of a stack succeeds", async () => {
      const lock = { TF_CLI_ARGS_providers_lock: `-fs-mirror=${path.join(project.folder, "mirror")}` };
      expect(await project.cdktf(["diff", "quickstart"], lock)).toContain(
        "Plan: 5 to add, 0 to change, 0 to destroy.",
      );
      const deployed = await project.cdktf(["deploy", "quickstart", "--auto-approve"]);
      expect(deployed).toContain("Apply complete! Resources: 5 added, 0 changed, 0 destroyed.");
      expect(await project.cdktf(["diff", "quickstart"])).toContain("No changes.");
    });
  },
  { needs: "npm's registry, and SOAK=1", isThere: process.env["SOAK"] !== undefined },
);
