import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** The way in which a page is opened: the theme, the size of the window, and whether scripts run. */
export type Look = Pick<BrowserContextOptions, "colorScheme" | "viewport" | "javaScriptEnabled">;

export const PHONE = { width: 390, height: 844 } as const;
export const SMALL_PHONE = { width: 360, height: 780 } as const;

/** A page in a browser, with the problems that occurred in it. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors of scripts, violations of the page's content security policy, and all requests except for the page itself. */
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
    // Chromium refuses to start its sandbox as root. Chromium must not use /dev/shm, which is small in Docker
    // containers.
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

  /** Returns the widths of a page in the light and in the dark theme, with all collapsed parts expanded. */
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

/** Returns the accessibility rules that a page violates, with the elements that violate them. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
