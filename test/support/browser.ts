import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** How a page is opened: the theme, the size of the window, whether scripts run. */
export type Look = Pick<BrowserContextOptions, "colorScheme" | "viewport" | "javaScriptEnabled">;

export const PHONE = { width: 390, height: 844 } as const;
export const SMALL_PHONE = { width: 360, height: 780 } as const;

/** A page in a browser, with what went wrong in it. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors of scripts, violations of the policy, and requests for anything but the page. */
  readonly problems: readonly string[];
}

/** A browser without a window, which opens pages from files. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "steward-pages-"));
  #count = 0;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(program: string): Promise<TestBrowser> {
    // Chromium has no sandbox for root, and containers have a small /dev/shm.
    const args = ["--no-sandbox", "--disable-dev-shm-usage"];
    return new TestBrowser(await chromium.launch({ executablePath: program, args }));
  }

  async open(contents: string, look: Look = {}): Promise<OpenedPage> {
    const file = path.join(this.#folder, `${++this.#count}.html`);
    writeFileSync(file, contents);
    const context = await this.#browser.newContext(look);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => problems.push(message.text()));
    page.on("request", (request) => {
      if (request.url() !== `file://${file}`) problems.push(request.url());
    });
    await page.goto(`file://${file}`);
    return { page, problems };
  }

  /** How wide a page is with everything opened, in the light and in the dark theme. */
  async widthsOf(contents: string, viewport: NonNullable<Look["viewport"]>): Promise<number[]> {
    const widths: number[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await this.open(contents, { colorScheme, viewport });
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      widths.push(await page.evaluate<number>("document.documentElement.scrollWidth"));
      await page.close();
    }
    return widths;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The rules of accessibility that a page violates, with the elements. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
