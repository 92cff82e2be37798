import { historyOf } from "../../../src/cli/history/history";
import { historyPage } from "../../../src/cli/history/page";
import { accessibilityProblems, PHONE, SMALL_PHONE, TestBrowser } from "../../support/browser";
import { describeWith } from "../../support/capabilities";
import { withLongNames } from "../../support/long-names";
import { object, report, stack, traceOf } from "./support/reports";

const cellOf = (hour: number, at: number) => {
  if (hour === 0 || (hour + at) % 5 === 0) return "in_sync";
  return at % 3 === 2 ? "vanished" : (["level", "name"] as const).slice(0, (hour % 2) + 1);
};
const RUNS = Array.from({ length: 24 }, (_, hour) =>
  report(
    hour * 7,
    [
      stack(
        "shop",
        Array.from({ length: 6 }, (_, at) =>
          object("shop", `acme_protected_environment.production_of_the_project_${at}`, cellOf(hour, at), {
            project: `acme/group/project-${at % 20}`,
          }),
        ),
      ),
    ],
    { result: hour % 20 === 7 ? "failed" : "found" },
  ),
);
const pageOf = (all: typeof RUNS): string =>
  historyPage(
    historyOf({
      trace: traceOf(all),
      copies: 1,
      skipped: [{ file: "2026/01/broken.json", reason: "it ends too early" }],
    }),
  );
const CONTENTS = pageOf(RUNS);

describeWith("browser", "the history in a browser", (program) => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.launch(program);
  });
  afterAll(() => browser.close());

  test.each([
    ["light", "desktop", { width: 1200, height: 820 }],
    ["dark", "phone", PHONE],
  ] as const)(
    "the history page violates no rule of accessibility in the %s theme on a %s",
    async (colorScheme, _, viewport) => {
      const { page, problems } = await browser.open(CONTENTS, { colorScheme, viewport });
      const fits = "document.documentElement.scrollWidth <= innerWidth";
      expect(await page.evaluate(fits)).toBe(true);
      for (const summary of await page.locator("summary").all()) await summary.click();
      expect(await page.evaluate(fits)).toBe(true);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test("names of 200 characters do not make the history page wider than a phone", async () => {
    const contents = pageOf(withLongNames(RUNS));
    expect(await browser.widthsOf(contents, SMALL_PHONE)).toEqual([SMALL_PHONE.width, SMALL_PHONE.width]);
  });

  test("on a phone, the history chart is as wide as the page and contains all labels", async () => {
    const { page } = await browser.open(CONTENTS, { viewport: PHONE });
    const chart = (await page.locator(".chart").boundingBox())!;
    const area = (await page.locator(".chart .total").boundingBox())!;
    expect(Math.abs(area.width - chart.width)).toBeLessThan(10);
    // The tolerance of 3 pixels is for the outline of the text, which is part of its box.
    for (const label of await page.locator(".chart text:visible").all()) {
      const box = (await label.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(chart.x - 3);
      expect(box.x + box.width).toBeLessThanOrEqual(chart.x + chart.width + 3);
      expect(box.y + box.height).toBeLessThanOrEqual(chart.y + chart.height + 3);
    }
  });

  test("the search of the history page leaves only matching rows in the list of open drifts", async () => {
    const { page } = await browser.open(CONTENTS);
    const status = page.locator("#open-drifts [role=status]");
    const all = await status.textContent();
    await page.getByRole("searchbox", { name: "Search open drifts" }).fill("project-4 level");
    expect(await status.textContent()).not.toBe(all);
    expect(await page.locator("#open-drifts tbody tr:visible").count()).toBe(1);
    await page.getByRole("searchbox", { name: "Search open drifts" }).fill("");
    await page.locator("#open-drifts").getByLabel("Kind").selectOption("vanished");
    expect(
      await page.locator("#open-drifts tbody tr:visible").filter({ hasNotText: "vanished" }).count(),
    ).toBe(0);
  });
});
