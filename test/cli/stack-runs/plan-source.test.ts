import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import type { RunArguments } from "../../../src/cli/arguments/shared-options";
import { describeRecordedSource, planSource, withPlanSource } from "../../../src/cli/stack-runs/plan-file";
import { DiagnosticError } from "../../../src/diagnostics";
import type { PlanFile } from "../../../src/engine";
import { runs, seed } from "../../support/capabilities";

const root = realpathSync(mkdtempSync(path.join(tmpdir(), "steward-plan-source-")));
const folder = path.join(root, "work");
beforeAll(() => {
  for (const name of ["work/infra", "work/states", "elsewhere"])
    mkdirSync(path.join(root, name), { recursive: true });
  writeFileSync(path.join(folder, "file"), "");
  symlinkSync("infra", path.join(folder, "inner"));
  symlinkSync("../elsewhere", path.join(folder, "outer"));
  symlinkSync("../elsewhere/nothing", path.join(folder, "dangling"));
  symlinkSync("loop", path.join(folder, "loop"));
});
afterAll(() => rmSync(root, { recursive: true }));

const ARGUMENTS: RunArguments = { json: false, color: true };
const taken = (source: PlanFile["source"], given: object = {}) =>
  withPlanSource({ ...ARGUMENTS, ...given }, { source, stacks: [] }, "the file", { folder });

const name = fc.constantFrom(
  "..",
  ".",
  "",
  "infra",
  "inner",
  "outer",
  "dangling",
  "loop",
  "file",
  "new",
  "~",
  "C:",
  "\0",
  "x".repeat(300),
);
const place = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "/", "./", "../"), fc.array(name, { maxLength: 5 }))
    .map(([start, steps]) => start + steps.join("/")),
  fc.string({ maxLength: 20 }),
);

describe("the paths in a saved plan", () => {
  test("if a path in a saved plan leads outside of the working folder, apply refuses the path", () => {
    fc.assert(
      fc.property(place, fc.constantFrom("config", "state"), (where, option) => {
        let found: string;
        try {
          found = taken({ [option]: where, again: [] } as PlanFile["source"])[option as "config"]!;
        } catch (problem) {
          if (!(problem instanceof DiagnosticError)) throw problem;
          expect(problem.diagnostics).toMatchObject([{ code: "saved_plan_outside" }]);
          return;
        }
        // A new file has no real path yet, so the test resolves the nearest parent folder that exists.
        let real = path.resolve(folder, found);
        for (;;) {
          try {
            real = realpathSync(real);
            break;
          } catch {
            real = path.dirname(real);
          }
        }
        expect(real === folder || real.startsWith(`${folder}/`)).toBe(true);
      }),
      { numRuns: runs(1000, 20_000), seed },
    );
  });

  test.each(["outer", "outer/x", "dangling", "dangling/x", "loop", "infra/../..", "../x/../elsewhere"])(
    "apply refuses the path %s, which leads outside of the working folder",
    (config) => {
      expect(() => taken({ config, again: [] })).toThrow("which is outside the working folder");
    },
  );

  test.each(["infra", ".", "inner", "states/new.tfstate", "new/deeper"])(
    "apply accepts the path %s, which is inside the working folder",
    (state) => {
      expect(taken({ state, again: [] }).state).toBe(state);
    },
  );

  test("an option of apply overrides the same path in a saved plan", () => {
    const source = { config: "infra", state: "states/a.tfstate", again: [] };
    const given = { ...ARGUMENTS, config: "inner" };
    const args = withPlanSource(given, { source, stacks: [] }, "the file", { folder });
    expect(args).toMatchObject({ config: "inner", state: "states/a.tfstate" });
    expect(describeRecordedSource(given, args)).toBe("From the saved plan: the state in states/a.tfstate.");
    expect(taken(source, { app: "node app.js" }).config).toBeUndefined();
  });

  test("if plan used a path outside the working folder, apply of the saved plan requires the option for this path", () => {
    const kept = (given: object) => planSource({ ...ARGUMENTS, ...given }, { folder });
    expect(kept({ config: path.join(folder, "infra"), state: "states/../a.tfstate" })).toEqual({
      config: "infra",
      state: "a.tfstate",
      again: [],
    });
    expect(kept({ config: "../elsewhere", state: "outer/x" })).toEqual({ again: ["config", "state"] });
    expect(kept({ app: "node app.js" })).toEqual({ again: [] });
    expect(() => taken({ again: ["state"] })).toThrow("Add --state to this command");
    expect(taken({ again: ["state"] }, { state: "x" }).state).toBe("x");
  });
});
