import { Fleet, type FleetConfig } from "../../../src/constructs";
import { FleetPlace } from "../support/fleet-place";

// If a selector of a fleet matches no project, the strictest settings may be missing unnoticed. The tests check that
// Steward reports this selector.

const FLEET: FleetConfig = {
  projects: { group: "acme", topics: ["service"] },
  baseline: { inboundEnabled: true },
};
const RESET = { inboundEnabled: false };
const fleet = (config: Partial<FleetConfig>) => (stack: ConstructorParameters<typeof Fleet>[0]) => {
  new Fleet(stack, "acme", { ...FLEET, ...config });
};

let place: FleetPlace;
beforeEach(async () => {
  place = await FleetPlace.open(["shop", "cart"]);
});
afterEach(() => place.close());

const declare = (config: Partial<FleetConfig>) => place.declare({ estate: fleet(config) });
const layer = (where: string, rest: object = {}) => ({ layers: [{ where, settings: RESET, ...rest }] });
const selecting = (projects: object) => ({ projects: { group: "acme", ...projects } });

const turnLimitOff = () =>
  place.place.byHand(
    "PATCH",
    "/projects/1/job_token_scope",
    { enabled: false },
    place.place.service.adminToken,
  );

describe("plan reports an error for a selector that matches no project, and still plans the projects", () => {
  test.each([
    [
      "a layer",
      layer("acme/shpo"),
      'The layer "acme/shpo" of the fleet estate/acme applies to no project of the fleet. Did you mean "acme/shop"?',
    ],
    [
      "a topic",
      selecting({ topics: ["service", "servce"] }),
      'No project in the group acme has the topic "servce", which the fleet estate/acme selects. Did you mean "service"?',
    ],
    [
      "a path of except",
      selecting({ except: ["acme/crat"] }),
      'The fleet estate/acme leaves out "acme/crat", and no project in the group acme has such a path. Did you mean "acme/cart"?',
    ],
    [
      "a layer over a list",
      { projects: ["acme/shop"], ...layer("acme/cart") },
      'The layer "acme/cart" of the fleet estate/acme applies to no member of the fleet.',
    ],
  ] satisfies [string, Partial<FleetConfig>, string][])(
    "%s that matches no project is an error, but plan still plans the fleet's projects",
    async (_, config, detail) => {
      declare(config);
      for (const words of [["plan"], ["plan", "--project", "acme/shop"], ["plan", "--shard", "1/2"]]) {
        const { code, text } = await place.run(...words, "--no-color");
        expect(code).toBe(1);
        expect(unwrapped(text)).toContain(detail);
      }
      expect((await place.run("plan")).text).toContain("Plan: ");
    },
  );

  test("if a selector matches no project, apply fails and writes nothing", async () => {
    declare(layer("acme/shpo"));
    const before = place.requestCount;
    const { code, text } = await place.run("apply", "--auto-approve");
    expect(code).toBe(1);
    expect(text).toContain("selector_unmatched");
    expect(place.writesSince(before)).toEqual([]);
  });

  test("if a selector matches no project, drift reports an error, and also the drift of the projects", async () => {
    declare({});
    await place.apply();
    await turnLimitOff();
    declare(layer("acme/shpo"));
    const { code, text } = await place.run("drift");
    expect(code).toBe(1);
    expect(text).toContain("selector_unmatched");
    expect(text).toContain("inbound_enabled");
  });
});

test("the configuration's precondition and check report an unmatched selector with the same text as Steward", async () => {
  declare({
    ...layer("acme/shpo"),
    ...selecting({ topics: ["service", "servce"], except: ["acme/crat", "acme/sandbox/*"] }),
  });
  const ofEngine = unwrapped((await place.run("plan", "--no-color")).text);
  // Without the metadata of the fleet, the engine runs the checks in the configuration, as Terraform does.
  place.withoutSelectorNotes("estate");
  const ofTerraform = unwrapped((await place.run("plan", "--no-color")).text);
  for (const message of [
    'The layer "acme/shpo" of the fleet estate/acme applies to no project of the fleet. Did you mean "acme/shop"? Correct the path, or remove the layer. If it is for later, set allowEmpty: true in the layer.',
    'The fleet estate/acme leaves out "acme/crat", and no project in the group acme has such a path. Did you mean "acme/cart"? Correct the text, or remove it. If it is for later, set allowEmpty: true in the selection of the fleet.',
    'No project in the group acme has the topic "servce", which the fleet estate/acme selects.',
    'The fleet estate/acme leaves out "acme/sandbox/*", and no project in the group acme has such a path. Correct the text',
  ])
    expect([ofEngine.split(message).length, ofTerraform.split(message).length]).toEqual([2, 3]);
  expect(ofTerraform).toContain("Output precondition failed");
  expect(ofTerraform).toContain("Warning: Check failed [condition_failed]");
  expect(ofEngine).not.toContain("failed");
});

