import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Steward, steward } from "../support/process";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(60_000);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-serve-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const user = async (url: string, token: string) => {
  const response = await fetch(`${url}/api/v4/user`, { headers: { "private-token": token } });
  return (await response.json()) as { username?: string };
};

describe("serve", () => {
  test("reports a missing data folder", async () => {
    const { code, err } = await steward(["serve", "--data", "no/such/service.db"], { folder });
    expect(code).toBe(1);
    expect(err.replace(/\n│ /g, " ")).toContain(`the folder ${path.join(folder, "no/such")} does not exist`);
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "listens, stores its data, and exits cleanly on %s",
    async (signal) => {
      const data = ["serve", "--data", "service.db", "--admin-token-file", "admin.token"];
      const run = new Steward(data, { folder });
      const [, url] = /^listening on (http:\/\/127\.0\.0\.1:\d+)\n/.exec(await run.wrote("out", "\n")) ?? [];
      const token = readFileSync(path.join(folder, "admin.token"), "utf8").trim();
      expect(await user(url!, token)).toMatchObject({ username: "root" });
      run.child.kill(signal);
      const { code, out, err } = await run.ended;
      expect({ code, out }).toEqual({ code: 0, out: `listening on ${url}\n` });
      expect(err).toContain("admin.token");
      expect(out + err).not.toContain(token);
      expect(statSync(path.join(folder, "admin.token")).mode & 0o077).toBe(0);
    },
  );

  test("listens beyond loopback only if allowed", async () => {
    const { code, out, err } = await steward(["serve", "--host", "0.0.0.0"], { folder });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error: The service can't be started");
    const allowed = new Steward(["serve", "--host", "0.0.0.0", "--allow-remote"], { folder });
    await allowed.wrote("out", "listening on http://0.0.0.0:");
    allowed.child.kill("SIGTERM");
    expect((await allowed.ended).code).toBe(0);
  });

  test("behaves like the live platform on request, and refuses an unknown mode", async () => {
    const run = new Steward(["serve", "--compat", "observed"], { folder });
    const [, url] = /^listening on (\S+)\n/.exec(await run.wrote("out", "\n")) ?? [];
    const status = async (word: string) => (await fetch(`${url}/api/v4/templates/${word}`)).status;
    expect([await status("gitlab_ci_ymls"), await status("platform_ci_ymls")]).toEqual([200, 404]);
    run.child.kill("SIGTERM");
    await run.ended;
    const { code, err } = await steward(["serve", "--compat", "lenient"], { folder });
    expect(code).toBe(1);
    expect(err).toContain("Allowed choices are strict, observed.");
  });

  test("logs requests on request, and accepts the fault of docs/testing.md if enabled", async () => {
    const page = readFileSync(path.join(__dirname, "../../../docs/testing.md"), "utf8");
    const documentedFault = /```json fault\.json\n(.*?)\n```/s.exec(page)![1]!;
    const run = new Steward(["serve", "--access-log", "--faults", "--admin-token-file", "log.token"], {
      folder,
    });
    const [, url] = /^listening on (\S+)\n/.exec(await run.wrote("out", "\n")) ?? [];
    const token = readFileSync(path.join(folder, "log.token"), "utf8").trim();
    const ordered = await fetch(`${url}/_steward/faults`, {
      method: "POST",
      headers: { "private-token": token, "content-type": "application/json" },
      body: documentedFault,
    });
    expect(ordered.status).toBe(204);
    const statusOf = async () =>
      (await fetch(`${url}/api/v4/user`, { headers: { "private-token": token } })).status;
    expect([await statusOf(), await statusOf()]).toEqual([503, 200]);
    run.child.kill("SIGTERM");
    const { err } = await run.ended;
    expect(err).toMatch(/GET \/api\/v4\/user 503/);
    expect(err).toMatch(/GET \/api\/v4\/user 200/);
    expect(err).not.toContain(token);
  });

  test("reports an invalid fixture or port", async () => {
    const missing = await steward(["serve", "--fixture", "nowhere.yaml"], { folder });
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("nowhere.yaml");
    const first = new Steward(["serve"], { folder });
    const [, port] = /:(\d+)\n/.exec(await first.wrote("out", "\n")) ?? [];
    const second = await steward(["serve", "--port", port!], { folder });
    expect(second.code).toBe(1);
    expect(second.err).toContain(port);
    first.child.kill("SIGTERM");
    await first.ended;
  });
});
