import type { Page } from "playwright-core";
import { html, row, searchable } from "../../../../src/cli/reports/formats/html/markup";
import { page as pageOf } from "../../../../src/cli/reports/formats/html/page";
import { accessibilityProblems, PHONE, TestBrowser } from "../../../support/browser";
import { describeWith } from "../../../support/capabilities";

jest.setTimeout(120_000);

const list = (id: string, noun: string, count: number) =>
  searchable({
    id,
    noun,
    facets: [
      { name: "project", label: "Project" },
      { name: "action", label: "Action" },
    ],
    rows: [0, 1].map(
      (group) => html`<section data-group><h3>Group ${group} of ${noun}</h3>
${Array.from({ length: count }, (_, at) => at)
  .filter((at) => at % 2 === group)
  .map(
    (
      at,
    ) => html`<details ${row({ project: [`acme/p${at}`, "acme/all"], action: group === 0 ? "create" : "delete" })} id="${id}${at}">
<summary>${noun} number ${at}</summary><p>Owner ${at === 3 ? "Maya" : "nobody"}</p></details>
`,
  )}</section>`,
    ),
  });

const CONTENTS = pageOf({
  title: "Lists",
  header: html`<h1>Lists</h1>`,
  skipTo: { id: "changes", label: "Skip to the changes" },
  content: html`<p><a href="#changes3">the fourth change</a></p>
<section><h2>Changes</h2>${list("changes", "changes", 12)}</section><section><h2>Objects</h2>${list("objects", "objects", 1)}</section>`,
});

describeWith("browser", "a page in a browser", (program) => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.launch(program);
  });
  afterAll(() => browser.close());

  const shown = (page: Page) => page.locator("#changes details:visible summary").allTextContents();

  test("the search also finds text in closed rows", async () => {
    const { page, problems } = await browser.open(CONTENTS);
    const status = page.locator("#changes [role=status]");
    expect(await status.textContent()).toBe("12 changes");
    await page.getByRole("searchbox", { name: "Search changes" }).fill("maya OWNER");
    expect(await shown(page)).toEqual(["changes number 3"]);
    expect(await status.textContent()).toBe("1 of 12 changes");
    expect(await page.getByRole("heading", { name: "Group 0 of changes" }).isVisible()).toBe(false);
    await page.getByRole("searchbox", { name: "Search changes" }).fill("nowhere");
    expect(await page.getByText("No changes match.").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Clear the filters" }).click();
    expect((await shown(page)).length).toBe(12);
    expect(problems).toEqual([]);
  });

  test("each option of a filter shows how many rows it selects", async () => {
    const { page, problems } = await browser.open(CONTENTS);
    const project = page.locator("#changes").getByLabel("Project");
    expect((await project.locator("option").allTextContents()).slice(0, 5)).toEqual([
      "Project: all",
      "acme/all (12)",
      "acme/p0 (1)",
      "acme/p1 (1)",
      "acme/p2 (1)",
    ]);
    await project.selectOption("acme/p3");
    expect(await shown(page)).toEqual(["changes number 3"]);
    await page.locator("#changes").getByLabel("Action").selectOption("create");
    expect(await shown(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    expect((await shown(page)).length).toBe(12);
    expect(problems).toEqual([]);
  });

  test("a user can search and open a change with only the keyboard", async () => {
    const { page } = await browser.open(CONTENTS);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the changes");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("number 5");
    expect(await shown(page)).toEqual(["changes number 5"]);
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.locator("#changes5 p").isVisible()).toBe(true);
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).toBe("solid");
  });

  test("a link to a change opens the row of the change, even if a filter hides the row", async () => {
    const { page } = await browser.open(CONTENTS);
    await page.getByRole("searchbox", { name: "Search changes" }).fill("number 7");
    await page.getByRole("link", { name: "the fourth change" }).click();
    expect(await page.locator("#changes3 p").isVisible()).toBe(true);
  });

  test("without scripts, or in print, the page shows no filters and no buttons", async () => {
    const { page } = await browser.open(CONTENTS, { javaScriptEnabled: false });
    expect((await shown(page)).length).toBe(12);
    expect(await page.locator("form:visible, select:visible, button:visible").count()).toBe(0);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#changes3 p").evaluate((element) => element.checkVisibility())).toBe(true);
    const scripted = await browser.open(CONTENTS);
    await scripted.page.emulateMedia({ media: "print" });
    expect(await scripted.page.locator("form:visible, button:visible").count()).toBe(0);
  });

  test.each(["light", "dark"] as const)(
    "the accessibility check finds no problem on the page in the %s theme",
    async (colorScheme) => {
      const { page } = await browser.open(CONTENTS, { colorScheme });
      await page.locator("#changes0 summary").click();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.setViewportSize(PHONE);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    },
  );
});
