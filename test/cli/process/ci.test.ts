import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { approvalIn, commentOf } from "../../../src/cli/ci/comment";
import { SensitiveTexts } from "../../../src/text";
import { planned } from "../reports/support/runs";
import { usePlace } from "../support/place";

// transcripts/ci.transcript covers all other rules of `ci`.

const HEAD = "a".repeat(40);
const place = usePlace("all");

test("Steward ignores an approval marker in a comment's details, because other people's texts can appear there", () => {
  const marker = (digit: string) => `<!-- steward approval ${digit.repeat(64)} ${HEAD} -->`;
  const details = `<details><summary>1 object</summary>\n\n${marker("b")}`;
  expect(approvalIn(`## Plan\n${marker("a")}\n${details}`)?.digest).toBe("a".repeat(64));
  expect(approvalIn(`## Plan\n${details}`)).toBeUndefined();
});

test("above its details, a comment of Steward lists errors before warnings", async () => {
  const place = { project: "acme/web", loses: {}, rules: [], text: "environments not protected" };
  const access = [{ ...place, gains: { deploy: [] }, not_counted: [{ what: "a group", why: "hidden" }] }];
  const [head] = commentOf(
    { ...(await planned()), access },
    "shop",
    {},
    undefined,
    new SensitiveTexts(),
  ).split("<details>");
  expect(head).toMatch(/\*\*Problems\*\*\n\n- ❌ Project not found: .*"shop\/gone".*\n- ⚠️ Part of a plan\n/);
  expect(head).not.toContain("not protected");
});

test("if a plan changes no access, the comment contains no line about access", async () => {
  const run = await planned();
  const none = commentOf({ ...run, access: [] }, "shop", {}, undefined, new SensitiveTexts());
  expect(none).not.toContain("\nAccess:");
  const entry = { project: "acme/web", gains: { deploy: ["Ada"] }, loses: {}, rules: [], not_counted: [] };
  const one = { ...run, access: [{ ...entry, text: "Ada can deploy" }] };
  expect(commentOf(one, "shop", {}, undefined, new SensitiveTexts())).toContain("\nAccess:");
});

test("`ci issues` sends totals of the drift to the webhook, and no token", async () => {
  const keep = (env: Record<string, string>, ...args: string[]) =>
    place.run(["ci", "issues", "drift.json", ...args], {
      CI_API_V4_URL: `${place.service.url}/api/v4`,
      CI_PROJECT_ID: "3",
      ...env,
    });
  const received: { body: string; headers: object; url: string }[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      received.push({ body, headers: request.headers, url: request.url! });
      response.writeHead(status, { location: "/elsewhere", connection: "close" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook-secret`;
  try {
    await place.run(["apply", "--auto-approve", "--config", "."]);
    await place.byHand("PATCH", "/projects/1/job_token_scope", { enabled: false });
    await place.run(["drift", "--config", ".", "--report", "drift.json"]);
    place.write("hook", `${hook}\n`);
    expect((await keep({}, "--webhook-file", "hook")).out).toContain("The totals were posted to the chat.");
    expect(JSON.parse(received[0]!.body)).toMatchObject({
      command: "drift",
      result: "found",
      totals: { changed: 1 },
    });
    expect(JSON.stringify(received[0]!.headers)).not.toContain("token");
    status = 307;
    const redirected = await keep({ STEWARD_WEBHOOK_URL: hook });
    expect(redirected.err).toContain("The webhook responded with status 307");
    expect(redirected.err).not.toContain("hook-secret");
    expect(redirected.code).toBe(2);
    expect(received.map(({ url }) => url)).toEqual(["/hook-secret", "/hook-secret"]);
  } finally {
    server.close();
  }
});
