import { Aspects } from "cdktf";
import {
  AccessLevel,
  ContainerAccessLevel,
  Fleet,
  type FleetBaseline,
  type FleetConfig,
  type FleetLayer,
  type FleetLayerSettings,
  inboundLimitOn,
  ProjectPolicy,
  requiredApprovals,
} from "../../src/constructs";
import { createProvider } from "../../src/provider";
import { saidBy, stackOf } from "./support/annotations";
import { synthesized } from "./support/synthesized";

const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];
const production = {
  deployAccessLevels,
  approvalRules: [{ accessLevel: AccessLevel.MAINTAINER, requiredApprovals: 2 }],
};
const CONFIG: FleetConfig = {
  projects: { group: "acme" },
  baseline: { inboundEnabled: true, protectedEnvironments: { production } },
};
const fleet = (config: object) =>
  synthesized((stack) => void new Fleet(stack, "acme", { ...CONFIG, ...config } as FleetConfig));
const warningsOf = (config: Partial<FleetConfig>) =>
  saidBy((app) => void new Fleet(stackOf(app, "shop"), "acme", { ...CONFIG, ...config }));
type Row = Record<string, unknown> & { protected_environments: Record<string, unknown> };
type Table = Record<string, Row>;
const table = (config: object) => {
  const { locals } = fleet(config) as { locals?: Record<string, Table> };
  return Object.entries(locals!).find(([name]) => name.startsWith("acme_layers"))![1];
};

