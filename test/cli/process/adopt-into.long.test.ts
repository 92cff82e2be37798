import { linkPackages } from "../../acceptance/support/own-project";
import { TOKENS } from "../../adopt/groups/people";
import { webShop } from "../../adopt/groups/web-shop";
import { useQuickApps } from "../../support/apps/quick-apps";
import { usePlace } from "../support/place";

jest.setTimeout(180_000);
useQuickApps();

const place = usePlace("each", webShop);
beforeEach(async () => {
  linkPackages(place.folder);
});

const env = { STEWARD_TOKEN: TOKENS.owner };
const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET").length;

async function byHand(method: string, route: string, body: object): Promise<void> {
  const response = await fetch(`${place.service.url}/api/v4${route}`, {
    method,
    headers: { "private-token": TOKENS.owner, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([route, response.status]).toEqual([route, 201]);
}

/** An app that somebody wrote by hand, with the settings of some projects. */
const BY_HAND = `import { App, TerraformStack } from "cdktf";
import { JobTokenAllowlistProject, JobTokenScope, ProjectSettings, StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";

class Settings extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward");
    new JobTokenScope(this, "open", { project: "shop/end-to-end-tests", inboundEnabled: false });
    new ProjectSettings(this, "shop-cart", {
      project: "shop/cart",
      protectedEnvironments: {
        staging: { deployAccessLevels: [{ accessLevel: 30 }] },
      },
    });
    new JobTokenAllowlistProject(this, "caller", { project: "shop/search", targetProject: "shop/deploy-tools" });
  }
}

const app = new App();
new Settings(app, "settings");
app.synth();
`;

test("adopt --into adds what no stack declares, its plan imports that alone, and a second run changes nothing", async () => {
  place.write("app/cdktf.json", { language: "typescript", app: "node --import tsx main.ts" });
  place.write("app/main.ts", BY_HAND);
  const adopt = ["adopt", "shop", "--into", "app/main.ts"];
  const first = await place.run(adopt, env);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toContain("main.ts: written");
  const text = place.read("app/main.ts");
  // Every line is still there, in its order, but for the imports.
  const lines = text.split("\n");
  let at = -1;
  for (const line of BY_HAND.split("\n").filter((each) => !each.startsWith("import"))) {
    at = lines.indexOf(line, at + 1);
    expect([line, at]).toEqual([line, expect.any(Number)]);
    expect(at).toBeGreaterThanOrEqual(0);
  }
  expect(text).toContain('"shop/catalog",');
  // It is declared, or a part of it is.
  expect(text).not.toContain('"shop/end-to-end-tests", inboundEnabled: false });\n\n    new JobTokenScope');
  expect(text.match(/inboundEnabled: false/g)).toHaveLength(1);
  expect(text).not.toMatch(/project: "shop\/search",\n\s+allowlist/);
  expect(place.read("app/.gitignore")).toContain("emails.auto.tfvars.json");

  const planned = await place.runIn("app", ["plan", "--import-existing"], env);
  expect(planned).toMatchObject({ code: 0 });
  // Of the app the scope that was never imported; the environment and the entry that exist are taken over.
  expect(planned.out).toMatch(/Plan: \d+ to import, 1 to add, 0 to change, 0 to destroy\./);

  const second = await place.run(adopt, env);
  expect(second).toMatchObject({ code: 0, err: "" });
  expect(second.out).toContain(": no file changed.");
  expect(place.read("app/main.ts")).toBe(text);
  expect(writes()).toBe(0);
});

test("adopt --into adds to an adopted app what appears later", async () => {
  const out = ["adopt", "shop", "--out", "infra"];
  expect(await place.run(out, env)).toMatchObject({ code: 0 });
  expect(await place.runIn("infra", ["apply", "--auto-approve"], env)).toMatchObject({ code: 0 });
  const into = ["adopt", "shop", "--into", "infra/main.ts"];
  expect((await place.run(into, env)).out).toContain(
    "Adopted 0 objects of 8 projects and 1 group into infra/main.ts: no file changed.",
  );

  const before = place.read("infra/main.ts");
  expect(writes()).toBe(0);
  const protect = { name: "demo", deploy_access_levels: [{ access_level: 40 }] };
  await byHand("POST", "/projects/shop%2Fcart/protected_environments", protect);
  await byHand("POST", "/projects/shop%2Fcart/invitations", {
    email: "new@agency.example",
    access_level: 30,
  });
  expect(await place.run(into, env)).toMatchObject({ code: 0, err: "" });
  expect(place.read("infra/main.ts").startsWith(before.slice(0, before.indexOf("import {")))).toBe(true);
  expect(JSON.parse(place.read("infra/emails.auto.tfvars.json")).emails).toEqual({
    "invitee-1": "Grace.Hopper@example.com",
    "invitee-2": "ada@agency.example",
    "invitee-3": "new@agency.example",
  });
  const planned = await place.runIn("infra", ["plan"], env);
  expect(planned.out).toContain("Plan: 2 to import, 0 to add, 0 to change, 0 to destroy.");
  expect(await place.runIn("infra", ["apply", "--auto-approve"], env)).toMatchObject({ code: 0 });
  expect(await place.runIn("infra", ["plan", "--detailed-exitcode"], env)).toMatchObject({ code: 0 });
  // The file was edited since: a new adoption overwrites nothing.
  const edited = place.read("infra/main.ts");
  expect(await place.run(out, env)).toMatchObject({ code: 1 });
  expect(place.read("infra/main.ts")).toBe(edited);
});

test("adopt --into puts what it finds into the file and the ProjectSettings that declare its project", async () => {
  const stackOf = (name: string, project: string) => `import { TerraformStack } from "cdktf";
import { ProjectSettings, StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";

export class ${name} extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward");
    new ProjectSettings(this, "own", { project: "${project}", inboundEnabled: true });
  }
}
`;
  place.write("app/cdktf.json", { language: "typescript", app: "node --import tsx main.ts" });
  place.write("app/stacks/cart.ts", stackOf("Cart", "shop/cart"));
  const both = [
    "class Other extends TerraformStack {",
    "  constructor(scope: Construct, id: string) {",
    "    super(scope, id);",
    '    new StewardProvider(this, "steward");',
    "  }",
    "}",
    "",
  ].join("\n");
  const main = stackOf("Catalog", "shop/catalog").replace(
    "import { T",
    'import { Cart } from "./stacks/cart";\nimport { App, T',
  );
  place.write(
    "app/main.ts",
    `${main}\n${both}\nconst app = new App();\nnew Cart(app, "cart");\nnew Catalog(app, "catalog");\nnew Other(app, "other");\napp.synth();\n`,
  );
  const names = ["shop/cart", "shop/catalog", "shop/search"];
  const several = await place.run(["adopt", ...names, "--into", "app/main.ts"], env);
  expect([several.code, several.err]).toEqual([1, expect.stringContaining("Name it with --stack.")]);
  const none = await place.run(["adopt", ...names, "--into", "app/main.ts", "--stack", "none"], env);
  expect([none.code, none.err]).toEqual([1, expect.stringContaining("Stack not in the file")]);

  const adopt = ["adopt", ...names, "--into", "app/main.ts", "--stack", "catalog", "--include-emails"];
  const first = await place.run(adopt, env);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toMatch(/ {2}main\.ts: written\n {2}stacks\/cart\.ts: written\n/);
  const cart = place.read("app/stacks/cart.ts");
  expect(cart).toContain(
    'new ProjectSettings(this, "own", {\n      project: "shop/cart",\n      inboundEnabled: true,\n',
  );
  expect(cart.match(/new ProjectSettings/g)).toHaveLength(1);
  expect(cart).not.toContain("shop/search");
  expect(place.read("app/main.ts").match(/new ProjectSettings/g)).toHaveLength(2);
  const planned = await place.runIn("app", ["plan"], env);
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.out).toMatch(/\d+ to import, 2 to add, 0 to change, 0 to destroy\.\s*$/);
  expect((await place.run(adopt, env)).out).toContain(": no file changed.");
});

test.each([
  ["a file that does not exist", "app/none.ts", "app/none.ts does not exist"],
  ["a file without an app", "alone.ts", "has a cdktf.json"],
  ["a file without a stack", "app/other.ts", "app/other.ts has neither a class that extends TerraformStack"],
])("adopt --into refuses %s before any request", async (_, file, message) => {
  place.write("app/cdktf.json", { app: "node --import tsx main.ts" });
  place.write("app/other.ts", "export const x = 1;\n");
  place.write("alone.ts", BY_HAND);
  const { code, err } = await place.run(["adopt", "shop", "--into", file], env);
  expect([code, err.replace(/\n│ /g, " ")]).toEqual([1, expect.stringContaining(message)]);
  expect(place.service.requests.all).toEqual([]);
});

test("adopt --into declares what is live in a project of a fleet in a layer of the fleet, and imports its instances", async () => {
  place.write("app/cdktf.json", { language: "typescript", app: "node --import tsx main.ts" });
  place.write(
    "app/main.ts",
    `import { App, TerraformStack } from "cdktf";
import { Fleet, StewardProvider } from "cdktf-provider-steward";

const app = new App();
const stack = new TerraformStack(app, "estate");
new StewardProvider(stack, "steward");
new Fleet(stack, "shop", {
  projects: { group: "shop" },
  baseline: { inboundEnabled: true },
});
app.synth();
`,
  );
  const applied = await place.runIn("app", ["apply", "--auto-approve", "--import-existing"], env);
  expect(applied).toMatchObject({ code: 0 });
  const into = ["adopt", "shop/cart", "shop/catalog", "--into", "app/main.ts"];
  expect(await place.run(into, env)).toMatchObject({ code: 0, err: "" });
  const text = place.read("app/main.ts");
  expect(text.match(/where: "shop\/(?:cart|catalog)"/g)).toHaveLength(2);
  expect(text).not.toContain("new ProjectSettings");
  const planned = await place.runIn("app", ["plan"], env);
  expect(planned.out).toMatch(/Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy\./);
  expect(await place.runIn("app", ["apply", "--auto-approve"], env)).toMatchObject({ code: 0 });
  expect((await place.run(into, env)).out).toContain(": no file changed.");
});
