import { isDeepStrictEqual } from "node:util";
import { storyOf } from "./story/generate";
import { readStory, tell } from "./story/notation";

it("a simulated sequence of edits and runs that is printed and parsed again equals the original", () => {
  const seeds = Array.from({ length: 2000 }, (_, at) => at + 1);
  const plain = (seed: number) => JSON.parse(JSON.stringify(storyOf(seed))) as unknown;
  expect(seeds.filter((seed) => !isDeepStrictEqual(readStory(tell(storyOf(seed))), plain(seed)))).toEqual([]);
});
