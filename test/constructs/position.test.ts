import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { App, TerraformStack } from "cdktf";
import {
  AccessLevel,
  DataStewardProject,
  JobTokenScope,
  ProjectSettings,
  StewardProvider,
} from "cdktf-provider-steward";
import type { Construct } from "constructs";

const FILE = path.relative(process.cwd(), __filename);

/** Returns the number of the line that calls this function. */
const here = () => Number(/:(\d+):\d+\)?$/.exec(new Error().stack!.split("\n")[2]!)![1]);

type Metadata = {
  readonly "//": { readonly metadata: { readonly path: string; readonly position?: string } };
};

/** Returns the positions of all resources and data sources, by construct path. */
function positions(declare: (stack: Construct) => void): Record<string, string | undefined> {
  // The stack belongs to a real app, because `Testing.synth` leaves out the metadata.
  const stack = new TerraformStack(
    new App({ outdir: mkdtempSync(path.join(tmpdir(), "steward-position-")) }),
    "test",
  );
  declare(stack);
  const { resource, data } = stack.toTerraform() as Readonly<
    Record<"resource" | "data", Record<string, object> | undefined>
  >;
  const blocks = [resource, data].flatMap((types) => Object.values(types ?? {}).flatMap(Object.values));
  return Object.fromEntries(
    (blocks as Metadata[]).map(({ "//": { metadata } }) => [metadata.path, metadata.position]),
  );
}

describe("the synthesized metadata", () => {
  test("the metadata of a resource and a data source contains the file and line of the declaration", () => {
    let line = 0;
    const found = positions((stack) => {
      new StewardProvider(stack, "steward");
      line = here();
      new JobTokenScope(stack, "limit", { project: "42" });
      new DataStewardProject(stack, "shop", { project: "acme/shop" });
    });
    expect(found).toEqual({ "test/limit": `${FILE}:${line + 1}`, "test/shop": `${FILE}:${line + 2}` });
  });

  test("the metadata of each resource of ProjectSettings contains the line that declares the ProjectSettings", () => {
    let line = 0;
    const found = positions((stack) => {
      line = here() + 1;
      new ProjectSettings(stack, "shop", {
        project: "acme/shop",
        inboundEnabled: true,
        invitations: { "ada@example.com": { accessLevel: AccessLevel.DEVELOPER } },
      });
    });
    expect(found).toEqual({
      "test/shop/job-token-scope": `${FILE}:${line}`,
      "test/shop/invitation-ada%40example.com": `${FILE}:${line}`,
    });
  });

  test("if nested helper functions of the app create a construct, the metadata contains the line of the innermost function", () => {
    let line = 0;
    const nested = (stack: Construct, depth: number): void => {
      if (depth === 0) line = here() + 1;
      if (depth === 0) new JobTokenScope(stack, "limit", { project: "42" });
      else nested(stack, depth - 1);
    };
    expect(positions((stack) => nested(stack, 60))).toEqual({ "test/limit": `${FILE}:${line}` });
  });

  test("if a package declares a construct, the metadata contains the file and line of the app's call to the package", () => {
    const code = `
      const { JobTokenScope } = require("cdktf-provider-steward");
      exports.deep = (stack, depth) => depth > 0 ? exports.deep(stack, depth - 1) : new JobTokenScope(stack, "limit", { project: "42" });
    `;
    const exports: { deep?: (stack: Construct, depth: number) => void } = {};
    const filename = path.resolve("node_modules/acme-constructs/index.js");
    require("node:vm").runInThisContext(`(function (exports, require) {${code}\n})`, { filename })(
      exports,
      require,
    );
    let line = 0;
    const found = positions((stack) => {
      line = here() + 1;
      exports.deep!(stack, 30);
    });
    expect(found).toEqual({ "test/limit": `${FILE}:${line}` });
  });

  test("recording the position of a declaration does not change Error.prepareStackTrace and Error.stackTraceLimit", () => {
    const hook = Error.prepareStackTrace;
    const limit = Error.stackTraceLimit;
    positions((stack) => void new JobTokenScope(stack, "limit", { project: "42" }));
    expect([Error.prepareStackTrace, Error.stackTraceLimit]).toEqual([hook, limit]);
  });
});