describe("plan --project reports an error for a path that matches nothing, and still plans the other paths", () => {
  test.each([
    ["a pattern", "acme/sho p*", undefined],
    [
      "a mistyped pattern",
      "acme/shpo*",
      'The service has no path that matches "acme/shpo*". Correct the path, or remove it. Did you mean "acme/shop*"?',
    ],
    ["a mistyped path", "acme/shpo", 'Did you mean "acme/shop"?'],
    ["a path without a group", "shpo", '"shpo" can\'t be found with this token (404).'],
  ])(
    "with %s that matches nothing, plan --project fails but still plans the other path",
    async (_, pattern, detail = "selector_unmatched") => {
      declare({});
      const { code, text } = await place.run("plan", "--project", pattern, "--project", "acme/cart");
      expect(code).toBe(1);
      expect(unwrapped(text)).toContain(detail);
      expect(unwrapped(text)).toContain("A selected path matches nothing [selector_unmatched]");
      expect(text).toContain("Plan: 1 to add");
      const before = place.requestCount;
      expect(
        (await place.run("apply", "--auto-approve", "--project", pattern, "--project", "acme/cart")).code,
      ).toBe(1);
      expect(place.writesSince(before)).toEqual([]);
    },
  );

  test("if one path of --project matches nothing, drift reports an error and the drift of the other path", async () => {
    declare({});
    await place.apply();
    await turnLimitOff();
    const { code, text } = await place.run("drift", "--project", "acme/shpo*", "--project", "acme/shop");
    expect(code).toBe(1);
    expect(text).toContain("selector_unmatched");
    expect(text).toContain("inbound_enabled");
  });
});

describe("plan --target reports an error for an address that names nothing, and still plans the other addresses", () => {
  test("if one of two --target addresses does not exist, plan and drift still cover the other address", async () => {
    declare({});
    const [shop] = await place.changing([]);
    const { code, text } = await place.run(
      "plan",
      "--target",
      shop!,
      "--target",
      shop!.replace("scope", "scpoe"),
    );
    expect(code).toBe(1);
    expect(text).toContain("unknown_target");
    expect(unwrapped(text)).toContain("Did you mean");
    expect(text).toContain("Plan: 1 to add");
    await place.apply();
    await turnLimitOff();
    const drift = await place.run("drift", "--target", shop!, "--target", "steward_pages.none");
    expect(drift.code).toBe(1);
    expect(drift.text).toContain("unknown_target");
    expect(drift.text).toContain("inbound_enabled");
    const before = place.requestCount;
    await place.run("apply", "--auto-approve", "--target", shop!, "--target", "steward_pages.none");
    expect(place.writesSince(before)).toEqual([]);
  });
});

describe("plan reports no error for a selector that is allowed to match nothing", () => {
  test.each([
    ["a layer with allowEmpty", layer("acme/later", { allowEmpty: true })],
    ["a topic with allowEmpty", selecting({ topics: ["service", "tool"], allowEmpty: true })],
    ["a path of except with allowEmpty", selecting({ except: ["acme/later"], allowEmpty: true })],
    ["nothing", { ...layer("acme/shop"), ...selecting({ topics: ["service"], except: ["ACME/cart"] }) }],
  ] satisfies [string, Partial<FleetConfig>][])(
    "plan reports no unmatched selector for %s",
    async (_, config) => {
      declare(config);
      const { code, text } = await place.run("plan");
      expect(code).toBe(0);
      expect(text).not.toContain("selector_unmatched");
    },
  );

  test("plan gives a warning, not an error, for a pattern in `except` that matches no project", async () => {
    declare(selecting({ except: ["acme/sandbox/*"] }));
    const { code, text } = await place.run("plan");
    expect(code).toBe(0);
    expect(text).toMatch(/Warning: A selector of a fleet matches no project \[selector_unmatched\]/);
  });
});

describe("a layer whose only project has left", () => {
  test("if a layer's only project leaves the fleet, plan gives a warning until the next apply", async () => {
    declare(layer("acme/shop"));
    await place.apply();
    expect(place.held("estate")[0]?.fleet).toMatchObject({ matched: ["layer acme/shop", "topic service"] });
    await place.setTopics("shop", []);
    const { code, text } = await place.run("plan", "--allow-leaving", "1");
    expect(code).toBe(0);
    expect(text).toContain("Warning: A selector of a fleet matches no project");
    await place.apply("--allow-leaving", "1");
    expect((await place.run("plan")).code).toBe(1);
  });

  test("if an older release wrote the state, a layer that matches no project causes a warning instead of an error", async () => {
    declare({});
    await place.apply();
    place.forgetMatches("estate");
    declare(layer("acme/left"));
    const { code, text } = await place.run("plan");
    expect(code).toBe(0);
    expect(text).toContain("Warning: A selector of a fleet matches no project");
    await place.apply();
    expect((await place.run("plan")).code).toBe(1);
  });
});

/** Returns the text of a framed message as one line. */
const unwrapped = (text: string): string => text.replaceAll(/\s*\n│? */g, " ");
