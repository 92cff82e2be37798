import { parse } from "yaml";
import { describeChange } from "../../../../src/cli/document/describe";
import { PLAIN } from "../../../../src/cli/printing/text";
import { htmlReport } from "../../../../src/cli/reports/formats/html";
import { jsonReport } from "../../../../src/cli/reports/formats/json";
import { junitReport } from "../../../../src/cli/reports/formats/junit";
import { markdownReport } from "../../../../src/cli/reports/formats/markdown";
import { renderChange } from "../../../../src/cli/views/resource-change";
import { expectLike } from "../../../support/transcripts/data";
import { playSteps, StepPlayer } from "../../../support/transcripts/player";
import { holds, told } from "../../../support/transcripts/text";
import { textOf } from "../../support/text-of";
import { changeOf, expanded, Run } from "./runs";

// What views make of a run: its steps are in README.md.

/** Plays the steps of one test. */
class Player extends StepPlayer {
  #run = new Run();
  #object: string | undefined;

  protected async take(word: string, rest: string, block: string): Promise<void> {
    const data = () => expanded(parse(rest + block));
    if (this.#run.take(word, rest, data)) return;
    switch (word) {
      case "run":
        this.#run = new Run();
        this.#object = undefined;
        this.#run.isMerged = rest.includes("merged");
        this.#run.isSummary = rest.includes("summary");
        return;
      case "object":
        this.#object = `\n${textOf(renderChange([describeChange(changeOf(data() as Parameters<typeof changeOf>[0]))], PLAIN))}`;
        return;
      case "!":
        return expect((await this.#run.text()).err).toContain(told(rest, block));
      case "unframed":
        return expect((await this.#run.text()).err.replace(/\s*\n(?:│ ?)*/g, " ")).toContain(rest);
      case "frames":
        return expect((await this.#run.text()).err.split("╷\n")).toHaveLength(1 + Number(rest));
      case "said": {
        const [, count, text] = /^(\d) (.*)$/.exec(rest)!;
        return expect((await this.#run.text()).err.split(told(text!, ""))).toHaveLength(1 + Number(count));
      }
      case "types":
        return expect((await this.#run.events()).map(({ type }) => type)).toEqual(rest.split(" "));
      case "events":
        return expectLike((await this.#run.events()).slice(1), parse(rest + block));
      case "last":
        return expectLike((await this.#run.events()).at(-1), parse(rest + block));
      case "hides":
        return expect(JSON.stringify(await this.#run.events())).not.toContain(rest);
      case "md":
        return holds(markdownReport(await this.#run.report()), rest, block);
      case "html":
        return holds(htmlReport(await this.#run.report()), rest, block);
      case "xml":
        return holds(junitReport(await this.#run.report()), rest, block);
      case "report":
        return expectLike(JSON.parse(jsonReport(await this.#run.report())), parse(rest + block));
      default:
        return holds(this.#object ?? (await this.#run.text()).out, `${word} ${rest}`, block);
    }
  }
}

playSteps(__dirname, ["plans", "objects", "drift", "many", "events", "diagnostics"], Player);
