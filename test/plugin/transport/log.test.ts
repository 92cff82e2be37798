import { logRequests, pluginLog, Secrets } from "../../../src/plugin/transport/log";
import { optional } from "../../../src/schema";
import { HOSTILE, takenLines } from "../../support/hostile";

function logged(env: Record<string, string>, redact: (line: string) => string = (line) => line) {
  const lines: string[] = [];
  return { lines, log: pluginLog(env, (line) => lines.push(line), { redact }) };
}

test("a line of the plugin's log is JSON in the format of Terraform's log", () => {
  const { lines, log } = logged({ TF_LOG: "TRACE" });
  log("info", "hello", { milliseconds: 3 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/\n$/);
  expect(JSON.parse(lines[0]!)).toEqual({
    "@level": "info",
    "@message": "hello",
    "@module": "steward",
    "@timestamp": expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    milliseconds: 3,
  });
});

test.each([
  [{}, ["warn", "error"]],
  [{ TF_LOG: "debug" }, ["debug", "warn", "error"]],
  [{ TF_LOG: "trace", TF_LOG_PROVIDER: "error" }, ["error"]],
  [{ TF_LOG: "JSON" }, ["trace", "debug", "warn", "error"]],
  [{ TF_LOG: "off" }, ["error"]],
])("with %p, the log contains only the levels %p", (env, expected) => {
  const { lines, log } = logged(env as Record<string, string>);
  for (const level of ["trace", "debug", "warn", "error"] as const) log(level, "said");
  expect(lines.map((line) => (JSON.parse(line) as Record<string, string>)["@level"])).toEqual(expected);
});

test("the plugin's log contains the method, path and status of each request", () => {
  const { lines, log } = logged({ TF_LOG: "trace" });
  const tell = logRequests(log)!;
  const request = { operation: "users.current", method: "GET", path: "/user", attempt: 1 };
  tell({ type: "request", ...request });
  tell({ type: "answer", ...request, status: 200, milliseconds: 12.4 });
  tell({ type: "rate_limit", milliseconds: 100, reason: "rate limit" });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { "@message": "GET /user sent", "@level": "trace" },
    { "@message": "GET /user answered 200", "@level": "debug", milliseconds: 12 },
    { "@message": "waiting: rate limit", "@level": "info" },
  ]);
});

test("the plugin logs requests only if TF_LOG is info or a more detailed level", () => {
  expect(logRequests(logged({}).log)).toBeUndefined();
  expect(logRequests(logged({ TF_LOG: "info" }).log)).toBeDefined();
  expect(logRequests(() => undefined)).toBeDefined();
});

test("the plugin's log redacts sensitive values of the configuration, except short values", () => {
  const secrets = new Secrets((text) => text.replaceAll("from-the-environment", "***"));
  const text = { description: "A value." };
  secrets.learn(
    { token: optional.string({ ...text, sensitive: true }), base_url: optional.string(text) },
    { token: "a-long-token", base_url: "https://git.example" },
  );
  secrets.learn({ token: optional.string({ ...text, sensitive: true }) }, { token: "short" });
  const { lines, log } = logged({ TF_LOG: "trace" }, (line) => secrets.redact(line));
  log("error", "a-long-token short https://git.example from-the-environment");
  expect(lines[0]).toContain('"(sensitive value) short https://git.example ***"');
});

test("line breaks in texts of the service add no line to the plugin's log", () => {
  const { lines, log } = logged({ TF_LOG: "trace" });
  log("info", `GET /${HOSTILE}`, { error: `it was ${HOSTILE}` });
  expect(lines.join("").split("\n")).toHaveLength(2);
  expect(takenLines(lines.join(""))).toEqual([]);
  for (const fact of Object.values(JSON.parse(lines[0]!) as Record<string, string>))
    expect(takenLines(fact)).toEqual([]);
});
