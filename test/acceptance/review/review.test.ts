import { expectGolden } from "../../cli/reports/support/golden";
import { junitErrors, schemaErrors } from "../../cli/reports/support/schemas";
import { parsePage, problemsOf } from "../../cli/support/html";
import { openRepository, type Repository, TOKENS } from "./run";
import { expectPage } from "./shown-outputs";

const FORMATS = ["md", "json", "xml", "widget.json", "html"];
const reports = (name: string): string[] => FORMATS.flatMap((format) => ["--report", `${name}.${format}`]);

interface ReportedObject {
  readonly address: string;
  readonly id?: string;
  readonly status: string;
}

/**
 * The changed objects, in the order of the stacks. The reports list the same objects in another order: they sort by the
 * effect on access.
 */
const CHANGED = [
  "steward_job_token_scope.orders_job-token-scope_14D79422",
  "steward_protected_environment.payments_environment-production_5FEFF436",
  "steward_protected_environment.warehouse-production",
  "steward_job_token_scope.legacy-import-limit",
  "steward_protected_environment.dns-production",
  "steward_job_token_allowlist.web-shop_job-token-allowlist_527E7DA9",
  "steward_project_invitation.ada",
  "steward_project_invitation.noor",
];
const DRIFTED = CHANGED.slice(0, 2);

