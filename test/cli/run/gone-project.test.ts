import { AccessLevel, ProjectSettings } from "../../../src/constructs";
import { FleetPlace, type Stacks } from "../support/fleet-place";

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

let place: FleetPlace;
beforeEach(async () => {
  place = await FleetPlace.open(["shop", "cart"]);
  place.declare(estate(["shop", "cart"]));
  await place.apply();
  const { service } = place.place;
  const confirmed = { permanently_remove: true, full_path: "acme/cart" };
  await place.place.byHand("DELETE", "/projects/2", {}, service.adminToken);
  await place.place.byHand("DELETE", "/projects/2", confirmed, service.adminToken);
});
afterEach(() => place.close());

test("a deleted project that is still declared is an error, once for its four objects", async () => {
  const { code, text } = await place.run("plan");
  expect(code).toBe(1);
  expect(text.match(/\[container_gone\]/g)).toHaveLength(1);
  expect(text.match(/\[reference_not_found\]/g)).toHaveLength(1);
  expect(text).toContain("This affects 4 objects");
});

test("without its declaration, plan and drift succeed, and the next apply forgets its objects", async () => {
  place.declare(estate(["shop"]));
  expect((await place.run("plan")).code).toBe(0);
  expect((await place.run("drift")).code).toBe(0);
  expect(place.addresses("estate").some((address) => address.includes("cart"))).toBe(true);
  expect(await place.apply()).toEqual([]);
  expect(place.addresses("estate").some((address) => address.includes("cart"))).toBe(false);
});
