import path from "node:path";
import { parse } from "yaml";
import type { CompatMode, FixtureInput } from "../../../src/service";
import { webShop } from "../../adopt/groups/web-shop";
import type { Step } from "../../support/transcripts/parse";
import { playTranscripts } from "../../support/transcripts/player";
import { openPlace, TOKENS } from "../support/place";
import { useShortPauses } from "../support/short-pauses";
import { Player } from "./player";

const EXAMPLES = path.join(__dirname, "../../../examples");
/** The fixtures of other tests and of examples, by their names in the step `fixture`. */
const COMPANIES: Readonly<Record<string, FixtureInput | string>> = {
  "web-shop": webShop,
  "new-app": path.join(EXAMPLES, "new-app/fixture.yaml"),
  quickstart: path.join(EXAMPLES, "quickstart/fixture.yaml"),
};

/** Makes tests from transcripts, or from a part of a transcript. Each `== title` begins a test. */
export function play(...names: readonly string[]): void {
  describe("transcripts", () => {
    useShortPauses();
    playTranscripts(
      __dirname,
      names,
      async ({ fixture, compat, texts }) =>
        new Player(await openPlace(companyOf(fixture), compat as CompatMode), texts),
    );
  });
}

function companyOf(fixture: Step | undefined): FixtureInput | string | undefined {
  if (fixture === undefined) return undefined;
  if (fixture.block === "") return COMPANIES[fixture.rest];
  return parse(
    fixture.block.replace(/<(\w+)>/g, (_, name: keyof typeof TOKENS) => TOKENS[name]),
  ) as FixtureInput;
}
