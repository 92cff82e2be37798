import { readdirSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { HABITS } from "../../src/service/habits";
import { client } from "./client";
import { company, tokenOf } from "./company";

// Tests each habit of the live platform separately. The file transcripts/compat.transcript tests the habits of the mode
// `observed`.

let service: Service;
const start = async (options: Parameters<typeof startService>[0]) => {
  service = await startService({ fixture: company(), ...options });
  return client(service);
};
afterEach(() => service?.close());

const SCOPE = "/projects/1/job_token_scope";

describe("the list of habits (behaviours of the live service that the embedded service can copy)", () => {
  test("the list of habits contains every file in the folder src/service/habits", () => {
    const others = ["index.ts", "not-served.ts"];
    const files = readdirSync(path.join(__dirname, "../../src/service/habits"))
      .filter((file) => !others.includes(file))
      .map((file) => file.replace(/\.ts$/, ""));
    expect(HABITS.map(({ name }) => name).sort()).toEqual(files.sort());
    for (const { name, sources } of HABITS)
      expect({ name, isSourced: sources.join(" ").includes("https://") }).toEqual({ name, isSourced: true });
  });

  test("if an option names a habit that does not exist, the service does not start", async () => {
    await start({ compat: "observed", habits: ["sign-in-page"], withoutHabits: ["no-totals"] });
    expect(service.habits.has("sign-in-page")).toBe(true);
    expect(service.habits.has("expiry-dates")).toBe(true);
    expect(service.habits.has("no-totals")).toBe(false);
    await expect(startService({ habits: ["none-such"] })).rejects.toThrow("Habits are: exact-addresses");
  });
});

test("without the habit exact-addresses, the service ignores upper and lower case in e-mail addresses of invitations", async () => {
  const send = await start({ withoutHabits: ["exact-addresses"] });
  const at = "/projects/1/invitations";
  await send("POST", at, { json: { email: "Dev@Example.com", access_level: 30 } });
  const again = await send("POST", at, { json: { email: "dev@example.com", access_level: 30 } });
  expect(again.body).toMatchObject({ status: "error" });
  expect((await send("GET", `${at}?query=DEV%40example.com`)).body).toMatchObject([
    { invite_email: "Dev@Example.com" },
  ]);
  expect((await send("DELETE", `${at}/dEV%40example.com`)).status).toBe(204);
});

test("with the habit lower-case-invitations, the service stores new e-mail addresses in lower case", async () => {
  const send = await start({});
  const at = "/projects/1/invitations";
  await send("POST", at, { json: { email: "DEV@example.com", access_level: 20 } });
  service.habits.add("lower-case-invitations");
  const invite = () => send("POST", at, { json: { email: "Dev@Example.com", access_level: 30 } });
  expect((await invite()).body).toEqual({ status: "success" });
  expect((await invite()).body).toMatchObject({ status: "error" });
  expect((await send("GET", at)).body).toMatchObject([
    { invite_email: "DEV@example.com" },
    { invite_email: "dev@example.com" },
  ]);
  expect((await send("DELETE", `${at}/Dev%40Example.com`)).status).toBe(404);
  expect((await send("DELETE", `${at}/dev%40example.com`)).status).toBe(204);
});

test("without the habit security-manager, the service returns 400 for an invitation with access level 25", async () => {
  const send = await start({ withoutHabits: ["security-manager"] });
  const json = { email: "dev@example.com", access_level: 25 };
  expect((await send("POST", "/projects/1/invitations", { json })).status).toBe(400);
  service.habits.add("security-manager");
  expect((await send("POST", "/projects/1/invitations", { json })).status).toBe(201);
});

test("each of the habits admin-mode, scheduled-deletion and enforced-job-token-limit sets an application setting", async () => {
  const send = await start({ habits: ["admin-mode", "scheduled-deletion", "enforced-job-token-limit"] });
  expect((await send("GET", "/application/settings")).body).toMatchObject({
    admin_mode: true,
    deletion_adjourned_period: 7,
    enforce_ci_inbound_job_token_scope_enabled: true,
  });
});

test("with the habit shifting-lists, every second read of a list with three pages misses an entry", async () => {
  const send = await start({ habits: ["shifting-lists"] });
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names)
    await send("POST", "/projects/1/protected_environments", {
      json: { name, deploy_access_levels: [{ access_level: 40 }] },
    });
  const page = async (number: number) => {
    const answer = await send("GET", `/projects/1/protected_environments?per_page=2&page=${number}`);
    expect(answer.headers.get("x-total")).toBeNull();
    return (answer.body as { name: string }[]).map(({ name }) => name);
  };
  const reading = async () => [...(await page(1)), ...(await page(2)), ...(await page(3))];
  expect(await reading()).toEqual(["a", "b", "d", "e"]);
  expect(await reading()).toEqual(names);
  expect(await reading()).toEqual(["a", "b", "d", "e"]);
});

