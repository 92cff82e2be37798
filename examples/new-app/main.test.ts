import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { type Service, startService, testStack } from "cdktf-provider-steward/testing";
import { app } from "./main";

let service: Service;
before(async () => {
  service = await startService({ fixture: path.join(__dirname, "fixture.yaml") });
});
after(() => service.close());

test("an apply leaves nothing to change", async () => {
  const settings = testStack(app, { service });
  await settings.apply();
  const { hasChanges, text } = await settings.plan();
  assert.equal(hasChanges, false, text);
});
