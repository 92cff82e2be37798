import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "../../../src/service";
import { useQuickApps } from "../../support/apps/quick-apps";
import { runInProcess } from "../support/in-process";
import { NEW_APP_FILES } from "../support/new-app";

jest.setTimeout(120_000);
useQuickApps();

const ROOT = path.join(__dirname, "..", "..", "..");
const EXAMPLE = path.join(ROOT, "examples", "new-app");
let folder: string;
let service: Service | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-init-"));
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const read = (...names: string[]) => readFileSync(path.join(folder, ...names), "utf8");
const run = (args: string[], env: Record<string, string> = {}, at = folder) =>
  runInProcess(args, { folder: at, env: { PATH: process.env["PATH"] ?? "", ...env } });

/** What `npm install` leaves. */
function install(app: string): void {
  mkdirSync(path.join(app, "node_modules"));
  for (const name of ["cdktf", "constructs", "tsx", "@types", "cdktf-provider-steward"])
    symlinkSync(
      name === "cdktf-provider-steward" ? ROOT : path.join(ROOT, "node_modules", name),
      path.join(app, "node_modules", name),
    );
}

const environment = () => ({ STEWARD_BASE_URL: service!.url, STEWARD_TOKEN: service!.adminToken });

test("init writes the app of examples/new-app with a pipeline, which plans, applies, and then has no changes", async () => {
  const { code, out, err } = await run(["init", "settings"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("cd settings && npm install && npm test");
  expect(readdirSync(path.join(folder, "settings")).sort()).toEqual(NEW_APP_FILES);
  for (const name of readdirSync(EXAMPLE))
    expect(read("settings", name)).toBe(readFileSync(path.join(EXAMPLE, name), "utf8"));
  expect(JSON.parse(read("settings", "package.json"))).toMatchObject({
    name: "settings",
    scripts: {
      serve: "steward serve --fixture fixture.yaml --port 8080 --admin-token-file admin.token",
      test: "tsc && node --import tsx --test main.test.ts",
    },
    dependencies: {
      cdktf: "^0.21.0",
      "cdktf-provider-steward": expect.stringMatching(/^\^\d+\.\d+\.\d+$/),
      constructs: expect.stringMatching(/^\^10\.\d+\.\d+$/),
      tsx: expect.stringMatching(/^\^4\./),
    },
  });
  expect(Object.keys(JSON.parse(read("settings", "package.json")).dependencies)).toHaveLength(4);
  const app = path.join(folder, "settings");
  install(app);
  service = await startService({ fixture: path.join(app, "fixture.yaml") });
  const plan = await run(["plan"], environment(), app);
  expect(plan.out).toContain("Plan: 6 to add, 0 to change, 0 to destroy.");
  expect((await run(["apply", "--auto-approve"], environment(), app)).code).toBe(0);
  expect((await run(["plan", "--detailed-exitcode"], environment(), app)).code).toBe(0);
});

test("the new app has one state for laptops and pipelines, and says so where a pipeline would lose it", async () => {
  await run(["init", "settings"]);
  const app = path.join(folder, "settings");
  install(app);
  service = await startService({ fixture: path.join(app, "fixture.yaml") });
  const credentials = { TF_HTTP_USERNAME: "me", TF_HTTP_PASSWORD: service.adminToken };
  const laptop = { ...environment(), ...credentials };
  const api = `${service.url}/api/v4`;
  const pipeline = {
    STEWARD_TOKEN: service.adminToken,
    CI_API_V4_URL: api,
    CI_PROJECT_ID: "1",
    ...credentials,
  };
  expect((await run(["apply", "--auto-approve"], laptop, app)).code).toBe(0);

  const lost = await run(["plan"], pipeline, app);
  const copy = `${api}/projects/1/terraform/state/{stack}`;
  expect([lost.code, lost.err]).toEqual([1, expect.stringContaining(`state migrate --to '${copy}'`)]);

  const state = path.join(app, "state.ts");
  const before = readFileSync(state, "utf8");
  writeFileSync(state, before.replace("= undefined;", '= "1";'));
  const early = await run(["plan"], laptop, app);
  expect([early.code, early.err]).toEqual([1, expect.stringContaining("The state is in another place")]);
  writeFileSync(state, before);
  expect((await run(["state", "migrate", "--to", copy], laptop, app)).code).toBe(0);
  writeFileSync(state, before.replace("= undefined;", '= "1";'));
  for (const where of [laptop, pipeline])
    expect((await run(["plan", "--detailed-exitcode"], where, app)).code).toBe(0);
});

describe("init --from", () => {
  beforeEach(async () => {
    service = await startService({
      fixture: path.join(ROOT, "examples", "quickstart", "fixture.yaml"),
      recordRequests: true,
    });
  });

  test("adopts what is live, with a snapshot of it as the fixture: the plan has imports only on both", async () => {
    const { code, err } = await run(["init", "infra", "--from", "acme"], environment());
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const app = path.join(folder, "infra");
    expect(readdirSync(app)).toEqual(expect.arrayContaining([...NEW_APP_FILES, "imports.ts"]));
    install(app);
    expect((await run(["plan"], environment(), app)).out).toMatch(
      /\nPlan: \d+ to import, 0 to add, 0 to change, 0 to destroy\./,
    );
    const copy = await startService({ fixture: path.join(app, "fixture.yaml") });
    try {
      const trial = { STEWARD_BASE_URL: copy.url, STEWARD_TOKEN: copy.adminToken };
      expect((await run(["plan"], trial, app)).out).toMatch(
        /\nPlan: \d+ to import, 0 to add, 0 to change, 0 to destroy\./,
      );
    } finally {
      await copy.close();
    }
    expect(service!.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
    const texts = readdirSync(app).filter((name) => name !== "node_modules" && name !== "cdktf.out");
    for (const name of texts) expect(read("infra", name)).not.toContain(service!.adminToken);
  });

  test("lists a fixture with e-mail addresses in .gitignore, unless the code has them too", async () => {
    await service!.close();
    service = await startService({
      fixture: {
        groups: [{ path: "acme" }],
        projects: [{ path: "acme/web", invitations: [{ email: "ada@acme.example", role: "developer" }] }],
      },
    });
    await run(["init", "hidden", "--from", "acme/web"], environment());
    expect(read("hidden", ".gitignore").split("\n")).toContain("fixture.yaml");
    expect(read("hidden", "main.test.ts")).toContain('"emails.auto.tfvars.json"');
    expect(read("hidden", "main.ts")).not.toContain("ada@");
    await run(["init", "shown", "--from", "acme/web", "--include-emails"], environment());
    expect(read("shown", ".gitignore").split("\n")).not.toContain("fixture.yaml");
    expect(read("shown", "main.test.ts")).not.toContain("emails.auto.tfvars.json");
  });

  test("refuses a folder with files before any request", async () => {
    cpSync(EXAMPLE, path.join(folder, "infra"), { recursive: true });
    const { code, err } = await run(["init", "infra", "--from", "acme"], environment());
    expect([code, err]).toEqual([1, expect.stringContaining("Folder is not empty")]);
    expect(service!.requests.all).toEqual([]);
  });
});