describe("Fleet", () => {
  it("a fleet writes the merged settings of each layer, with null for unmanaged settings", () => {
    const rows = table({
      layers: [
        {
          where: "acme/Web/shop",
          settings: { protectedEnvironments: { production: { deployAccessLevels: [{ user: "ada" }] } } },
        },
        {
          where: "acme/web",
          settings: {
            inboundEnabled: Fleet.unmanaged,
            protectedEnvironments: {
              production: { approvalRules: Fleet.unmanaged },
              staging: { deployAccessLevels },
            },
          },
        },
        { where: "acme/web/shop/sub", settings: { protectedEnvironments: Fleet.unmanaged } },
      ],
    });
    expect(Object.keys(rows)).toEqual(["", "acme/web", "acme/web/shop", "acme/web/shop/sub"]);
    const shop = rows["acme/web/shop"]!;
    expect(shop["inbound_enabled"]).toBeNull();
    expect(shop.protected_environments["production"]).toEqual({
      deploy_access_levels: [{ user: "ada", group: null, access_level: null, group_inheritance_type: null }],
      approval_rules: null,
    });
    expect(shop.protected_environments["staging"]).toEqual(
      rows["acme/web"]!.protected_environments["staging"],
    );
    expect(rows[""]!.protected_environments["staging"]).toBeNull();
    expect(rows["acme/web/shop/sub"]!.protected_environments).toEqual({ production: null, staging: null });
  });

  it.each<[string, FleetLayerSettings, string | undefined]>([
    ["a mistyped environment", { protectedEnvironments: { prodution: Fleet.unmanaged } }, "production"],
    [
      "an attribute",
      { protectedEnvironments: { production: { approvalRules: Fleet.unmanaged } } },
      undefined,
    ],
    ["all of a kind", { invitations: Fleet.unmanaged }, undefined],
    ["an attribute of an object without a key", { pages: { forceHttps: Fleet.unmanaged } }, undefined],
  ])(
    "a fleet warns about a layer that drops a setting which no layer above declares: %s",
    (_, settings, near) => {
      const baseline = {
        inboundEnabled: true,
        protectedEnvironments: { production: { deployAccessLevels } },
      };
      const said = warningsOf({ baseline, layers: [{ where: "acme/web", settings }] });
      expect(said).toEqual([
        expect.stringContaining("which no layer above it declares, so it drops nothing"),
      ]);
      if (near !== undefined) expect(said[0]).toContain(`Did you mean "${near}"?`);
    },
  );

  it("a fleet does not warn about a layer that drops a setting of the baseline or of a layer above", () => {
    const layers: readonly FleetLayer[] = [
      { where: "acme/web", settings: { protectedEnvironments: { staging: { deployAccessLevels } } } },
      {
        where: "acme/web/shop",
        settings: {
          inboundEnabled: Fleet.unmanaged,
          protectedEnvironments: { staging: Fleet.unmanaged, production: { approvalRules: Fleet.unmanaged } },
        },
      },
      { where: "acme/web/cart", settings: { protectedEnvironments: Fleet.unmanaged } },
    ];
    expect(warningsOf({ layers })).toEqual([]);
  });

  it("in the stack of a fleet, each resource declares every attribute of the schema that is not computed", () => {
    const { resources } = createProvider().schema;
    for (const [type, named] of Object.entries(fleet({}).resource!)) {
      const settable = Object.entries(resources[type]!.attributes).filter(
        ([, one]) => one.presence !== "computed",
      );
      expect(Object.keys(Object.values(named)[0]!)).toEqual(
        expect.arrayContaining(settable.map(([name]) => name)),
      );
    }
  });

  it("Fleet.merge returns the settings that a fleet with the same layers declares for a project", () => {
    const rule = { minimumAccessLevelForPush: ContainerAccessLevel.OWNER };
    const baseline: FleetBaseline = {
      ...CONFIG.baseline,
      allowlist: { targetProjects: ["acme/tools"], targetGroups: [] },
      containerProtectionRules: { "{project}/release*": rule, "{project}/*": rule },
    };
    expect(
      Fleet.merge("acme/web", baseline, [
        { allowlist: { targetProjects: [] }, containerProtectionRules: { "acme/web/*": Fleet.unmanaged } },
        { inboundEnabled: Fleet.unmanaged, protectedEnvironments: { staging: { deployAccessLevels } } },
      ]),
    ).toEqual({
      project: "acme/web",
      allowlist: { targetProjects: [], targetGroups: [] },
      protectedEnvironments: { production, staging: { deployAccessLevels } },
      containerProtectionRules: { "acme/web/release*": rule },
    });
    expect(Fleet.merge("acme/web", baseline, [{ allowlist: Fleet.unmanaged }])).not.toHaveProperty(
      "allowlist",
    );
    const staging = { protectedEnvironments: { staging: { approvalRules: [] } } };
    expect(() => Fleet.merge("acme/web", baseline, [staging])).toThrow(
      /^acme\/web: layer 1: .*staging.* has no deployAccessLevels/,
    );
    expect(() => Fleet.merge("acme/web", baseline, [{ inboundEnabled: undefined! }])).toThrow(
      "acme/web: layer 1: inboundEnabled is undefined.",
    );
  });

  const rejected: [string, object, RegExp][] = [
    [
      "undefined in a layer",
      { layers: [{ where: "acme/web", settings: { inboundEnabled: undefined } }] },
      /The layer "acme\/web" \(.*fleet.test.ts:\d+\): inboundEnabled is undefined.*Fleet.unmanaged/,
    ],
    [
      "undefined deep in the baseline",
      { baseline: { protectedEnvironments: { production: undefined } } },
      /baseline: protectedEnvironments.production is undefined/,
    ],
    [
      "a mistyped setting",
      { layers: [{ where: "acme/web", settings: { inboundEnable: true } }] },
      /has no key "inboundEnable"/,
    ],
    [
      "a mistyped attribute",
      { baseline: { protectedEnvironments: { production: { deployAccessLevel: [] } } } },
      /has no key "deployAccessLevel"/,
    ],
    [
      "two layers with one path",
      {
        layers: [
          { where: "acme/a", settings: {} },
          { where: "acme/A", settings: {} },
        ],
      },
      /"acme\/A".* is declared twice/,
    ],
    ["a pattern as path", { layers: [{ where: "acme/*/", settings: {} }] }, /where must be the full path/],
    [
      "an environment without deployers",
      { layers: [{ where: "acme/a", settings: { protectedEnvironments: { staging: {} } } }] },
      /staging.* has no deployAccessLevels for acme\/a/,
    ],
    ["an invalid date", { layers: [{ where: "acme/a", settings: {}, until: "soon" }] }, /until is "soon"/],
    [
      "a list that depends on a resource",
      { projects: { group: "${steward_thing.a.id}" } },
      /contains a reference/,
    ],
    ["a key that can't be part of an address", { projects: { "a:b": "acme/web" } }, /has the entry "a:b"/],
    [
      "a layer with a value that is looser than the floor",
      {
        layers: [{ where: "acme/legacy", settings: { inboundEnabled: false } }],
        floor: { inboundEnabled: true },
      },
      /The layer "acme\/legacy" \(.*fleet.test.ts:\d+\) sets false for inboundEnabled of acme\/legacy, and the floor is true: it is looser/,
    ],
    [
      "a layer that drops a setting of the floor",
      {
        layers: [{ where: "acme/legacy", settings: { inboundEnabled: Fleet.unmanaged } }],
        floor: { inboundEnabled: true },
      },
      /inboundEnabled of acme\/legacy, and the floor is true/,
    ],
    [
      "a layer with more deployers than the floor",
      {
        layers: [
          {
            where: "acme/a",
            settings: {
              protectedEnvironments: { production: { deployAccessLevels: [{ accessLevel: 30 }] } },
            },
          },
        ],
        floor: { protectedEnvironments: { production: { deployAccessLevels } } },
      },
      /protectedEnvironments.production.deployAccessLevels of acme\/a/,
    ],
  ];
  it.each(rejected)("a fleet refuses %s", (_, config, message) => {
    expect(() => fleet(config)).toThrow(message);
  });

  it("if the date in a layer's `until` has passed, a fleet ignores the layer and warns", () => {
    const layers = [{ where: "acme/a", settings: { inboundEnabled: false }, until: "2020-01-01" }];
    expect(Object.keys(table({ layers }))).toEqual([""]);
    expect(saidBy((app) => void new Fleet(stackOf(app, "shop"), "acme", { ...CONFIG, layers }))).toEqual([
      expect.stringMatching(/^warn shop\/acme: The layer "acme\/a".* expired on 2020-01-01/),
    ]);
  });

  it("the error of a policy violation in a layer of a fleet contains the layer's group or project", () => {
    const said = saidBy((app) => {
      Aspects.of(app).add(
        new ProjectPolicy({
          rules: [inboundLimitOn(), requiredApprovals({ environment: "production", atLeast: 2 })],
        }),
      );
      new Fleet(stackOf(app, "shop"), "acme", {
        ...CONFIG,
        layers: [{ where: "acme/legacy", settings: { inboundEnabled: false } }],
      });
    });
    expect(said).toEqual([
      expect.stringMatching(
        /^error shop\/acme\/job-token-scope: Policy "inbound limit on", project acme\/legacy: inboundEnabled is false/,
      ),
    ]);
  });
});
