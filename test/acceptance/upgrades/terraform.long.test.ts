import { existsSync } from "node:fs";
import { ReattachedWorkspace } from "../../plugin/support/reattached-workspace";
import { describeWith } from "../../support/capabilities";
import { folderOf, Opened, SETS } from "./opened";

// A real engine (Terraform or OpenTofu) reads states that the embedded engine or Terraform wrote.

describeWith("engine", "a real engine on states of earlier releases", (engine) => {
  /** Runs a test in a workspace with the configuration and the state of a folder. */
  async function within(
    set: string,
    kind: string,
    folder: string,
    run: (workspace: ReattachedWorkspace, opened: Opened) => Promise<void>,
  ): Promise<void> {
    const opened = await Opened.open(set, kind);
    const workspace = await ReattachedWorkspace.open(engine);
    try {
      const {
        provider: _,
        terraform: __,
        ...declared
      } = JSON.parse(opened.read(`${folder}/main.tf.json`)) as {
        readonly provider: object;
        readonly terraform: object;
      };
      const { url: base_url, adminToken: token } = opened.service;
      const provider = { steward: { base_url, token } };
      workspace.write("main.tf.json", JSON.stringify({ ...declared, provider }));
      workspace.write("terraform.tfstate", opened.read(`${folder}/terraform.tfstate`));
      await run(workspace, opened);
    } finally {
      await workspace.close();
      await opened.close();
    }
  }

  describe.each(SETS)("%s", (set) => {
    test.each(["whole", "of-terraform"])(
      "%s: for an old state, Terraform plans only the delete of the deposed object",
      (kind) =>
        within(set, kind, "platform", async (workspace) => {
          expect(await workspace.actions()).toEqual({ "steward_protected_environment.live": ["delete"] });
          await workspace.apply();
          expect((await workspace.plan()).changes).toBe(false);
        }),
    );
  });

  test.each(SETS.filter((set) => existsSync(folderOf(set, "spellings", "terraform"))))(
    "%s: terraform apply corrects the ids of invitations in an old state without a write to the service",
    (set) =>
      within(set, "spellings", "terraform", async (workspace, opened) => {
        const { service } = opened;
        expect(await workspace.actions()).toEqual({});
        expect((await workspace.plan()).changes).toBe(false);
        await workspace.succeed("apply", "-auto-approve");
        const state = workspace.read("terraform.tfstate");
        expect(state).toContain(":Dev@Example.com");
        expect(state).toContain(":Lead@Example.com");
        expect(service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
        await workspace.succeed("destroy", "-auto-approve");
        for (const place of ["projects/103", "groups/113"]) {
          const invitations = await opened.send(
            "GET",
            `${service.url}/api/v4/${place}/invitations`,
            undefined,
          );
          expect(JSON.parse(invitations)).toEqual([]);
        }
      }),
  );
});
