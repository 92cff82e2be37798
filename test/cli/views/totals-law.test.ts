import { readFileSync } from "node:fs";
import path from "node:path";
import type { Report } from "../../../src/cli/document/model";
import { synthesizeOnce } from "../support/app";
import { usePlace } from "../support/place";

// The tests check that the last line, all reports and the exit code of a run state the same result.

const place = usePlace("all");

const APP = `
  const { App, TerraformStack } = require("cdktf");
  const app = new App();
  for (const name of ["shop", "tools", "docs"]) {
    const stack = new TerraformStack(app, name);
    stack.addOverride("terraform.required_providers.steward.source", "registry.steward.example/steward/steward");
    stack.addOverride("provider.steward", [{}]);
    stack.addOverride("resource.steward_job_token_scope.it", { project: "acme/" + name, inbound_enabled: true });
  }
  app.synth();
`;

const REPORTS = ["json", "md", "html", "xml"];
const WAIVER = { object: "steward_job_token_scope.it", reason: "A trial.", expires: "2999-01-01" };

/** Changes that happen after the apply, and before a drift run. `says` is the total that every output must state. */
const SITUATIONS: readonly {
  readonly what: string;
  readonly drifted?: boolean;
  readonly undeclared?: boolean;
  readonly waived?: boolean;
  readonly refused?: boolean;
  readonly says: string;
}[] = [
  { what: "nothing", says: "3 stacks: no drift" },
  { what: "undeclared objects", undeclared: true, says: "3 stacks: no drift, 1 unmanaged object" },
  { what: "drift", drifted: true, says: "3 stacks: 1 with drift (tools)" },
  {
    what: "drift and undeclared objects",
    drifted: true,
    undeclared: true,
    says: "3 stacks: 1 with drift (tools), 1 unmanaged object",
  },
  {
    what: "waived drift",
    drifted: true,
    waived: true,
    says: "3 stacks: 1 difference ignored, no others",
  },
  {
    what: "waived drift and undeclared objects",
    drifted: true,
    undeclared: true,
    waived: true,
    says: "3 stacks: 1 difference ignored, no others, 1 unmanaged object",
  },
  { what: "a refused token", refused: true, says: "3 stacks: 3 failed (docs, shop, tools)" },
];

beforeAll(async () => {
  synthesizeOnce(place, APP);
  place.write("waivers.yaml", [WAIVER]);
  expect((await place.run(["apply", "--auto-approve"])).code).toBe(0);
});

const EXIT = { clean: 0, found: 2, failed: 1 };

test.each(SITUATIONS)(
  "after $what, drift --coverage prints the same totals as text, as JSON and in each report format",
  async (one) => {
    const { drifted = false, undeclared = false, waived = false, refused = false, says } = one;
    await place.byHand("PATCH", "/projects/2/job_token_scope", { enabled: !drifted });
    const environment = { name: "production", deploy_access_levels: [{ access_level: 40 }] };
    if (undeclared) await place.byHand("POST", "/projects/3/protected_environments", environment);
    else await place.byHand("DELETE", "/projects/3/protected_environments/production");
    const drift = ["drift", "--coverage", ...(waived ? ["--ignore", "waivers.yaml"] : [])];
    const env = refused ? { STEWARD_TOKEN: "refused" } : {};
    const files = REPORTS.flatMap((format) => ["--report", `r.${format}`]);

    const shown = await place.run([...drift, ...files], env);
    const [, total = ""] =
      /^(3 stacks: .*?)(?:, \d+ objects? drifted)?, \d+ objects? checked\./m.exec(shown.out) ?? [];
    expect(total).toBe(says);
    const summed = await place.run([...drift, "--summary"], env);
    expect(summed.out).toContain(`\n${total}, `);
    const events = await place.run([...drift, "--json"], env);

    const text = (format: string) => readFileSync(path.join(place.folder, `r.${format}`), "utf8");
    const report: Report = JSON.parse(text("json"));
    const found = (drifted && !waived) || undeclared;
    const foundOrClean = found ? "found" : "clean";
    expect(report.result).toBe(refused ? "failed" : foundOrClean);
    const codes = [shown.code, summed.code, events.code];
    expect(codes).toEqual(codes.map(() => EXIT[report.result]));
    expect(text("md")).toContain(`\n${total.replaceAll(/ \([^)]*\)/g, "")}.\n`);
    expect(text("html")).toMatch(/<dt>stacks<\/dt><dd>3<\/dd>/);
    const { changed, unmanaged } = report.totals!;
    expect([changed, unmanaged]).toEqual([Number(drifted && !waived), Number(undeclared)]);
    const tile = (name: string) =>
      // The page has no tile for a total of 0.
      Number(new RegExp(`<dt>${name}</dt><dd[^>]*>(\\d+)`).exec(text("html"))?.[1] ?? 0);
    expect([tile("changed"), tile("unmanaged")]).toEqual([changed, unmanaged]);
    expect(Number(/ failures="(\d+)"/.exec(text("xml"))?.[1])).toBe(changed! + unmanaged!);
  },
);

/**
 * Changes that happen after the apply, and before the next plan or apply. `says` is the total that every output of the plan
 * must state.
 */
const CHANGES = [
  { what: "nothing", says: "3 stacks: no changes", result: "clean" },
  { what: "a change", drifted: true, says: "3 stacks: 1 with changes (tools)", result: "found" },
  {
    what: "a refused token",
    refused: true,
    says: "3 stacks: 3 failed (docs, shop, tools)",
    result: "failed",
  },
] as const;

describe.each(["plan --detailed-exitcode", "plan", "apply --auto-approve"])("the totals of %s", (command) => {
  test.each(CHANGES)(
    "after $what, the command prints the same totals as text, as JSON and in each report format",
    async ({ says, result, ...one }) => {
      const env = "refused" in one ? { STEWARD_TOKEN: "refused" } : {};
      const run = async (...words: string[]) => {
        await place.byHand("PATCH", "/projects/2/job_token_scope", { enabled: !("drifted" in one) });
        return place.run([...command.split(" "), ...words], env);
      };
      const shown = await run(...REPORTS.flatMap((format) => ["--report", `r.${format}`]));
      const total = /^3 stacks: .*?(?=\. |\.$|$)/m.exec(shown.out)?.[0];
      expect(total).toBe(says);
      const others = command.startsWith("plan")
        ? [await run("--summary"), await run("--json")]
        : [await run("--json")];
      const found = command.includes("detailed") ? EXIT.found : 0;
      const code = result === "found" ? found : EXIT[result];
      expect([shown, ...others].map((ended) => ended.code)).toEqual([shown, ...others].map(() => code));
      if (command.startsWith("plan")) expect(others[0]!.out).toContain(says);
      const text = (format: string) => readFileSync(path.join(place.folder, `r.${format}`), "utf8");
      const report: Report = JSON.parse(text("json"));
      expect(report.result).toBe(result);
      expect(text("md")).toContain(`\n${says.replaceAll(/ \([^)]*\)/g, "")}.\n`);
      expect(text("html")).toMatch(/<dt>stacks<\/dt><dd>3<\/dd>/);
      const [, errors] = / errors="(\d+)"/.exec(text("xml"))!;
      expect(Number(errors) > 0).toBe(result === "failed");
    },
  );
});
