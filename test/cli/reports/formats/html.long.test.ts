import { htmlReport } from "../../../../src/cli/reports/formats/html";
import { printableReport } from "../../../../src/cli/reports/safe-report";
import { accessibilityProblems, type Look, PHONE, SMALL_PHONE, TestBrowser } from "../../../support/browser";
import { describeWith } from "../../../support/capabilities";
import { withLongNames } from "../../../support/long-names";
import { largeReport } from "../support/large";
import { applied, drifted, partlyDrifted, planned } from "../support/runs";

jest.setTimeout(120_000);

const access = [
  {
    project: "acme/web",
    environment: "production",
    gains: { deploy: ["maya"] },
    loses: { deploy: ["carl"] },
    rules: [{ name: "approvals", before: 2, after: 1 }],
    not_counted: [{ what: "group 7", why: "hidden" }],
    text: "",
  },
];

const REPORTS = {
  "a plan": async () => ({ ...(await planned()), access }),
  "an apply": applied,
  drift: async () => ({ ...(await drifted()), coverage: ["project 42"] }),
  "unfinished drift": partlyDrifted,
};
/**
 * This page has the same kinds of elements as the page "a plan". This page has many more elements, so axe takes seconds.
 * The page is tested less often.
 */
const LARGE = { "a plan of 105 changes": async () => largeReport(105) };

const ON_A_PHONE: Look = { colorScheme: "dark", viewport: PHONE };
const LOOKS: readonly Look[] = [{ colorScheme: "light" }, ON_A_PHONE];

describeWith("browser", "the page of a report in a browser", (program) => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.launch(program);
  });
  afterAll(() => browser.close());

  test.each([
    ...Object.entries(REPORTS).map(([name, make]) => [name, make, LOOKS] as const),
    ...Object.entries(LARGE).map(([name, make]) => [name, make, [ON_A_PHONE]] as const),
  ])(
    "the page of %s violates no rule of accessibility in each theme and on a phone",
    async (_, make, looks) => {
      const contents = htmlReport(printableReport(await make()));
      for (const look of looks) {
        const { page, problems } = await browser.open(contents, look);
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        expect(problems).toEqual([]);
      }
    },
  );

  test.each(Object.entries({ ...REPORTS, ...LARGE }))(
    "names of 200 characters do not widen the page of %s on a phone",
    async (_, make) => {
      const run = { services: ["https://git.example"], commit: "c0ffee", pipeline: "https://git.example/7" };
      const contents = htmlReport(printableReport(withLongNames({ ...(await make()), access, run })));
      expect(await browser.widthsOf(contents, SMALL_PHONE)).toEqual([SMALL_PHONE.width, SMALL_PHONE.width]);
    },
  );

  test("a click on a node of the graph opens the node's change", async () => {
    const { page } = await browser.open(htmlReport(largeReport(400)));
    const change = page.locator("#o2");
    expect(await change.locator(".diff").evaluate((element) => element.checkVisibility())).toBe(false);
    await page.locator("svg a").first().click();
    expect(await change.locator(".diff").evaluate((element) => element.checkVisibility())).toBe(true);
    await page.emulateMedia({ media: "print" });
    const isPrinted = await page
      .locator(".diff")
      .evaluateAll((elements) => elements.every((element) => element.checkVisibility()));
    expect(isPrinted).toBe(true);
  });

  test("a user can filter the changes by project, type and action", async () => {
    const { page } = await browser.open(htmlReport(largeReport(400)));
    const status = page.getByRole("status");
    await page.getByLabel("Project or group").selectOption("acme/team-0/service-7");
    expect(await status.textContent()).toBe("2 of 400 changes");
    await page.getByRole("combobox", { name: "Action" }).selectOption("add");
    await page.getByRole("combobox", { name: "Type" }).selectOption("steward_protected_environment");
    expect(await page.locator("[data-row]:visible").count()).toBeLessThan(2);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("searchbox").fill('"production-123"');
    expect(await page.locator("[data-row]:visible .address").allTextContents()).toEqual([
      "steward_protected_environment.service-123_environment-production",
    ]);
  });
});
