import type { ConfiguredProvider, StoredState } from "../../src/framework/protocol/protocol";
import { createProvider } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { appliedBy, describeEvery } from "../provider/samples";
import { Host } from "../provider/support/host";
import { startWorld, type World } from "../provider/support/world";

// The tests cover the last check before a delete: it never removes a declared object, even if the plan did not know the
// declaration.

const provider = createProvider();
const kept = [{ severity: "warning", code: "still_declared" }];

let world: World;
beforeEach(async () => {
  world = await startWorld(undefined, provider);
});
afterEach(() => world.close());

const writes = () =>
  world.service.requests.all.filter(({ method }) => method !== "GET").map(({ method }) => method);

describeEvery((type, sample) => {
  let host: Host;
  let state: StoredState;
  let config: ValueObject;
  let run: ConfiguredProvider;
  const id = () => String(state.attributes["id"]);
  const end = (address?: string) =>
    run.applyResource({ type, address, prior: state, planned: undefined, config: undefined });
  const expectUntouched = async () => expect(await host.drift(state, sample.config)).toEqual([]);

  beforeEach(async () => {
    host = new Host(world, type);
    config = host.config(sample.config);
    state = await host.bring(undefined, sample.config);
    run = world.connect(appliedBy(type));
    host.expectReads([state], run);
    world.service.requests.reset();
  });

  test("if an unchanged declaration at another address manages the same object, the object's destroy sends no write", async () => {
    await run.expectChanges!([{ type, address: "steward_x.b", object: id(), planned: state }], []);
    expect(await end("steward_x.a")).toMatchObject({ diagnostics: kept });
    expect(writes()).toEqual([]);
    await expectUntouched();
  });

  test("if an object is both deposed and current at one address, the destroy of the deposed object sends no write", async () => {
    await run.expectChanges!([{ type, address: "steward_x.a", object: id(), planned: state }], []);
    expect(await end("steward_x.a")).toMatchObject({ diagnostics: kept });
    run = world.connect(appliedBy(type), { host: "terraform" });
    await run.applyResource({ type, prior: state, planned: state, config });
    expect(await run.planDestroy({ type, prior: state })).toEqual({ diagnostics: [] });
    expect(await end()).toMatchObject({ diagnostics: kept });
    expect(writes()).toEqual([]);
    await expectUntouched();
  });

  test("if a planned create at another address takes over an object, the object's destroy sends no write", async () => {
    const planned = (await run.planResource({ type, prior: undefined, config })).planned!;
    await run.expectChanges!([{ type, address: "steward_x.b", planned }], []);
    expect(await end("steward_x.a")).toMatchObject({ diagnostics: kept });
    const made = await run.applyResource({ type, address: "steward_x.b", prior: undefined, planned, config });
    expect(made.diagnostics).toEqual([]);
    expect(made.state?.attributes["id"]).toBe(id());
    expect(writes()).toEqual([]);
    await expectUntouched();
  });

  test("if the plan creates an object again at the same address, the destroy deletes the object first", async () => {
    const planned = (await run.planResource({ type, prior: undefined, config })).planned!;
    await run.expectChanges!(
      [{ type, address: "steward_x.a", planned }],
      [{ type, address: "steward_x.a", ...state }],
    );
    expect(await end("steward_x.a")).toEqual({ diagnostics: [] });
    const { diagnostics } = await run.applyResource({
      type,
      address: "steward_x.a",
      prior: undefined,
      planned,
      config,
    });
    expect(diagnostics).toEqual([]);
    expect((await host.destroy(state)).diagnostics).toEqual([]);
  });
});