/** The tests continue one another: an apply, two manual changes, a merge request, and the apply of the merge request. */
describe("the outputs of a merge request on 30 projects: six changes, a rename and two manual changes", () => {
  let repository: Repository;
  beforeAll(async () => {
    repository = await openRepository();
    await repository.steward(
      TOKENS.owner,
      ...["import", "--stack", "storefront", "steward_pages_settings.magazine", "acme/storefront/magazine"],
    );
    await repository.steward(TOKENS.owner, "apply", "--auto-approve", "--parallelism", "1");
    // Tomas gives himself access to production. He also gives the job tokens of every project access to the orders.
    const payments = "/projects/acme%2Fcommerce%2Fpayments";
    const tomas = { user_id: 7 };
    await repository.byHand("PUT", `${payments}/protected_environments/production`, {
      deploy_access_levels: [tomas],
    });
    await repository.byHand("PATCH", "/projects/acme%2Fcommerce%2Forders/job_token_scope", {
      enabled: false,
    });
  });
  afterAll(() => repository.close());

  /** Reads the reports of a command, and checks that all formats list the same objects. */
  const expectReports = async (name: string, count: number, changed: readonly string[], idle: string) => {
    const read = (format: string): string => repository.report(`${name}.${format}`)!;
    const [md, xml, html, widget] = [read("md"), read("xml"), read("html"), JSON.parse(read("widget.json"))];
    const report = JSON.parse(read("json"));
    expect(schemaErrors(report)).toEqual([]);
    const objects: ReportedObject[] = report.stacks.flatMap(
      (stack: { readonly objects: readonly ReportedObject[] }) => stack.objects,
    );
    expect(objects).toHaveLength(count);
    expect(objects.filter(({ status }) => status !== idle).map(({ address }) => address)).toEqual(changed);

    const entries = [...md.matchAll(/^- .*`(steward_\S+)`/gm)].map(([, address]) => address!);
    expect([...entries].sort()).toEqual([...changed].sort());

    expect(await junitErrors(xml)).toEqual([]);
    const cases = [...xml.matchAll(/<testcase name="[^"]+" classname="\w+\.([^"]+)"/g)];
    expect(cases.map(([, address]) => address)).toEqual(objects.map(({ address }) => address));
    const described = [...xml.matchAll(/<testcase [^>]*classname="\w+\.([^"]+)"[^>]*[^/]>/g)];
    expect(described.map(([, address]) => address)).toEqual(expect.arrayContaining([...changed]));

    expect(problemsOf(html)).toEqual([]);
    const cards = parsePage(html).elements.filter(({ attributes }) => attributes["class"] === "change");
    expect(cards.map(({ text }) => entries.find((address) => text.includes(address)))).toEqual(entries);
    return { report, md, xml, html, widget };
  };

  /** Returns the rows of the tables about access, without the sign in the first cell. */
  const accessInMarkdown = (md: string) =>
    [...md.matchAll(/^\| \S+ (\w+) \| (.*) \| (.*) \|$/gm)].map(([, ...cells]) =>
      cells.map((cell) => cell!.replaceAll("`", "")),
    );
  const accessInHtml = (html: string) =>
    [...html.matchAll(/^<tr><td>.* (\w+)<\/span><\/td><th .*?>(.*)<\/th><td.*?>(.*)<\/td><\/tr>$/gm)].map(
      ([, ...cells]) => cells.map((cell) => cell!.replaceAll("<wbr>", "")),
    );

  test("drift and all its reports show the two manual changes", async () => {
    const out = await repository.steward(TOKENS.reader, "drift", ...reports("drift"));
    expectGolden("merge-request-drift.golden.txt", out);
    const { report, xml, widget } = await expectReports("drift", 97, DRIFTED, "in_sync");
    expect(report.totals).toMatchObject({ changed: 2, vanished: 0, in_sync: 95, failed: 0 });
    expect(widget).toEqual({ create: 0, update: 2, delete: 0 });
    expect(xml).toContain('<testsuites name="steward drift" tests="97" failures="2" errors="0"');
    expect(xml.match(/<failure message="differs on the service from the applied value"/g)).toHaveLength(2);
  });

  let planned = "";
  test("plan with --access, --rights and --show-requests counts two settings as changed outside Steward", async () => {
    repository.merge();
    const words = ["plan", "--access", "--rights", "--show-requests"];
    planned = await repository.steward(TOKENS.reader, ...words, ...reports("plan"));
    expectGolden("merge-request-plan.golden.txt", planned);
    const { report, md, xml, html, widget } = await expectReports("plan", 100, CHANGED, "unchanged");
    expectGolden("merge-request-plan.golden.md", md);
    expect(report.totals).toMatchObject({ create: 3, update: 4, move: 1, destroy: 0, failed: 0 });
    expect(widget).toEqual({ create: 3, update: 4, delete: 0 });
    expect(xml).toContain('<testsuites name="steward plan" tests="100" failures="0" errors="0"');
    expect(accessInHtml(html)).toEqual(accessInMarkdown(md));
    expect(accessInHtml(html)).toHaveLength(15);
    expect(html).toContain('<dt>changed outside</dt><dd class="warning">2</dd>');
  });

  test("plan without --access prints the same changes as plan with --access", async () => {
    const lines = (await repository.steward(TOKENS.reader, "plan")).split("\n");
    const others = lines.filter((line) => line !== "" && !planned.split("\n").includes(line));
    expect(others.filter((line) => !/^ {4}not counted: |^Access: /.test(line))).toEqual([]);
    expect(lines).toContain(
      "    not counted: group acme/release-managers (a plan reads it only with --access)",
    );
  });

  test("plan --summary shows only the numbers of changes for each type", async () => {
    const out = await repository.steward(TOKENS.reader, "plan", "--summary");
    expect(out).toBe(`
                               add  change  move
steward_job_token_allowlist      0       1     0
steward_job_token_scope          1       1     0
steward_project_invitation       1       1     0
steward_protected_environment    1       1     1

4 stacks: 4 with changes (commerce, data, platform, storefront). Plan: 1 to move, 3 to add, 4 to change, 0 to destroy.
`);
  });

  test("the reports of apply contain the ids of created objects", async () => {
    const words = ["apply", "--auto-approve", "--parallelism", "1"];
    const out = await repository.steward(TOKENS.owner, ...words, ...reports("apply"));
    expect(out.match(/^Apply complete! .*$/gm)).toEqual([
      "Apply complete! Resources: 0 added, 2 changed, 0 destroyed.",
      "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
      "Apply complete! Resources: 1 moved, 1 added, 0 changed, 0 destroyed.",
      "Apply complete! Resources: 1 added, 2 changed, 0 destroyed.",
    ]);
    expect(out).toMatch(
      /\n4 stacks: 4 with changes .*\. Apply complete! Resources: 1 moved, 3 added, 4 changed, 0 destroyed\.\n$/,
    );
    const { report, md, html, widget } = await expectReports("apply", 100, CHANGED, "unchanged");
    expect(report.totals).toMatchObject({ create: 3, update: 4, move: 1, destroy: 0, failed: 0 });
    expect(widget).toEqual({ create: 3, update: 4, delete: 0 });
    for (const text of [md, html]) {
      expect(text).not.toContain("known after apply");
      for (const id of ["19:production", "2:15"]) expect(text).toContain(id);
    }
    expect(md).toContain('+ id                      = "19:production"\n');
    expect(accessInHtml(html)).toEqual(accessInMarkdown(md));
    expect(repository.report("apply.md")).toBeUndefined();
  });
});

test("docs/reviewing.md shows the exact outputs of the commands in this test file", () =>
  expectPage("docs/reviewing.md"));
