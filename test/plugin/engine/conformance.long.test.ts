import type { ValueObject } from "../../../src/schema";
import { containerOf, expectGone, placed, SAMPLES, varied } from "../../provider/samples";
import { numbers } from "../../provider/support/crowd";
import { ownPath, withOwnPlaces } from "../../provider/support/own-places";
import { startWorld, TOKEN, type World } from "../../provider/support/world";
import { describeWith, runs, seed } from "../../support/capabilities";
import { TYPES } from "../support/declarations";
import { ReattachedWorkspace } from "../support/reattached-workspace";

// The tests run the conformance suite of the provider under a real engine. Each command handles one object of every
// resource. Each object is in a separate project or group.

jest.setTimeout(240_000);

const placeOf = (type: string) => `/${containerOf(type)}s/${encodeURIComponent(ownPath(type))}`;
const attributesOf = (type: string) =>
  Object.keys(SAMPLES[type]!.config).filter((name) => name !== containerOf(type));
const changesOf = (type: string) => Object.entries(SAMPLES[type]!.byHand);

/**
 * Returns the rounds to run. Each round makes one change of each resource. `npm test` runs some of the rounds, and the soak
 * runs all. The provider's own suite always makes all changes.
 */
function rounds(of: (type: string) => readonly unknown[]): readonly number[] {
  const most = Math.max(...TYPES.map((type) => of(type).length));
  const count = runs(2, most);
  return numbers(count).map((index) => (index + seed) % most);
}
/**
 * Returns the change of a resource for a round. After its last change, a resource starts again with its first change.
 */
const inRound = <T>(all: readonly T[], round: number): T | undefined => all[round % all.length];

describeWith("engine", "conformance under a real engine", (engine) => {
  let world: World;
  let workspace: ReattachedWorkspace;

  const declare = (configOf: (type: string) => ValueObject = (type) => SAMPLES[type]!.config): void => {
    const resource = TYPES.map((type) => [type, { this: placed(type, ownPath(type), configOf(type)) }]);
    const provider = { steward: { base_url: world.service.url, token: TOKEN.administrator } };
    workspace.write("main.tf.json", JSON.stringify({ provider, resource: Object.fromEntries(resource) }));
  };
  const expectActions = async (of: (type: string) => readonly string[] | undefined, ...words: string[]) => {
    const expected = TYPES.flatMap((type) => {
      const actions = of(type);
      return actions === undefined ? [] : [[`${type}.this`, actions]];
    });
    expect(await workspace.actions(...words)).toEqual(Object.fromEntries(expected));
  };
  const applied = async () => {
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);
  };

  beforeAll(async () => {
    world = await startWorld(withOwnPlaces());
    workspace = await ReattachedWorkspace.open(engine, [world.provider]);
    declare();
    await applied();
  });
  afterAll(async () => {
    await workspace.close();
    await world.close();
  });

  test("with -replace, the plan deletes every resource and creates it again", () =>
    expectActions(() => ["delete", "create"], ...TYPES.map((type) => `-replace=${type}.this`)));

  test.each(rounds(attributesOf))(
    "if one attribute of every resource changes, apply makes these changes (round %i)",
    async (round) => {
      const changed = (type: string) => inRound(attributesOf(type), round)!;
      declare((type) => varied(SAMPLES[type]!, changed(type)));
      await expectActions((type) =>
        world.provider.schema.resources[type]!.attributes[changed(type)]!.text.replaces === true
          ? ["delete", "create"]
          : ["update"],
      );
      await applied();
      declare();
      await workspace.apply();
    },
  );

  test.each(rounds(changesOf))(
    "after a manual change, apply repairs every resource (round %i)",
    async (round) => {
      for (const type of TYPES) await inRound(changesOf(type), round)?.[1](world.http, placeOf(type));
      await expectActions((type) => (changesOf(type).length === 0 ? undefined : ["update"]));
      await applied();
    },
  );

  test("apply creates every manually deleted resource again", async () => {
    const deletes = (type: string) => {
      const { deleteByHand } = SAMPLES[type]!;
      return typeof deleteByHand === "function" ? deleteByHand : undefined;
    };
    for (const type of TYPES) await deletes(type)?.(world.http, placeOf(type));
    await expectActions((type) => (deletes(type) === undefined ? undefined : ["create"]));
    await applied();
  });

  test("destroy deletes every resource", async () => {
    await workspace.succeed("destroy", "-auto-approve");
    for (const type of TYPES) await expectGone(type, world.http, placeOf(type));
  });
});
