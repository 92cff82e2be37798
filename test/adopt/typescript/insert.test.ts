import { type InsertOptions, insertIntoApp, type LiveSettings } from "../../../src/adopt";
import { createProvider } from "../../../src/provider";

const { schema } = createProvider();

const OPTIONS: InsertOptions = {
  file: "main.ts",
  allSettings: false,
  includeEmails: false,
  knownEmails: {},
  constructIds: [],
};

const environment = (project: string, name: string, level = 40) => ({
  type: "steward_protected_environment",
  id: `7:${name}`,
  attributes: {
    id: `7:${name}`,
    project,
    name,
    deploy_access_levels: [{ user: null, group: null, access_level: level, group_inheritance_type: 0 }],
    approval_rules: [],
    required_approval_count: 0,
  },
  defaults: ["approval_rules"],
  isDefault: false,
});

const invitation = (email: string) => ({
  type: "steward_project_invitation",
  id: `7:${email}`,
  attributes: { id: `7:${email}`, project: "acme/web", email, access_level: 30 },
  defaults: [],
  isDefault: false,
});

const live = (...objects: LiveSettings["containers"][number]["objects"]): LiveSettings => ({
  schema,
  containers: [{ kind: "project", id: 7, path: "acme/web", objects, undeclarable: [] }],
  skipped: [],
});

const CLASS = `import { App, TerraformStack } from "cdktf";
import { JobTokenScope, StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";

class Shop extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward");   // odd   spacing stays
    new JobTokenScope(this, "limit", { project: "acme/web", inboundEnabled: true });
  }
}

const app = new App();
new Shop(app, "shop");
app.synth();
`;

const inserted = (source: string, settings: LiveSettings, options: Partial<InsertOptions> = {}) =>
  insertIntoApp(source, settings, { ...OPTIONS, ...options });

describe("adopt --into adds settings to an existing app", () => {
  it("adopt adds settings and import blocks at the end of the stack's constructor", () => {
    const { text } = inserted(CLASS, live(environment("acme/web", "production")))!;
    expect(text).toBe(
      CLASS.replace(
        "import { JobTokenScope, StewardProvider }",
        "import {\n  AccessLevel,\n  ImportBlocks,\n  JobTokenScope,\n  ProtectedEnvironment,\n  StewardProvider,\n}",
      ).replace(
        "inboundEnabled: true });\n",
        `inboundEnabled: true });

    // Live settings that this app did not declare, added by \`steward adopt\`.
    new ProtectedEnvironment(this, "acme-web-production", {
      project: "acme/web",
      name: "production",
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
    });

    // The next apply takes the live objects into the state. Delete this statement afterwards.
    new ImportBlocks(this, "adopted-imports", { "acme-web-production": "acme/web:production" });
`,
      ),
    );
  });

  it("if the stack is a variable, adopt adds settings before the line app.synth()", () => {
    const source = `import * as cdktf from "cdktf";
import { StewardProvider } from "cdktf-provider-steward";
const app = new cdktf.App();
const stack = new cdktf.TerraformStack(app, "shop");
new StewardProvider(stack, "steward");
app.synth();
`;
    const { text } = inserted(source, live(environment("acme/web", "production")))!;
    expect(text).toContain(
      'import { AccessLevel, ImportBlocks, ProtectedEnvironment, StewardProvider } from "cdktf-provider-steward";\nconst app',
    );
    expect(text).toContain(
      'new ProtectedEnvironment(stack, "acme-web-production", {\n  project: "acme/web",',
    );
    expect(text.endsWith('{ "acme-web-production": "acme/web:production" });\n\napp.synth();\n')).toBe(true);
  });

  it("adopt does not change an app that declares all settings", () => {
    expect(inserted(CLASS, live())).toBeUndefined();
    expect(
      inserted(CLASS, live({ ...environment("acme/web", "production"), isDefault: true })),
    ).toBeUndefined();
  });

  it("adopt chooses construct IDs and constant names that the app does not use yet", () => {
    const source = CLASS.replace('"limit"', '"acme-web-production"').replace(
      "const app",
      "const MAINTAINERS = 1;\nconst app",
    );
    const environments = ["production", "staging", "qa"].map((name) => environment("acme/web", name));
    const { text } = inserted(source, live(...environments), { constructIds: ["acme-web"] })!;
    expect(text).toContain('new ProjectSettings(this, "acme-web-2", {');
    expect(text).toContain("const MAINTAINERS_2 = [{ accessLevel: AccessLevel.MAINTAINER }];");
    const [single] = [inserted(source, live(environments[0]!))!];
    expect(single.text).toContain('new ProtectedEnvironment(this, "acme-web-production-2", {');
  });

  it("a second adopt adds new e-mail addresses under the next free names, such as invitee-2", () => {
    const first = inserted(CLASS, live(invitation("ada@example.com")))!;
    expect(first.emails).toEqual({ "invitee-1": "ada@example.com" });
    expect(first.text).toContain('import { App, Fn, TerraformStack, TerraformVariable } from "cdktf";');
    expect(first.text).toContain(
      'const emails = new TerraformVariable(this, "emails", { type: "map(string)" });',
    );
    const second = inserted(first.text, live(invitation("bob@example.com")), { knownEmails: first.emails! })!;
    expect(second.emails).toEqual({ "invitee-1": "ada@example.com", "invitee-2": "bob@example.com" });
    expect(second.text.match(/new TerraformVariable/g)).toHaveLength(1);
    expect(second.text).toContain('email: email("invitee-2")');
    expect(second.text).toContain('new ImportBlocks(this, "adopted-imports-2", {');
  });

  it("the lines that adopt adds have the line ends and the indentation of the file", () => {
    const tabs = CLASS.replaceAll("    ", "\t\t").replaceAll(/^ {2}/gm, "\t").replaceAll("\n", "\r\n");
    const { text } = inserted(tabs, live(environment("acme/web", "production")))!;
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(text).toContain(
      '\r\n\t\tnew ProtectedEnvironment(this, "acme-web-production", {\r\n\t\t\tproject: ',
    );
    const wide = CLASS.replaceAll(/^( +)/gm, "$1$1");
    expect(inserted(wide, live(environment("acme/web", "production")))!.text).toContain(
      '\n        new ProtectedEnvironment(this, "acme-web-production", {\n            project: ',
    );
  });

  it("if adopt can't extend an existing import of the file, it adds a separate import line", () => {
    const source = CLASS.replace(
      'import { JobTokenScope, StewardProvider } from "cdktf-provider-steward";',
      `import { JobTokenScope /* the limit */, StewardProvider } from "cdktf-provider-steward";
import type { ProjectSettingsConfig } from "cdktf-provider-steward";
import * as everything from "cdktf-provider-steward";`,
    );
    const { text } = inserted(source, live(environment("acme/web", "production")))!;
    expect(text).toContain("import { JobTokenScope /* the limit */, StewardProvider }");
    expect(text).toContain(
      'import type { Construct } from "constructs";\nimport { AccessLevel, ImportBlocks, ProtectedEnvironment } from "cdktf-provider-steward";',
    );
  });
});

