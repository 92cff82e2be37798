// Measures how long Chromium needs for an HTML report of 5,000 changes. Compares this time with the time for a page
// that has the same rows as plain text.

import type { ReportObject } from "../src/cli/document/model";
import { htmlReport } from "../src/cli/reports/formats/html";
import { largeReport } from "../test/cli/reports/support/large";
import { TestBrowser } from "../test/support/browser";
import { programFor } from "../test/support/capabilities";
import { median, print } from "./figures";

const ROUNDS = 9;

const rowText = ({ action, address, project, id, construct, file, line, diff }: ReportObject): string =>
  `${action} ${address} ${project}\nproject ${project} id ${id} construct ${construct} declared in ${file}:${line}\n${diff}\n`;

/** Measures the milliseconds from the navigation until the page is loaded and painted. */
async function timeOf(browser: TestBrowser, contents: string): Promise<number> {
  const { page } = await browser.open(contents, { viewport: { width: 1280, height: 800 } });
  const time = await page.evaluate<number>(
    "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(Math.max(" +
      "performance.getEntriesByType('navigation')[0].loadEventEnd, " +
      "...performance.getEntriesByType('paint').map(({ startTime }) => startTime))))))",
  );
  await page.context().close();
  return time;
}

async function main(): Promise<void> {
  const program = programFor("browser");
  if (program === undefined) {
    process.stdout.write("Left out: there is no Chromium on the PATH.\n");
    return;
  }
  const report = largeReport(5_000);
  const started = performance.now();
  const page = htmlReport(report);
  const written = performance.now() - started;
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const rows = report.stacks[0]!.objects.map(rowText).map(escaped).join("\n");
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Text</title></head><body><pre>${rows}</pre></body></html>`;
  const browser = await TestBrowser.launch(program);
  try {
    const times = { page: [] as number[], text: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      // The order alternates, so that neither page is always the first.
      for (const one of round % 2 === 0 ? (["page", "text"] as const) : (["text", "page"] as const))
        times[one].push(await timeOf(browser, one === "page" ? page : text));
    }
    const ratios = times.page.map((time, at) => time / times.text[at]!);
    print({ name: "page of 5,000 changes: written", value: written, unit: "ms" });
    print({ name: "page of 5,000 changes: size", value: page.length / 1e6, unit: "MB" });
    print({ name: "page of 5,000 changes: loaded and painted", value: median(times.page), unit: "ms" });
    print({ name: "the same rows as text: loaded and painted", value: median(times.text), unit: "ms" });
    print({ name: "page / text", value: median(ratios), unit: "times", atMost: 3 });
  } finally {
    await browser.close();
  }
}

main().catch((problem: unknown) => {
  console.error(problem);
  process.exitCode = 1;
});
