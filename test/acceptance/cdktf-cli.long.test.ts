import { stripVTControlCharacters } from "node:util";
import { steward } from "../cli/support/process";
import { describeWhere, programFor } from "../support/capabilities";
import { type CdktfProject, cdktfProject } from "./support/cdktf-project";

jest.setTimeout(900_000);

// Only a soak installs the cdktf CLI, because its 480 packages take 420 MB.
const engine = process.env["SOAK"] ? programFor("engine") : undefined;

describeWhere(engine, "terraform or tofu, npm's registry, and SOAK=1", "the cdktf CLI", (program) => {
  let project: CdktfProject;
  beforeAll(async () => {
    project = await cdktfProject(program);
  });
  afterAll(() => project?.close());

  /**
   * Runs cdktf without a lock file of the provider. To write a lock file, cdktf would send requests to the provider's
   * registry. This registry does not exist, because the test uses a mirror.
   */
  const cdktf = (command: string, ...options: string[]) =>
    project.cdktf([command, "quickstart", ...options, "--skip-provider-lock"]);

  test("cdktf can diff, deploy and destroy the quickstart app with the provider from a mirror", async () => {
    const first = await cdktf("diff");
    expect(first).toContain("Plan: 5 to add, 0 to change, 0 to destroy.");
    const deployed = await cdktf("deploy", "--auto-approve");
    expect(deployed).toContain("Apply complete! Resources: 5 added, 0 changed, 0 destroyed.");
    expect(deployed).toContain("production_environment = 1:production");
    const again = await cdktf("diff");
    expect(again).toContain("No changes.");
    const destroyed = await cdktf("destroy", "--auto-approve");
    expect(destroyed).toContain("Resources: 5 destroyed.");
    for (const said of [first, deployed, again, destroyed])
      expect(said).not.toContain("quickstart-maintainer-token");
  });

  test("under `steward exec`, cdktf can deploy and destroy the quickstart app without a mirror", async () => {
    const { TF_CLI_CONFIG_FILE: _mirror, ...rest } = project.env;
    const exec = async (...words: string[]): Promise<string> => {
      const args = ["exec", "--", process.execPath, project.cli, ...words, "quickstart", "--auto-approve"];
      const ended = await steward([...args, "--skip-provider-lock"], {
        folder: project.folder,
        env: rest as Record<string, string>,
      });
      expect(`${ended.out}${ended.err}`).not.toContain("quickstart-maintainer-token");
      expect(ended.code).toBe(0);
      return stripVTControlCharacters(ended.out);
    };
    expect(await exec("deploy")).toContain("Apply complete! Resources: 5 added, 0 changed, 0 destroyed.");
    expect(await exec("destroy")).toContain("Resources: 5 destroyed.");
  });
});
