import { AccessLevel, ProjectSettings } from "../../../src/constructs";
import { FleetPlace, type Stacks } from "../support/fleet-place";

// Only an administrator's token proves that a project was deleted. For any other token, the project may have moved to a
// place that the token can't see. Without a proof, the objects of the project stay in the state until the user removes them
// with a command.

const estate = (projects: readonly string[]): Stacks => ({
  estate: (stack) => {
    for (const name of projects)
      new ProjectSettings(stack, name, {
        project: `acme/${name}`,
        inboundEnabled: true,
        allowlist: { targetProjects: [], targetGroups: [] },
        pages: { forceHttps: true },
        protectedEnvironments: {
          production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
        },
      });
  },
});

/** Declares settings of projects in two stacks. No setting needs an administrator. */
const inTwoStacks = (projects: readonly string[]): Stacks => ({
  limits: (stack) => {
    for (const name of projects)
      new ProjectSettings(stack, name, {
        project: `acme/${name}`,
        inboundEnabled: true,
        allowlist: { targetProjects: [], targetGroups: [] },
      });
  },
  environments: (stack) => {
    for (const name of projects)
      new ProjectSettings(stack, name, {
        project: `acme/${name}`,
        protectedEnvironments: Object.fromEntries(
          ["production", "staging"].map((environment) => [
            environment,
            { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
          ]),
        ),
      });
  },
});

let place: FleetPlace;
afterEach(() => place.close());

async function openWithDeletedProject(
  declarations: (projects: readonly string[]) => Stacks,
  isAdministrator: boolean,
): Promise<void> {
  place = await FleetPlace.open(["shop", "cart"], { isAdministrator });
  place.declare(declarations(["shop", "cart"]));
  await place.apply();
  const { service } = place.place;
  const confirmed = { permanently_remove: true, full_path: "acme/cart" };
  await place.place.byHand("DELETE", "/projects/2", {}, service.adminToken);
  await place.place.byHand("DELETE", "/projects/2", confirmed, service.adminToken);
}

describe("a deleted project, seen with an administrator's token", () => {
  beforeEach(() => openWithDeletedProject(estate, true));

  test("if the app still declares the objects of a deleted project, plan reports one error for all four objects", async () => {
    const { code, text } = await place.run("plan");
    expect(code).toBe(1);
    expect(text.match(/\[container_gone\]/g)).toHaveLength(1);
    expect(text.match(/\[reference_not_found\]/g)).toHaveLength(1);
    expect(text).toContain("This affects 4 objects");
  });

  test("if the app no longer declares the deleted project, apply removes the project's objects from the state", async () => {
    place.declare(estate(["shop"]));
    expect((await place.run("plan")).code).toBe(0);
    expect((await place.run("drift")).code).toBe(0);
    expect(place.addresses("estate").some((address) => address.includes("cart"))).toBe(true);
    expect(await place.apply()).toEqual([]);
    expect(place.addresses("estate").some((address) => address.includes("cart"))).toBe(false);
  });
});

describe("a deleted project, seen with the token of the group's owner", () => {
  beforeEach(() => openWithDeletedProject(inTwoStacks, false));

  /** Returns the commands in an output, without the program's name. */
  const commandsIn = (text: string): string[][] =>
    [...text.matchAll(/steward (state rm .+)/g)].map(([, words]) => words!.trim().split(" "));

  test.each([
    ["that is still declared", ["shop", "cart"]],
    ["without its declaration", ["shop"]],
  ])(
    "the error for a deleted project %s contains one state rm command for each stack",
    async (_, projects) => {
      place.declare(inTwoStacks(projects));
      const { code, text } = await place.run("plan", "--no-color");
      expect(code).toBe(1);
      expect(text.replaceAll(/\s*\n│? */g, " ")).toContain(
        "The service responds with 404 for the project acme/cart: it was deleted, or this token can't see it, for example after a move.",
      );
      expect(text).toContain("delete their declarations and remove them from the state");
      const commands = commandsIn(text);
      expect(commands).toHaveLength(2);
      place.declare(inTwoStacks(["shop"]));
      for (const words of commands) {
        expect(words.filter((word) => word.startsWith("steward_"))).toHaveLength(2);
        expect((await place.run(...words)).code).toBe(0);
      }
      expect((await place.run("plan")).text).toContain("no changes");
      expect((await place.run("drift")).code).toBe(0);
    },
  );

  test("if the app no longer declares the deleted project, drift succeeds and checks the other projects", async () => {
    place.declare(inTwoStacks(["shop"]));
    const { code, text } = await place.run("drift");
    expect(code).toBe(0);
    expect(text).toContain("4 objects checked");
  });
});
