import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import { type TypeScriptAppOptions, writeTypeScriptApp } from "../../../src/adopt";
import { createProvider } from "../../../src/provider";
import { startWorld } from "../../provider/support/world";
import { alike } from "../groups/alike";
import { odd } from "../groups/odd";
import { webShop } from "../groups/web-shop";
import { liveSettings } from "../support/adopted";

const OPTIONS: TypeScriptAppOptions = {
  name: "",
  dependencies: { "cdktf-provider-steward": "^1.2.3" },
  allSettings: false,
  includeEmails: false,
};

const GROUPS: readonly [folder: string, fixture: FixtureInput, options: TypeScriptAppOptions][] = [
  ["web-shop", webShop, { ...OPTIONS, name: "shop" }],
  ["odd", odd, { ...OPTIONS, name: "odd", includeEmails: true }],
];

const written = async (
  fixture: FixtureInput,
  options: TypeScriptAppOptions,
): Promise<Map<string, string>> => {
  const world = await startWorld(fixture);
  try {
    const files = writeTypeScriptApp(await liveSettings(world, options.name), options);
    return new Map(files.map((file) => [file.path, file.text]));
  } finally {
    await world.close();
  }
};

/**
 * Compares a file with its golden file. UPDATE_GOLDEN=1 rewrites the golden file: review the git diff as the app's
 * owner would.
 */
function expectGolden(folder: string, name: string, text: string | undefined): void {
  const file = path.join(__dirname, "..", "golden", folder, name);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text ?? "");
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}

// `npm run check` also runs Biome and the compiler on the files in golden/.
it.each(GROUPS)(
  "adopt of the group %s writes the files recorded in golden, and no others",
  async (folder, fixture, options) => {
    const files = await written(fixture, options);
    const sources = [...files.keys()].filter((name) => name.endsWith(".ts"));
    for (const name of sources) expectGolden(folder, name, files.get(name));
    expect(readdirSync(path.join(__dirname, "..", "golden", folder)).sort()).toEqual(sources.sort());
  },
);

/** Returns the source files of the app that is written for a group. */
const sourcesOf = async (name: string, fixture: FixtureInput) =>
  [...(await written(fixture, { ...OPTIONS, name }))].filter(([file]) => file.endsWith(".ts"));

it("for forty similar projects, adopt writes one baseline file and one file per subgroup", async () => {
  const sources = new Map(await sourcesOf("alike", alike));
  const teams = ["data.ts", "mobile.ts", "others.ts", "payments.ts", "search.ts", "tools.ts"];
  expect([...sources.keys()].sort()).toEqual(["baseline.ts", "imports.ts", "main.ts", ...teams].sort());
  expect(
    sources.get("mobile.ts"),
  ).toContain(`    "alike/mobile/admin": [{ pages: { forceHttps: false } }, NO_STAGING],
    "alike/mobile/api": [],
    "alike/mobile/cache": [PRODUCTION_BY_MAINTAINERS_AND_LEADS, PRODUCTION_WITH_3_APPROVALS],`);
  sources.delete("imports.ts");
  expect([...sources.values()].join("").split("\n").length).toBeLessThanOrEqual(239);
});

it("for 50 or more projects, adopt writes one stack per subgroup", async () => {
  const many = (count: number): FixtureInput => ({
    ...alike,
    projects: Array.from({ length: count }, (_, at) => ({
      path: `alike/${["search", "tools"][at % 2]}/p${at}`,
      job_token_scope: { inbound_enabled: false },
    })),
  });
  const created = async (count: number, options: Partial<TypeScriptAppOptions> = {}) => {
    const files = await written(many(count), { ...OPTIONS, name: "alike", ...options });
    return files.get("main.ts")!.match(/^new \w+\(.*\);$/gm);
  };
  expect(await created(49)).toEqual(['new AlikeStack(app, "alike");']);
  const ofGroup = 'new SettingsStack(app, "alike", declareOthers);';
  expect(await created(50)).toEqual([
    'new SettingsStack(app, "alike-search", declareSearch);',
    'new SettingsStack(app, "alike-tools", declareTools);',
    ofGroup,
  ]);
  expect(await created(50, { stackPer: "app" })).toEqual(['new AlikeStack(app, "alike");']);
  expect(await created(2, { stackPer: "project" })).toEqual([
    'new SettingsStack(app, "alike-search-p0", declareSearchP0);',
    'new SettingsStack(app, "alike-tools-p1", declareToolsP1);',
    'new SettingsStack(app, "alike", declareAlike);',
    'new SettingsStack(app, "alike-tools", declareTools);',
  ]);
});

it("for a new app, adopt writes a .gitignore that excludes the file with e-mail addresses", async () => {
  const files = await written(webShop, { ...OPTIONS, name: "shop" });
  expect([...files.keys()]).toEqual([
    "main.ts",
    "imports.ts",
    "emails.auto.tfvars.json",
    "cdktf.json",
    "package.json",
    "tsconfig.json",
    ".gitignore",
  ]);
  expect(JSON.parse(files.get("emails.auto.tfvars.json")!)).toEqual({
    emails: { "invitee-1": "Grace.Hopper@example.com", "invitee-2": "ada@agency.example" },
  });
  expect(files.get(".gitignore")!.split("\n")).toContain("*.auto.tfvars.json");
  expect(JSON.parse(files.get("cdktf.json")!)).toMatchObject({ app: "node --import tsx main.ts" });
  expect(JSON.parse(files.get("package.json")!)).toMatchObject({
    name: "shop-settings",
    dependencies: { "cdktf-provider-steward": "^1.2.3" },
  });
});

it("without --include-emails, only emails.auto.tfvars.json contains e-mail addresses", async () => {
  const shop = { ...OPTIONS, name: "shop" };
  const without = await written(webShop, shop);
  for (const [name, text] of without)
    expect([name, text.includes("@agency.example")]).toEqual([name, name === "emails.auto.tfvars.json"]);
  const included = await written(webShop, { ...shop, includeEmails: true });
  expect([...included.keys()]).not.toContain("emails.auto.tfvars.json");
  expect(included.get("main.ts")).toContain('"ada@agency.example": { accessLevel: AccessLevel.DEVELOPER');
});

it("with --all-settings, adopt also declares default values that do not affect access", async () => {
  const shop = { ...OPTIONS, name: "shop" };
  const some = await written(webShop, shop);
  expect(some.get("main.ts")).toContain("inboundEnabled: true");
  expect(some.get("main.ts")).not.toContain("forceHttps: true");
  const all = await written(webShop, { ...shop, allSettings: true });
  expect(all.get("main.ts")).toContain("forceHttps: true");
});

it.each([
  ["1st", "Stack1st", "1st", "1st-settings"],
  ["terraform", "TerraformSettingsStack", "terraform", "terraform-settings"],
  ["_Team/web.shop", "TeamWebShopStack", "_Team-web-shop", "team-web-shop-settings"],
  ["日本", "SettingsStack", "settings", "settings-settings"],
])(
  "from the group name %s, adopt makes valid names for a class, a stack and a package",
  (name, className, stackId, packageName) => {
    const settings = { schema: createProvider().schema, containers: [], skipped: [] };
    const files = writeTypeScriptApp(settings, { ...OPTIONS, name });
    const text = (path: string) => files.find((file) => file.path === path)!.text;
    expect(text("main.ts")).toContain(`new ${className}(app, "${stackId}");`);
    expect(JSON.parse(text("package.json")).name).toBe(packageName);
  },
);