describe("adopt --into for a file that adopt can't extend", () => {
  it.each([
    [
      "without a stack",
      "export const x = 1;\n",
      /a class that extends TerraformStack .* add one: constructor/,
    ],
    [
      "with several stacks",
      `${CLASS}${CLASS.slice(CLASS.indexOf("class"), CLASS.indexOf("const app")).replaceAll("Shop", "Docs")}`,
      /declares 2 stacks/,
    ],
    ["with a syntax error", "class {", /main\.ts is not valid TypeScript or JavaScript: .*\(1:6\)/],
  ])("adopt refuses a file %s, and suggests a solution", (_what, source, message) => {
    expect(() => inserted(source, live(environment("acme/web", "production")))).toThrow(message);
  });
});

describe("adopt --into for a project that a ProjectSettings declares", () => {
  const appWith = (config: string): string =>
    CLASS.replace(
      'new JobTokenScope(this, "limit", { project: "acme/web", inboundEnabled: true });',
      `new ProjectSettings(this, "web", ${config});`,
    ).replace("{ JobTokenScope, S", "{ ProjectSettings, S");
  const scope = {
    type: "steward_job_token_scope",
    id: "7",
    attributes: { id: "7", project: "acme/web", inbound_enabled: true, outbound_enabled: false },
    defaults: [],
    isDefault: false,
  };
  const objects = [scope, environment("acme/web", "production"), environment("acme/web", "review/*", 30)];
  const statement = (source: string): string =>
    /new ProjectSettings\([^;]*;/.exec(inserted(source, live(...objects))!.text)![0];

  it("adopt adds missing options, and missing keys of existing options, to the ProjectSettings", () => {
    const config = `{
      project: "acme/web",
      protectedEnvironments: {
        staging: { deployAccessLevels: [{ accessLevel: 30 }] }, // as before
      },
    }`;
    expect(statement(appWith(config))).toBe(`new ProjectSettings(this, "web", {
      project: "acme/web",
      protectedEnvironments: {
        staging: { deployAccessLevels: [{ accessLevel: 30 }] }, // as before
        production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
        "review/*": { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
      },
      inboundEnabled: true,
    });`);
    const { text } = inserted(appWith(config), live(...objects))!;
    expect(text).toContain("import { AccessLevel, ImportBlocks, ProjectSettings, StewardProvider }");
    expect(text.replace(/\s+/g, " ")).toContain(
      '{ "web/job-token-scope": "acme/web", "web/environment-production": "acme/web:production",',
    );
  });

  it("adopt adds each option on a separate line, with a comma after the last option", () => {
    expect(statement(appWith('{ project: "acme/web", pages: {} }'))).toBe(`new ProjectSettings(this, "web", {
      project: "acme/web",
      pages: {},
      inboundEnabled: true,
      protectedEnvironments: {
        production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
        "review/*": { deployAccessLevels: [{ accessLevel: AccessLevel.DEVELOPER }] },
      },
    });`);
    expect(statement(appWith('{\n      project: "acme/web"\n    }'))).toContain(
      '"acme/web",\n      inboundEnabled: true,',
    );
  });

  it("adopt preserves the comments between options", () => {
    const config = '{ project: "acme/web" /* the shop, mostly */, /* none, yet */ pages: {} /* later */ }';
    const broken = statement(appWith(config));
    expect(broken).toContain(
      '      project: "acme/web",\n      /* the shop, mostly */ /* none, yet */ pages: {},\n',
    );
    expect(broken).toContain("      }, /* later */\n    });");
    const { text } = inserted(appWith('{ project: "acme/web", pages: {} /* later */ }'), live(scope))!;
    expect(text).toContain("pages: {}, inboundEnabled: true /* later */ });");
  });

  it("adopt does not change a declaration with a spread `...`, or with a project that is not a literal", () => {
    for (const config of ['{ project: "acme/web", ...MORE }', "{ project: WEB }"])
      expect(statement(appWith(config))).toBe(`new ProjectSettings(this, "web", ${config});`);
  });
});
