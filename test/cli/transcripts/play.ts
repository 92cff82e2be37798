import path from "node:path";
import { parse } from "yaml";
import type { CompatMode, FixtureInput } from "../../../src/service";
import { webShop } from "../../adopt/groups/web-shop";
import { readTranscript } from "../../support/transcripts/parse";
import { openPlace, TOKENS } from "../support/place";
import { useShortPauses } from "../support/short-pauses";
import { Player } from "./player";

const EXAMPLES = path.join(__dirname, "../../../examples");
/** Companies of other tests and of examples, by their names behind `fixture`. */
const GROUPS: Readonly<Record<string, FixtureInput | string>> = {
  "web-shop": webShop,
  "new-app": path.join(EXAMPLES, "new-app/fixture.yaml"),
  quickstart: path.join(EXAMPLES, "quickstart/fixture.yaml"),
};

/** Makes tests of transcripts, or of a part of one: each `== title` is one. Of a `place all` they build on each other. */
export function play(...names: readonly string[]): void {
  describe.each(names)("%s", (which) => {
    useShortPauses();
    const [name = "", part] = which.split(" ");
    const { head, tests: all } = readTranscript(__dirname, name);
    const tests = part === undefined ? all : all.filter(({ title }) => title.startsWith(`${part}: `));
    expect(tests).not.toEqual([]);
    const of = (word: string) => head.filter((step) => step.word === word);
    const group = of("fixture").map(({ rest }) => GROUPS[rest])[0];
    const fixture = of("service").map(({ block }) => withTokens(block))[0] ?? group;
    const texts = Object.fromEntries(of("let").map(({ rest }) => rest.split(/ (.*)/s)));
    const [when, compat = "strict"] = of("place")[0]!.rest.split(" ") as ["all" | "each", CompatMode?];
    const isOne = when === "all";
    let player: Player;
    const open = async () => {
      player = new Player(await openPlace(fixture, compat), texts);
      await player.play(head.filter(({ word }) => !["place", "service", "fixture", "let"].includes(word)));
    };
    (isOne ? beforeAll : beforeEach)(open);
    (isOne ? afterAll : afterEach)(() => player.close());
    for (const { title, steps } of tests) test(title, () => player.play(steps));
  });
}

const withTokens = (block: string): FixtureInput =>
  parse(block.replace(/<(\w+)>/g, (_, name: keyof typeof TOKENS) => TOKENS[name]));
