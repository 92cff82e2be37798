import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beginInProcess, runInProcess } from "../support/in-process";
import { Steward } from "../support/process";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-serve-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const user = async (url: string, token: string) => {
  const response = await fetch(`${url}/api/v4/user`, { headers: { "private-token": token } });
  return (await response.json()) as { username?: string };
};

/** Starts the command in this process, and waits until it prints the address of the service. */
async function begin(...words: readonly string[]) {
  const run = beginInProcess(["serve", ...words], { folder });
  const [, url = ""] = /listening on (\S+)$/m.exec(await run.wrote("listening on ")) ?? [];
  const end = () => {
    run.interrupt();
    return run.ended;
  };
  return { url, end };
}

describe("serve", () => {
  test("if the folder of --data does not exist, serve fails and the error contains the folder", async () => {
    const { code, err } = await runInProcess(["serve", "--data", "no/such/service.db"], { folder });
    expect(code).toBe(1);
    expect(err.replace(/\n│ /g, " ")).toContain(`the folder ${path.join(folder, "no/such")} does not exist`);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("after %s, serve exits with code 0", async (signal) => {
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
  });

  test("without --allow-remote, serve refuses the host 0.0.0.0", async () => {
    const { code, out, err } = await runInProcess(["serve", "--host", "0.0.0.0"], { folder });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error: Service can't be started");
    const allowed = await begin("--host", "0.0.0.0", "--allow-remote");
    expect(allowed.url).toContain("http://0.0.0.0:");
    expect((await allowed.end()).code).toBe(0);
  });

  test("serve --compat observed offers the live service's endpoints", async () => {
    const { url, end } = await begin("--compat", "observed");
    const status = async (word: string) => (await fetch(`${url}/api/v4/templates/${word}`)).status;
    expect([await status("gitlab_ci_ymls"), await status("platform_ci_ymls")]).toEqual([200, 404]);
    await end();
    const { code, err } = await runInProcess(["serve", "--compat", "lenient"], { folder });
    expect(code).toBe(1);
    expect(err).toContain("Allowed choices are strict, observed.");
  });

  test("with serve --faults, the fault in docs/testing.md causes one response with status 503", async () => {
    const page = readFileSync(path.join(__dirname, "../../../docs/testing.md"), "utf8");
    const documentedFault = /With the body `(\{.*?\})`/.exec(page)![1]!;
    const { url, end } = await begin(
      "--access-log",
      "--faults",
      "--admin-token-file",
      path.join(folder, "log.token"),
    );
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
    const { err } = await end();
    expect(err).toMatch(/GET \/api\/v4\/user 503/);
    expect(err).toMatch(/GET \/api\/v4\/user 200/);
    expect(err).not.toContain(token);
  });

  test("if the port is in use, serve fails and the error contains the port", async () => {
    const missing = await runInProcess(["serve", "--fixture", "nowhere.yaml"], { folder });
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("nowhere.yaml");
    const first = await begin();
    const { port } = new URL(first.url);
    const second = await runInProcess(["serve", "--port", port], { folder });
    expect(second.code).toBe(1);
    expect(second.err).toContain(port);
    await first.end();
  });
});
