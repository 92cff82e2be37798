import path from "node:path";
import { App } from "../support/app";
import { beginInProcess } from "../support/in-process";
import { TOKENS, usePlace } from "../support/place";

// What else rules for changes do stands in transcripts/policies.transcript.

const place = usePlace("each");
let app: App;
beforeEach(() => {
  app = new App({ base_url: place.service.url, token: TOKENS.maintainer });
  app.declare({ web: { resource: { steward_job_token_scope: { limit: { project: "acme/shop" } } } } });
});
afterEach(() => app.remove());

test("rules refuse an apply before it asks", async () => {
  app.write(
    "policy.js",
    `module.exports = [{ name: "none", why: "Because.", checkChange: () => [{ what: "Seen.", fix: "" }] }];`,
  );
  const ask = jest.fn(async () => "yes");
  const { code } = await beginInProcess(["apply", "--policy", "policy.js"], { folder: app.folder, ask })
    .ended;
  const writes = place.service.requests.all.filter(({ method }) => method !== "GET");
  expect([code, ask.mock.calls, writes]).toEqual([1, [], []]);
});

test("a module in TypeScript is named where nothing can load it", async () => {
  app.write("policy.ts", "export default [] as object[];");
  const { code, err } = await app.run("plan", "--policy", path.join(app.folder, "policy.ts"));
  const isNative = (process.features as { typescript?: unknown }).typescript !== undefined;
  if (isNative) expect(code).toBe(0);
  else expect(err.replace(/[\s│╷╵]+/g, " ")).toContain("Install it with `npm install --save-dev tsx`");
});