test("with the habit lagging-replicas, the first three reads after a write return the old data", async () => {
  const send = await start({ habits: ["lagging-replicas"] });
  const limit = async () => ((await send("GET", SCOPE)).body as { inbound_enabled: boolean }).inbound_enabled;
  expect(await limit()).toBe(true);
  expect((await send("PATCH", SCOPE, { json: { enabled: false } })).status).toBe(204);
  expect([await limit(), await limit(), await limit(), await limit()]).toEqual([true, true, true, false]);
});

test("if the habit lagging-replicas is switched off after a write, the next read returns the new data", async () => {
  const send = await start({ habits: ["lagging-replicas"] });
  const limit = async () => ((await send("GET", SCOPE)).body as { inbound_enabled: boolean }).inbound_enabled;
  await send("PATCH", SCOPE, { json: { enabled: false } });
  service.habits.delete("lagging-replicas");
  expect(await limit()).toBe(false);
  service.habits.add("lagging-replicas");
  expect([await limit(), await limit(), await limit(), await limit()]).toEqual([true, true, true, false]);
});

test("with the habit lagging-replicas, the fourth read after each of two writes shows this write", async () => {
  const send = await start({ habits: ["lagging-replicas"] });
  const seen = async () =>
    ((await send("GET", "/projects/1/protected_environments")).body as { name: string }[])
      .map(({ name }) => name)
      .join(" ");
  const protect = (name: string) =>
    send("POST", "/projects/1/protected_environments", {
      json: { name, deploy_access_levels: [{ access_level: 40 }] },
    });
  await protect("one");
  expect(await seen()).toBe("");
  await protect("two");
  expect([await seen(), await seen(), await seen(), await seen()]).toEqual(["", "", "one", "one two"]);
});

test("with the habit sign-in-page, a write gets status 200 with an HTML page and changes nothing", async () => {
  await start({ habits: ["sign-in-page"] });
  const response = await fetch(`${service.url}/api/v4${SCOPE}`, {
    method: "PATCH",
    headers: { "private-token": tokenOf("maintainer"), "content-type": "application/json" },
    body: JSON.stringify({ enabled: false }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/html");
  expect(await response.text()).toContain("<title>Sign in</title>");
  expect((await client(service)("GET", SCOPE)).body).toMatchObject({ inbound_enabled: true });
});

test("with the habit html-not-found, the body of a 404 response is an HTML page", async () => {
  await start({ habits: ["html-not-found"] });
  const response = await fetch(`${service.url}/api/v4/projects/999`, {
    headers: { "private-token": service.adminToken },
  });
  expect(response.status).toBe(404);
  expect(await response.text()).toContain("<title>404 Not Found</title>");
});

test("with the habit dropped-entries, the service creates a protected environment without the approval rules", async () => {
  const send = await start({ habits: ["dropped-entries"] });
  const made = await send("POST", "/projects/1/protected_environments", {
    json: {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ access_level: 40 }],
    },
  });
  expect(made).toMatchObject({ status: 201, body: { approval_rules: [] } });
});

test("with the habit odd-refusals, a second create of the same protected environment returns 400", async () => {
  const send = await start({ habits: ["odd-refusals"] });
  const json = { name: "production", deploy_access_levels: [{ access_level: 40 }] };
  await send("POST", "/projects/1/protected_environments", { json });
  expect(await send("POST", "/projects/1/protected_environments", { json })).toMatchObject({
    status: 400,
    body: { message: { name: ["has already been taken"] } },
  });
  const invite = { email: "dev@example.com", access_level: 30 };
  await send("POST", "/projects/1/invitations", { json: invite });
  expect((await send("POST", "/projects/1/invitations", { json: invite })).body).toMatchObject({
    status: "error",
    message: { "dev@example.com": [expect.stringContaining("already")] },
  });
});
