import { expectGolden, expectPage } from "./golden";
import { openRepository, type Repository, TOKENS } from "./run";

const FORMATS = ["md", "json", "xml", "widget.json", "html"];
const reports = (name: string): string[] => FORMATS.flatMap((format) => ["--report", `${name}.${format}`]);

/** The tests build on each other: what is applied, two changes by hand, a merge request, its apply. */
describe("the outputs of a merge request with six changes and a rename, on 30 projects with two drifts", () => {
  let repository: Repository;
  beforeAll(async () => {
    repository = await openRepository();
    await repository.steward(
      TOKENS.owner,
      ...["import", "--stack", "storefront", "steward_pages_settings.magazine", "acme/storefront/magazine"],
    );
    await repository.steward(TOKENS.owner, "apply", "--auto-approve", "--parallelism", "1");
    // Tomas gives himself access to production, and somebody lets the job tokens of every project read the orders.
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

  const expectReports = (name: string) => {
    for (const format of FORMATS)
      expectGolden(`${name}.golden.${format}`, repository.report(`${name}.${format}`));
  };

  test("drift shows the two changes made by hand", async () => {
    const out = await repository.steward(TOKENS.reader, "drift", ...reports("drift"));
    expectGolden("drift.golden.txt", out);
    expectReports("drift");
  });

  test("plan shows the changes of the merge request, and which of them revert drift", async () => {
    repository.merge();
    expectGolden("plan.golden.txt", await repository.steward(TOKENS.reader, "plan"));
  });

  test("plan --access shows who gains and who loses access, also in reports", async () => {
    const out = await repository.steward(TOKENS.reader, "plan", "--access", ...reports("plan"));
    expectGolden("plan-access.golden.txt", out);
    expectReports("plan");
  });

  test("plan --rights --show-requests shows what an apply needs, and what it sends", async () => {
    const out = await repository.steward(TOKENS.reader, "plan", "--rights", "--show-requests");
    expectGolden("plan-rights-and-requests.golden.txt", out);
  });

  test("plan --summary shows the number of changes alone", async () => {
    expectGolden("plan-summary.golden.txt", await repository.steward(TOKENS.reader, "plan", "--summary"));
  });

  test("apply reports real values", async () => {
    const words = ["apply", "--auto-approve", "--parallelism", "1"];
    const out = await repository.steward(TOKENS.owner, ...words, ...reports("apply"));
    expectGolden("apply.golden.txt", out);
    expectReports("apply");
    expect(repository.report("apply.md")).toBeUndefined();
  });
});

test("docs/reviewing.md shows these outputs", () => expectPage("docs/reviewing.md"));
