import { ReattachedWorkspace } from "../../plugin/support/reattached-workspace";
import { describeWith } from "../../support/capabilities";
import { Opened, SETS } from "./opened";

// A state as a real engine reads it, whoever of the two wrote it.

describeWith("engine", "a real engine on states of earlier releases", (engine) => {
  describe.each(SETS)("%s", (set) => {
    test.each(["whole", "of-terraform"])(
      "%s: it deletes the deposed object, and nothing else is planned",
      async (kind) => {
        const opened = await Opened.open(set, kind);
        const workspace = await ReattachedWorkspace.open(engine);
        try {
          const {
            provider: _,
            terraform: __,
            ...declared
          } = JSON.parse(opened.read("platform/main.tf.json")) as {
            readonly provider: object;
            readonly terraform: object;
          };
          const { url: base_url, adminToken: token } = opened.service;
          workspace.write(
            "main.tf.json",
            JSON.stringify({ ...declared, provider: { steward: { base_url, token } } }),
          );
          workspace.write("terraform.tfstate", opened.read("platform/terraform.tfstate"));
          expect(await workspace.actions()).toEqual({ "steward_protected_environment.live": ["delete"] });
          await workspace.apply();
          expect((await workspace.plan()).changes).toBe(false);
        } finally {
          await workspace.close();
          await opened.close();
        }
      },
    );
  });
});
