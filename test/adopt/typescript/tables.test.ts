import { type LiveSettings, writeTypeScriptApp } from "../../../src/adopt";
import { createProvider } from "../../../src/provider";

const { schema } = createProvider();

interface Live {
  readonly limit?: boolean;
  readonly deployers?: readonly object[];
  /** The number of approvals for production; 0 means no rule. */
  readonly approvals?: number;
  readonly hasStaging?: boolean;
  readonly https?: boolean;
}
const level = (access_level: number) => ({
  user: null,
  group: null,
  access_level,
  group_inheritance_type: 0,
});
const group = { user: null, group: "acme/leads", access_level: null, group_inheritance_type: 0 };

type Objects = LiveSettings["containers"][number]["objects"];

function objectsOf(
  project: string,
  id: number,
  { limit = true, deployers = [level(40)], approvals = 1, hasStaging = true, https = false }: Live,
): Objects {
  const environment = (name: string, deploy_access_levels: readonly object[], rules: number) => ({
    type: "steward_protected_environment",
    id: `${id}:${name}`,
    attributes: {
      ...{ id: `${id}:${name}`, project, name, deploy_access_levels },
      approval_rules: rules === 0 ? [] : [{ ...group, required_approvals: rules }],
    },
    defaults: rules === 0 ? ["approval_rules"] : [],
    isDefault: false,
  });
  const all = [
    {
      type: "steward_job_token_scope",
      id: `${id}`,
      attributes: { id: `${id}`, project, inbound_enabled: limit },
      defaults: [],
      isDefault: false,
    },
    {
      type: "steward_pages_settings",
      id: `${id}`,
      attributes: {
        id: `${id}`,
        project,
        unique_domain_enabled: false,
        force_https: https,
        primary_domain: "",
      },
      defaults: ["unique_domain_enabled", "primary_domain", ...(https ? ["force_https"] : [])],
      isDefault: https,
    },
    environment("production", deployers, approvals),
    ...(hasStaging ? [environment("staging", [level(30)], 0)] : []),
  ];
  return all as unknown as Objects;
}

/** Returns the app for some projects, without blank lines. */
const written = (...projects: readonly Live[]): string => {
  const containers = projects.map((live, at) => {
    const path = `acme/p${at}`;
    return { kind: "project", id: at + 1, path, objects: objectsOf(path, at + 1, live), undeclarable: [] };
  });
  const files = writeTypeScriptApp(
    { schema, containers, skipped: [] },
    { name: "acme", dependencies: {}, allSettings: false, includeEmails: false },
  );
  return files.find(({ path }) => path === "main.ts")!.text;
};

describe("projects with mostly equal settings", () => {
  const usual: Live = {};
  const leads = { deployers: [level(40), group] };

  it.each<[string, Live, readonly string[]]>([
    ["the deployers", leads, ["PRODUCTION_BY_MAINTAINERS_AND_LEADS"]],
    ["the number of approvals", { approvals: 2 }, ["PRODUCTION_WITH_2_APPROVALS"]],
    ["no approval", { approvals: 0 }, ["PRODUCTION_WITHOUT_APPROVAL"]],
    ["a missing environment", { hasStaging: false }, ["NO_STAGING"]],
    [
      "the deployers and the number of approvals",
      { ...leads, approvals: 2 },
      ["PRODUCTION_BY_MAINTAINERS_AND_LEADS", "PRODUCTION_WITH_2_APPROVALS"],
    ],
    [
      "no approval and a missing environment",
      { approvals: 0, hasStaging: false },
      ["PRODUCTION_WITHOUT_APPROVAL", "NO_STAGING"],
    ],
  ])(
    "if two projects share differences from the baseline, each difference becomes one named layer: %s",
    (_, live, layers) => {
      const text = written(usual, usual, usual, live, live);
      for (const project of ["acme/p3", "acme/p4"])
        expect(text).toContain(`"${project}": [${layers.join(", ")}],`);
      for (const name of layers) expect(text.split(`const ${name}: FleetLayerSettings = {`)).toHaveLength(2);
    },
  );

  it("an environment that two projects have in addition to the baseline becomes one named layer", () => {
    const lacking: Live = { hasStaging: false };
    const text = written(lacking, lacking, lacking, usual, usual);
    for (const project of ["acme/p3", "acme/p4"])
      expect(text).toContain(`"${project}": [PLUS_STAGING_BY_DEVELOPERS],`);
  });

  it("a setting that differs in only one project becomes an unnamed layer in the row of this project", () => {
    const text = written(usual, usual, usual, leads, { ...leads, limit: false });
    expect(text).toContain('"acme/p4": [{ inboundEnabled: false }, PRODUCTION_BY_MAINTAINERS_AND_LEADS],');
    expect(written(usual, usual, usual, { approvals: 2 })).not.toContain("PRODUCTION_");
  });

  it("if a project has one more setting than the baseline, the project's row declares only this setting", () => {
    expect(written(usual, usual, usual, { https: true })).toContain(
      '"acme/p3": [{ pages: { forceHttps: true } }],',
    );
  });

  it("adopt declares three equal projects in one loop", () => {
    const text = written(usual, leads, { approvals: 2 });
    expect(text).not.toContain("BASELINE");
    expect(text.match(/new ProjectSettings/g)).toHaveLength(3);
    expect(written(usual, usual, usual).match(/new ProjectSettings/g)).toHaveLength(1);
  });
});

describe("invitations to a group", () => {
  /** Returns the app of a group with one invitation for each level. */
  const invited = (levels: readonly number[], includeEmails = false): string => {
    const objects = levels.map((access_level, at) => {
      const email = `person-${at}@example.com`;
      const attributes = { id: `7:${email}`, group: "acme", email, access_level, expires_at: null };
      return {
        type: "steward_group_invitation",
        id: `7:${email}`,
        attributes,
        defaults: [],
        isDefault: false,
      };
    }) as unknown as Objects;
    const container = { kind: "group", id: 7, path: "acme", objects, undeclarable: [] };
    const files = writeTypeScriptApp(
      { schema, containers: [container], skipped: [] },
      { name: "acme", dependencies: {}, allSettings: false, includeEmails },
    );
    return files.find(({ path }) => path === "main.ts")!.text;
  };
  const levels = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 30 : 40));

  it("1,400 invitations to a group become the rows of one table", () => {
    const text = invited(levels(1400));
    expect(text.split("new GroupInvitation(")).toHaveLength(2);
    expect(text).toContain('      new GroupInvitation(this, id, { group: "acme", ...own });');
    const row = (id: number, level: string) =>
      `      { id: "acme-invitee-${id}", email: email("invitee-${id}"), accessLevel: AccessLevel.${level} },\n`;
    expect(text).toContain(row(1, "DEVELOPER") + row(2, "MAINTAINER"));
    expect(text).toContain(row(1400, "MAINTAINER"));
  });

  it("an access level that all 20 invitations share is written once, outside of the rows", () => {
    const text = invited(levels(20).fill(30));
    expect(text).toContain('{ group: "acme", accessLevel: AccessLevel.DEVELOPER, ...own }');
    expect(text).toContain('{ id: "acme-invitee-20", email: email("invitee-20") },\n');
  });

  it("with includeEmails, the rows contain the e-mail addresses", () => {
    expect(invited(levels(9).fill(30), true)).toContain(
      '      { id: "acme-invitation-person-8-example-com", email: "person-8@example.com" },\n',
    );
  });

  it("each of seven invitations to a group becomes a separate statement", () => {
    expect(invited(levels(7)).split("new GroupInvitation(")).toHaveLength(8);
  });
});
