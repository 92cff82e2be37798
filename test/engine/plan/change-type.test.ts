import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { createPlan } from "../../../src/engine/plan/create-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import { loadConfiguration } from "../../../src/language";
import { createProvider, PROVIDER_SOURCE } from "../../../src/provider";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { goStateFile } from "../../plugin/support/go-provider";
import { appliedBy } from "../../provider/samples";
import { GO_STATES } from "../../provider/support/go-states";
import { startWorld, TOKEN, type World } from "../../provider/support/world";
import { describeFeature } from "../../support/compatibility";
import { actions } from "../support/stack";

describeFeature("move-from-another-provider", ["embedded-engine"], () => {
  let world: World;
  let folder: string;
  beforeEach(async () => {
    world = await startWorld();
    folder = mkdtempSync(path.join(tmpdir(), "steward-moves-"));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await world.close();
  });

  const file = () => path.join(folder, "terraform.tfstate");
  const declare = (from: string, to: string, config: object, token: string) =>
    writeFileSync(
      path.join(folder, "main.tf.json"),
      JSON.stringify({
        terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } } },
        provider: { steward: { base_url: world.service.url, token } },
        resource: { [to]: { now: config } },
        moved: { from: `${from}.old`, to: `${to}.now` },
      }),
    );
  const context = (): RunContext => ({
    configuration: loadConfiguration(folder),
    variables: {},
    providers: { [PROVIDER_SOURCE]: createProvider() },
  });

  test.each(Object.entries(GO_STATES))(
    "a moved block converts the Go provider's state of %s, without changing the object",
    async (_what, sample) => {
      const { from, to, schemaVersion, config, id } = sample;
      const token = appliedBy(to);
      writeFileSync(file(), goStateFile(from, schemaVersion, await sample.make(world.http)));
      declare(from, to, config, token);
      const backend = new LocalBackend(file());
      const plan = await createPlan(context(), await backend.read());
      const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
      expect([errors, actions(plan)]).toEqual([[], {}]);
      expect(plan.changes).toMatchObject([{ address: `${to}.now`, previousAddress: `${from}.old` }]);
      expect((await applyPlan(context(), plan, backend)).diagnostics).toEqual([]);
      const [resource] = (await backend.read())!.resources;
      expect(resource).toMatchObject({ type: to, name: "now", provider: `provider["${PROVIDER_SOURCE}"]` });
      expect(resource!.instances[0]!.attributes["id"]).toBe(id);
      expect((await createPlan(context(), await backend.read())).hasChanges).toBe(false);
    },
  );

  test("if the provider does not know the old type of a moved block, the plan's error names the new address", async () => {
    writeFileSync(file(), goStateFile("other_thing", 0, { id: "x" }));
    declare("other_thing", "steward_job_token_scope", { project: "1" }, TOKEN.maintainer);
    const plan = await createPlan(context(), await new LocalBackend(file()).read());
    expect([plan.applicable, plan.diagnostics[0]?.address]).toEqual([false, "steward_job_token_scope.now"]);
  });
});
