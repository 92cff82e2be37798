import { App, TerraformStack } from "cdktf";
import { AccessLevel, ProtectedEnvironment } from "../../src/constructs";
import { omitCreationStacks } from "../../src/constructs/position";
import { stackOf } from "./support/annotations";
import { inFolder } from "./support/folder";

const VARIABLE = "CDKTN_DISABLE_CREATION_STACK";
const traces: { captureStackTrace: unknown } = require("cdktf/lib/tokens/private/stack-trace");

/**
 * Synthesizes an app while the environment variable has this value. Returns the output, and the stack trace that cdktf
 * recorded for a list.
 */
function synthesized(value: "true" | "false") {
  const [before, captureStackTrace] = [process.env[VARIABLE], traces.captureStackTrace];
  process.env[VARIABLE] = value;
  try {
    omitCreationStacks(TerraformStack);
    return inFolder((outdir, read) => {
      const app = new App({ outdir });
      const { deployAccessLevels } = new ProtectedEnvironment(stackOf(app, "shop"), "production", {
        project: "acme/shop",
        name: "production",
        deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
      });
      app.synth();
      return { trace: deployAccessLevels.creationStack, stack: read("stacks/shop/cdk.tf.json") };
    });
  } finally {
    traces.captureStackTrace = captureStackTrace;
    if (before === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = before;
  }
}

test("with CDKTN_DISABLE_CREATION_STACK, cdktf records no stack traces", () => {
  const [recorded, omitted] = (["false", "true"] as const).map(synthesized);
  expect(recorded!.trace).not.toEqual([]);
  expect(omitted!.trace).toEqual([]);
  expect(omitted!.stack).toEqual(recorded!.stack);
  expect(JSON.stringify(omitted!.stack)).toContain("creation-stacks.test.ts:");
});
