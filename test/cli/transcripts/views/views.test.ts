import { parse } from "yaml";
import { describeChange } from "../../../../src/cli/document/describe";
import type { Report } from "../../../../src/cli/document/model";
import { htmlReport } from "../../../../src/cli/reports/formats/html";
import { jsonReport } from "../../../../src/cli/reports/formats/json";
import { junitReport } from "../../../../src/cli/reports/formats/junit";
import { COMMENT_LIMIT, markdownReport } from "../../../../src/cli/reports/formats/markdown";
import { mergeReports } from "../../../../src/cli/reports/merge";
import { PLAIN } from "../../../../src/cli/terminal/text";
import { renderChange } from "../../../../src/cli/views/plan";
import { compare, unframed } from "../../../support/transcripts/compare";
import { expectLike } from "../../../support/transcripts/data";
import { playTranscripts, StepPlayer, type Taken } from "../../../support/transcripts/player";
import { parsePage, problemsOf, withoutAssets } from "../../support/html";
import { textOf } from "../../support/text-of";
import { documentOf } from "./documents";
import { changeOf, expanded, Run } from "./runs";

// The tests play transcripts about views. A transcript about views runs no command. It has runs and documents as data, and
// expects their texts, events and reports.

/** Plays the steps of one test. */
class Player extends StepPlayer {
  #run = new Run();
  #documents: Report[] = [];
  #object: string | undefined;

  protected async take({ word, rest, block }: Taken): Promise<void> {
    switch (word) {
      case "given": {
        const [, kind = "", data = ""] = /^(\S+) ?(.*)$/s.exec(rest)!;
        return this.#give(kind, data, block);
      }
      case "run":
        this.#run = new Run();
        this.#object = undefined;
        this.#run.isMerged = rest === "merged";
        this.#run.isSummary = rest === "summary";
        return;
      case "file": {
        const [, name = "", sign = "", expected = ""] = /^(\S+) (\S+) ?(.*)$/s.exec(rest)!;
        return compare(sign, await this.#file(name), expected, block);
      }
      case "refused":
        return expect(this.#joined).toThrow(rest.replace(/^join => /, ""));
      case "!": {
        const { err } = await this.#run.text();
        return block === "" ? expect(unframed(err)).toContain(rest) : compare(">", err, rest, block);
      }
      case "diagnostics":
        return expect((await this.#run.text()).err.split("╷\n")).toHaveLength(1 + Number.parseInt(rest, 10));
      case "events":
        return this.#events(rest, block);
      case "last":
        return expectLike((await this.#run.events()).at(-1), parse(rest + block));
      case "count": {
        const { out, err } = await this.#run.text();
        return compare("count", this.#object ?? out + err, rest, block);
      }
      default:
        return compare(word, this.#object ?? (await this.#run.text()).out, rest, block);
    }
  }

  #give(kind: string, rest: string, block: string): void {
    const data = () => expanded(parse(rest + block)) as Readonly<Record<string, unknown>>;
    if (kind === "document") this.#documents = [documentOf(data())];
    else if (kind === "another") this.#documents.push(documentOf(data()));
    else if (kind === "object") {
      const change = changeOf(data() as Parameters<typeof changeOf>[0]);
      this.#object = `\n${textOf(renderChange([describeChange(change)], PLAIN))}`;
    } else if (!this.#run.take(kind, rest, data)) throw new Error(`Nothing to give: ${kind}`);
  }

  /**
   * Returns the content of a file that a transcript names. The name selects the format of the report, or the text or the
   * rows of its HTML page. The report describes the first document; without documents, it describes the run. The file
   * `joined.json` is one document, merged from all documents.
   */
  async #file(name: string): Promise<string> {
    const [document] = this.#documents;
    if (name === "joined.json") return JSON.stringify(this.#joined());
    const report = document ?? (await this.#run.report());
    if (name === "report.json") return jsonReport(report);
    if (name === "report.xml") return junitReport(report).replace(/\s*\n\s*/g, "");
    if (name === "report.md")
      return document === undefined ? markdownReport(report) : markdownReport(report, COMMENT_LIMIT, "shop");
    const contents = htmlReport(report);
    expect(problemsOf(contents)).toEqual([]);
    const page = withoutAssets(contents);
    if (name === "report.html") return page;
    const { text, elements } = parsePage(page);
    if (name === "page.txt") return text;
    const rows = elements.filter(({ attributes }) => attributes["data-row"] !== undefined);
    return JSON.stringify(rows.map((row) => ({ ...row.attributes, text: row.text })));
  }

  #joined = (): object => {
    const [first, ...others] = this.#documents.map((report, at) => ({ file: `${at + 1}.json`, report }));
    return mergeReports([first!, ...others]);
  };

  /**
   * Handles `events a b` for the types, `events [data]` for all events after the version, and `events - text` for a
   * text that must not occur.
   */
  async #events(rest: string, block: string): Promise<void> {
    const events = await this.#run.events();
    if (rest.startsWith("- ")) expect(JSON.stringify(events)).not.toContain(rest.slice(2));
    else if (/^[a-z]/.test(rest)) expect(events.map(({ type }) => type)).toEqual(rest.split(" "));
    else expectLike(events.slice(1), parse(rest + block));
  }
}

playTranscripts(
  __dirname,
  ["plans", "objects", "drift", "many", "events", "diagnostics", "pages", "comments", "causes", "merges"],
  ({ texts }) => new Player(texts),
);
