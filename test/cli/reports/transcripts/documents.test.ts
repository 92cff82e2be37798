import { parse } from "yaml";
import type { Report, ReportAttribute } from "../../../../src/cli/document/model";
import { htmlReport } from "../../../../src/cli/reports/formats/html";
import { jsonReport } from "../../../../src/cli/reports/formats/json";
import { junitReport } from "../../../../src/cli/reports/formats/junit";
import { COMMENT_LIMIT, markdownReport } from "../../../../src/cli/reports/formats/markdown";
import { mergeReports } from "../../../../src/cli/reports/merge";
import { expectLike } from "../../../support/transcripts/data";
import { playSteps, StepPlayer } from "../../../support/transcripts/player";
import { holds } from "../../../support/transcripts/text";
import { parsePage, problemsOf, withoutAssets } from "../../support/html";
import { expanded } from "../../views/transcripts/runs";
import { leaf } from "../support/large";

// What reports make of a document, and what becomes of several: README.md beside ../../views/transcripts has the steps.

type Data = Readonly<Record<string, unknown>>;

/** `level ~ 40` is an attribute that is changed to 40. */
function attributeOf(told: unknown): ReportAttribute {
  if (typeof told !== "string") return { sensitive: false, ...(told as object) } as ReportAttribute;
  const [name, mark, value] = told.split(/ ([-+~]) /);
  return leaf(name!, mark as "~", value!);
}

const objectOf = ({ attributes = [], ...object }: Data) => ({
  type: String(object["address"]).split(".")[0],
  ...{ status: "planned", diagnostics: [] },
  ...(object["status"] === undefined && { action: "update" }),
  ...object,
  attributes: (attributes as unknown[]).map(attributeOf),
});

const stackOf = ({ objects = [], ...stack }: Data) => ({
  ...{ name: "shop", outputs: [], unchecked: 0, ignored: [], known: 0 },
  ...{ known_fingerprints: [], diagnostics: [] },
  ...stack,
  objects: (objects as Data[]).map(objectOf),
});

/** A document with defaults: a plan of one stack that found something. */
const documentOf = ({ objects, stacks, ...more }: Data): Report =>
  ({
    ...{ format_version: "1.6", steward_version: "1.0.0", command: "plan", result: "found" },
    ...{ started_at: "2026-11-23T08:00:00.000Z", finished_at: "2026-11-23T08:00:42.000Z" },
    ...more,
    stacks: ((stacks ?? [{ objects }]) as Data[]).map(stackOf),
  }) as unknown as Report;

/** Plays the steps of one test. */
class Player extends StepPlayer {
  #documents: Report[] = [];

  get #document(): Report {
    return this.#documents[0]!;
  }

  protected async take(word: string, rest: string, block: string): Promise<void> {
    const data = () => expanded(parse(rest + block)) as Data;
    const merged = () => {
      const [first, ...others] = this.#documents.map((report, at) => ({ file: `${at + 1}.json`, report }));
      return mergeReports([first!, ...others]);
    };
    switch (word) {
      case "document":
        this.#documents = [documentOf(data())];
        return;
      case "and":
        this.#documents.push(documentOf(data()));
        return;
      case "joined":
        return expectLike(merged(), parse(rest + block));
      case "refused":
        return expect(merged).toThrow(rest);
      case "md":
        return holds(markdownReport(this.#document, COMMENT_LIMIT, "shop"), rest, block);
      case "xml":
        return holds(junitReport(this.#document).replace(/\s*\n\s*/g, ""), rest, block);
      case "report":
        return expectLike(JSON.parse(jsonReport(this.#document)), parse(rest + block));
      case "html":
        return holds(this.#page(), rest, block);
      case "page":
        return holds(parsePage(this.#page()).text, rest, block);
      case "rows":
        return expectLike(this.#rows(), parse(rest + block));
      default:
        throw new Error(`No such step: ${word}`);
    }
  }

  /** The page without its styles and script, and without problems. */
  #page(): string {
    const contents = htmlReport(this.#document);
    expect(problemsOf(contents)).toEqual([]);
    return withoutAssets(contents);
  }

  /** The entries of the page, with their attributes and their text. */
  #rows = (): object[] =>
    parsePage(this.#page())
      .elements.filter(({ attributes }) => attributes["data-row"] !== undefined)
      .map(({ attributes, text }) => ({ ...attributes, text }));
}

playSteps(__dirname, ["pages", "comments", "causes", "merges"], Player);
