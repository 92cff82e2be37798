import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as cdktf from "cdktf";
import * as cdktn from "cdktn";
import type { Construct } from "constructs";
import * as steward from "../../src/constructs";

// cdktn is a fork of cdktf, and both mark their constructs with the same symbols. Each library fails without an explanation
// if it gets constructs of the other library. The tests check that this package explains the mistake.

const project = "acme/web-shop";
/** All ways in which an app can add a declaration of this package to a stack. */
const DECLARATIONS: Readonly<Record<string, (scope: Construct) => void>> = {
  "[web/limit]": (scope) => void new steward.JobTokenScope(scope, "limit", { project, inboundEnabled: true }),
  "[web/project]": (scope) => void new steward.DataStewardProject(scope, "project", { project }),
  "[web/steward]": (scope) => void new steward.StewardProvider(scope, "steward"),
  "[web/shop]": (scope) => void new steward.ProjectSettings(scope, "shop", { project }),
  "[web/imports]": (scope) => void new steward.ImportBlocks(scope, "imports", {}),
  "[web/adopted]": (scope) => void steward.JobTokenScope.generateConfigForImport(scope, "adopted", "42"),
  ProjectPolicy: (scope) => new steward.ProjectPolicy({ rules: [] }).visit(scope),
};

describe.each(Object.entries(DECLARATIONS))("%s", (subject, declare) => {
  let outdir: string;
  beforeEach(() => {
    outdir = mkdtempSync(path.join(tmpdir(), "steward-family-"));
  });
  afterEach(() => rmSync(outdir, { recursive: true }));

  test("if the construct is declared in a stack of cdktn, the error names the package for cdktn", () => {
    class WebStack extends cdktn.TerraformStack {}
    const stack = new WebStack(new cdktn.App({ outdir }), "web");
    expect(() => declare(stack)).toThrow(
      expect.objectContaining({
        code: "wrong_package",
        message:
          `${subject} is for stacks of cdktf, but its stack "web" is a TerraformStack of cdktn, which can't synthesize it. ` +
          'Install cdktn-provider-steward and import from "cdktn-provider-steward", or import App and TerraformStack from "cdktf".',
      }),
    );
    expect(stack.node.children).toEqual([]);
  });

  test("a declaration of this package is accepted in a stack of cdktf", () => {
    class WebStack extends cdktf.TerraformStack {}
    declare(new WebStack(new cdktf.App({ outdir }), "web"));
  });
});

test("a construct accepts a stack of an unknown library that has the symbols of cdktf", () => {
  class OtherStack extends cdktn.TerraformStack {}
  Object.defineProperty(OtherStack, Symbol.for("jsii.rtti"), { value: { fqn: "another.TerraformStack" } });
  const outdir = mkdtempSync(path.join(tmpdir(), "steward-family-"));
  const stack = new OtherStack(new cdktn.App({ outdir }), "web");
  expect(() => new steward.JobTokenScope(stack, "limit", { project, inboundEnabled: true })).not.toThrow();
  rmSync(outdir, { recursive: true });
});
