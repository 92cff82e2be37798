import type { RecoverResponse } from "../../src/framework/protocol/protocol";
import type { ValueObject } from "../../src/schema";
import type { Answer } from "../support/http-proxy";
import { deletesByHand, SAMPLES } from "./samples";
import { useRunsBehind } from "./support/behind";
import { Host } from "./support/host";
import { TOKEN, useWorld } from "./support/world";

// Recovers a create whose run was killed, with a service whose reads lag. The first reads do not show the new object.

const world = useWorld();
const behind = useRunsBehind();

/** The number of reads of each URL that still show the old data after a write. */
const LAG = 3;
const NOW = () => Date.now();
const MINUTE_AGO = () => Date.now() - 60_000;

async function recover(type: string, given: ValueObject, begunAt: number | undefined, isMade = true) {
  /**
   * The responses from before the create, by URL. Each response is returned only for the first `LAG` reads after the
   * create.
   */
  const answers = new Map<string, Answer>();
  const stale = new Map<string, number>();
  let isBehind = false;
  let reads = 0;
  const connect = await behind(world(), async (passage) => {
    if (passage.isWrite) throw new Error("A recovery writes nothing");
    reads += 1;
    const known = answers.get(passage.url);
    if (isBehind) {
      const seen = stale.get(passage.url) ?? 0;
      stale.set(passage.url, seen + 1);
      return known !== undefined && seen < LAG ? known : undefined;
    }
    const answer = await passage.forward();
    answers.set(passage.url, answer);
    return answer;
  });
  const host = new Host(world(), type);
  const plan = await host.plan(undefined, given);
  const attributes = Object.fromEntries(
    Object.entries(plan.planned!.attributes).filter(([, value]) => typeof value !== "symbol"),
  );
  const planned = { attributes, private: plan.planned!.private };
  const run = (token = TOKEN.maintainer): Promise<RecoverResponse> =>
    connect(token).recoverResource({ type, prior: undefined, planned, observed: undefined, begunAt });
  await run();
  const before = reads;
  const made = isMade ? (await host.bring(undefined, given)).attributes["id"] : undefined;
  isBehind = true;
  const answer = await run();
  return { answer, made, reads: reads - before, readsOfOne: before };
}

const MADE = Object.entries(SAMPLES).filter(([type]) => deletesByHand(type) !== undefined);

describe.each(MADE)("%s", (type, { config }) => {
  test.each([
    ["a moment ago", NOW],
    ["at an unknown time", () => undefined],
  ])(
    "if the create began %s, the recovery reads again after pauses until it finds the object",
    async (_, begun) => {
      const { answer, made } = await recover(type, config, begun());
      expect(answer.diagnostics).toEqual([]);
      expect({ outcome: answer.outcome, id: answer.state?.attributes["id"] }).toEqual({
        outcome: "done",
        id: made,
      });
    },
  );

  test("if no read finds the object, even after all pauses, the create counts as not done", async () => {
    const { answer } = await recover(type, config, NOW(), false);
    expect(answer).toMatchObject({ outcome: "not-done", diagnostics: [] });
  });

  test("if the create began a minute ago, the recovery does not read again, because no replica lags by a minute", async () => {
    const { answer, reads, readsOfOne } = await recover(type, config, MINUTE_AGO(), false);
    expect({ outcome: answer.outcome, reads }).toEqual({ outcome: "not-done", reads: readsOfOne });
  });
});
