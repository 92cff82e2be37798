import { GO_STATES, type GoState } from "../../provider/support/go-states";
import { startWorld, TOKEN, type World } from "../../provider/support/world";
import { describeFeature } from "../../support/compatibility";
import { GO_PROVIDERS, goStateFile } from "../support/go-provider";
import { ReattachedWorkspace } from "../support/reattached-workspace";

jest.setTimeout(120_000);

describeFeature(
  "move-from-another-provider",
  ["terraform-1.11", "terraform-1.16", "opentofu-1.12"],
  (engine) => {
    let world: World;
    let workspace: ReattachedWorkspace;
    beforeEach(async () => {
      world = await startWorld();
      workspace = await ReattachedWorkspace.open(engine, [world.provider, ...GO_PROVIDERS]);
    });
    afterEach(async () => {
      await workspace.close();
      await world.close();
    });

    const declare = ({ from, to, config }: GoState): void =>
      workspace.write(
        "main.tf.json",
        JSON.stringify({
          provider: { steward: { base_url: world.service.url, token: TOKEN.maintainer } },
          moved: [{ from: `${from}.old`, to: `${to}.new` }],
          resource: { [to]: { new: config } },
        }),
      );

    test.each(Object.entries(GO_STATES))(
      "a moved block converts a resource of the Go provider without a change: %s",
      async (_what, sample) => {
        workspace.write(
          "terraform.tfstate",
          goStateFile(sample.from, sample.schemaVersion, await sample.make(world.http)),
        );
        declare(sample);
        expect(await workspace.actions()).toEqual({});
        await workspace.apply();
        expect((await workspace.plan()).changes).toBe(false);
        expect(await workspace.state()).toMatchObject({ [`${sample.to}.new`]: { id: sample.id } });
        expect(Object.keys(await workspace.state())).toEqual([`${sample.to}.new`]);
      },
    );
  },
);
