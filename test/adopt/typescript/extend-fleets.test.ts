import { type FleetPlace, TypeScriptSource } from "../../../src/adopt";
import { extendFleets } from "../../../src/adopt/accept/insert";
import { createProvider } from "../../../src/provider";

const { schema } = createProvider();
const SOURCE = `import { Fleet, JobTokenScope, StewardProvider } from "cdktf-provider-steward";

new Fleet(stack, "acme", {
  projects: { group: "acme" },
  baseline: { inboundEnabled: true },
});
new JobTokenScope(stack, "legacy", { project: "old/legacy", inboundEnabled: true });
`;
const PLACE: FleetPlace = {
  line: 3,
  key: "7",
  resources: new Map([
    ["steward_protected_environment", "acme/environments"],
    ["steward_container_protection_rule", "acme/container-rules"],
  ]),
};

const environment = {
  type: "steward_protected_environment",
  id: "7:production",
  attributes: { project: "acme/web", name: "production", deploy_access_levels: [{ access_level: 40 }] },
  defaults: [],
  isDefault: false,
};
const rule = {
  type: "steward_container_protection_rule",
  id: "7:3",
  attributes: {
    ...{ project: "acme/web", repository_path_pattern: "acme/web/release*" },
    minimum_access_level_for_push: "owner",
  },
  defaults: [],
  isDefault: false,
};

const extended = (source: string, ...paths: readonly string[]) =>
  extendFleets(
    source,
    {
      schema,
      containers: paths.map((path) => {
        const objects = [environment, rule].map((one) => ({
          ...one,
          attributes: { ...one.attributes, project: path },
        }));
        return { kind: "project", id: 7, path, objects, undeclarable: [] };
      }),
      skipped: [],
    },
    {
      ...{ file: "main.ts", allSettings: false, includeEmails: false, constructIds: [] },
      fleetOf: (path) => (path.startsWith("acme/") ? PLACE : undefined),
    },
  );

describe("adopt --into for live objects in a project of a fleet", () => {
  it("for a project of a fleet, adopt writes the live objects into a new layer", () => {
    const { text, imports, containers } = extended(SOURCE, "acme/web", "old/legacy");
    expect(text).toContain(`  layers: [
    {
      where: "acme/web",
      settings: {
        protectedEnvironments: {
          production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
        },`);
    expect(text).toContain('"{project}/release*": { minimumAccessLevelForPush: ContainerAccessLevel.OWNER }');
    expect(text).toMatch(/import \{[^}]*AccessLevel,[^}]*ContainerAccessLevel/s);
    expect(imports).toEqual([
      ["acme/environments[7:production]", "acme/web:production"],
      ["acme/container-rules[7:{project}/release*]", "acme/web:3"],
    ]);
    expect(containers.map(({ objects }) => objects.length)).toEqual([0, 2]);
  });

  it("if a fleet already has a layer for a project, adopt adds no second layer", () => {
    const layered = SOURCE.replace(
      "baseline: { inboundEnabled: true },",
      'baseline: { inboundEnabled: true },\n  layers: [{ where: "acme/web", settings: { inboundEnabled: false }, reason: "mirrors" }],',
    );
    const { text, containers } = extended(layered, "acme/web", "acme/shop");
    expect(text.match(/where: "acme\/web"/g)).toHaveLength(1);
    expect(text.match(/where: "acme\/shop"/g)).toHaveLength(1);
    expect(text).toContain('reason: "mirrors"');
    expect(containers.flatMap(({ objects }) => objects)).toEqual([]);
  });

  it("if the layers of a fleet are not literals in the file, adopt does not change the fleet", () => {
    const elsewhere = SOURCE.replace("  baseline:", "  layers: LAYERS,\n  baseline:");
    const { text, containers } = extended(elsewhere, "acme/web");
    expect(text).toBe(elsewhere);
    expect(containers[0]!.objects).toHaveLength(2);
  });
});

it("after drift --accept adds lines to a file, original line numbers still lead to the right declarations", () => {
  const source = new TypeScriptSource(SOURCE, "main.ts");
  const value = {
    ...{ type: "steward_job_token_scope", attribute: "inbound_enabled", declared: true, live: false },
    schema: schema.resources["steward_job_token_scope"]!.attributes["inbound_enabled"]!,
    ...{ object: {}, objects: 1 },
  };
  const fleet = { where: "acme/web", key: undefined, reason: "incident 12" };
  expect(source.accept({ ...value, line: 3, fleet })).toBeUndefined();
  expect(source.accept({ ...value, line: 7 })).toBeUndefined();
  expect(source.text).toContain('{ project: "old/legacy", inboundEnabled: false }');
});
