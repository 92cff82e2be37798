// `npm run screenshots`: makes the pictures in docs/images with Chromium, at two sizes and in a light and a dark theme.
// The pictures show HTML reports of the merge request in test/acceptance/review, and a history of drift. Run this
// script after a change to the reports, and look at the pictures. `npm run screenshots -- history` makes only pictures
// of one kind (review, dependencies, history).
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { historyOf } from "../src/cli/history/history";
import { historyPage } from "../src/cli/history/page";
import { packageVersion } from "../src/cli/version";
import { startService } from "../src/service";
import { company } from "../test/acceptance/review/company";
import { openRepository, TOKENS } from "../test/acceptance/review/run";
import { traceOf } from "../test/cli/history/support/reports";
import { twoMonths } from "../test/cli/history/support/two-months";
import { runInProcess } from "../test/cli/support/in-process";
import { type Look, PHONE, TestBrowser } from "../test/support/browser";
import { programFor } from "../test/support/capabilities";

const IMAGES = path.join(__dirname, "../docs/images");
const DESKTOP = { width: 1200, height: 820 } as const;

const LOOKS: Readonly<Record<string, Look>> = {
  desktop: { viewport: DESKTOP, colorScheme: "light" },
  dark: { viewport: DESKTOP, colorScheme: "dark" },
  phone: { viewport: PHONE, colorScheme: "light" },
};

/**
 * Returns the HTML reports of a merge request, which show its plan and the drift. The reports are written in the way in
 * which a pipeline would write them.
 */
async function reviewed(): Promise<{ plan: string; drift: string }> {
  const repository = await openRepository();
  try {
    const magazine = ["steward_pages_settings.magazine", "acme/storefront/magazine"];
    await repository.steward(TOKENS.owner, "import", "--stack", "storefront", ...magazine);
    await repository.steward(TOKENS.owner, "apply", "--auto-approve");
    const payments = "/projects/acme%2Fcommerce%2Fpayments/protected_environments/production";
    await repository.byHand("PUT", payments, { deploy_access_levels: [{ user_id: 7 }] });
    const orders = "/projects/acme%2Fcommerce%2Forders/job_token_scope";
    await repository.byHand("PATCH", orders, { enabled: false });
    await repository.steward(TOKENS.reader, "drift", "--coverage", "--report", "drift.html");
    repository.merge();
    await repository.steward(TOKENS.reader, "plan", "--access", "--report", "plan.html");
    return { plan: named(repository.report("plan.html")!), drift: named(repository.report("drift.html")!) };
  } finally {
    await repository.close();
  }
}

/**
 * Puts the version of the package into a report. Tests replace the version by 1.0.0, so that their expected reports do
 * not depend on it.
 */
const named = (page: string): string => page.replaceAll("Steward 1.0.0", `Steward ${packageVersion()}`);

/**
 * Returns a configuration with three resources in each of several projects. Most resources depend on other resources,
 * so that the report shows dependencies.
 */
const connected = () => {
  const names = ["cart", "catalog", "checkout", "customers", "orders", "payments"];
  const each = (make: (name: string) => object) =>
    Object.fromEntries(names.map((name) => [name, make(name)]));
  const scope = (name: string) => `\${steward_job_token_scope.${name}.project}`;
  return {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource: {
      steward_job_token_scope: each((name) => ({ project: `acme/commerce/${name}`, inbound_enabled: true })),
      steward_job_token_allowlist: each((name) => ({
        project: scope(name),
        target_projects: ["acme/platform/deploy-tools"],
      })),
      steward_protected_environment: each((name) => ({
        project: scope(name),
        name: "production",
        deploy_access_levels: [{ access_level: 40 }],
        depends_on: [
          `steward_job_token_allowlist.${name}`,
          ...(name === "orders" ? ["steward_protected_environment.payments"] : []),
        ],
      })),
    },
  };
};

async function dependencies(): Promise<string> {
  const service = await startService({ fixture: company });
  const folder = mkdtempSync(path.join(tmpdir(), "steward-screenshots-"));
  try {
    writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(connected()));
    const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: TOKENS.reader };
    const { code, err } = await runInProcess(["plan", "--config", ".", "--report", "plan.html"], {
      folder,
      env,
    });
    if (code !== 0) throw new Error(err);
    return readFileSync(path.join(folder, "plan.html"), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
    await service.close();
  }
}

const history = (): string => historyPage(historyOf({ trace: traceOf(twoMonths()), copies: 0, skipped: [] }));

async function main(): Promise<void> {
  const program = programFor("browser");
  if (program === undefined) throw new Error("There is no Chromium on the PATH.");
  mkdirSync(IMAGES, { recursive: true });
  const browser = await TestBrowser.launch(program);
  const shoot = async (
    name: string,
    contents: string,
    look: Look,
    prepare?: (page: Page) => Promise<void>,
  ) => {
    const { page } = await browser.open(contents, look);
    await prepare?.(page);
    const file = path.join(IMAGES, `${name}.png`);
    await page.screenshot({ path: file });
    process.stdout.write(`${file}: ${Math.round(readFileSync(file).length / 1000)} kB\n`);
    await page.close();
  };
  const shootAll = async (name: string, contents: string) => {
    for (const [look, options] of Object.entries(LOOKS)) await shoot(`${name}-${look}`, contents, options);
  };
  const kinds: Readonly<Record<string, () => Promise<void>>> = {
    async review() {
      for (const [name, contents] of Object.entries(await reviewed())) await shootAll(name, contents);
    },
    async dependencies() {
      const toGraph = (page: Page) => page.locator("#dependencies").scrollIntoViewIfNeeded();
      const viewport = { width: 1200, height: 560 };
      await shoot("plan-dependencies", await dependencies(), { viewport }, async (page) => {
        await toGraph(page);
        await page.evaluate("document.querySelector('#dependencies').scrollIntoView()");
      });
    },
    history: () => shootAll("history", history()),
  };
  const wanted = process.argv.slice(2);
  try {
    for (const [kind, make] of Object.entries(kinds))
      if (wanted.length === 0 || wanted.includes(kind)) await make();
  } finally {
    await browser.close();
  }
}

main().catch((problem: unknown) => {
  console.error(problem);
  process.exitCode = 1;
});
