import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { packageVersion } from "../../../src/cli/version";
import { FORMAT_VERSION } from "../../../src/engine/plan-file/plan-file";
import { folderOf, Opened, SETS } from "./opened";

// The tests apply saved plans of earlier releases. If a plan has the version and the file format of this release, this
// release applies it. If not, this release refuses the plan, explains the fix, and sends no request.

const FILE = "saved.plan";
/** Returns whether a file has the version and the format of this release. */
function isOfThisRelease(text: string): boolean {
  const header = JSON.parse(text.split("\n")[0]!) as { steward: string; steward_plan: number };
  return header.steward === packageVersion() && header.steward_plan === FORMAT_VERSION;
}
const told = ({ err }: { readonly err: string }) => err.replaceAll(/\s+│?\s*/g, " ");
const APPLY = ["apply", FILE];

describe.each(SETS)("a saved plan of the release %s", (set) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await Opened.open(set, "saved-plan");
  });
  afterEach(() => opened.close());

  /** Changes the file so that it seems to be from another release, or for another service. */
  function rewrite(change: (body: string) => string, by?: string): void {
    const [header, body] = opened.read(FILE).split("\n") as [string, string];
    const { steward_plan, steward } = JSON.parse(header) as { steward_plan: number; steward: string };
    const version = by ?? steward;
    const changed = change(body);
    const sha256 = createHash("sha256").update(`${steward_plan}\n${version}\n${changed}`).digest("hex");
    opened.write(FILE, `${JSON.stringify({ steward_plan, steward: version, sha256 })}\n${changed}\n`);
  }
  const readdress = () =>
    rewrite((body) => body.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, opened.service.url));
  const reversion = (version: string) => rewrite((body) => body, version);
  const written = () => opened.service.requests.all.filter(({ method }) => method !== "GET");

  if (isOfThisRelease(readFileSync(folderOf(set, "saved-plan", FILE), "utf8"))) {
    test("if the running version saved the plan, apply of this plan succeeds", async () => {
      readdress();
      await opened.succeed(APPLY);
      expect(await opened.planned()).toEqual([]);
    });

    test("apply refuses a saved plan for another service", async () => {
      const answer = await opened.steward(APPLY);
      expect(answer.code).toBe(1);
      expect(told(answer)).toContain("Service differs from the plan");
      expect(written()).toEqual([]);
    });
  } else {
    test("if another version saved the plan, apply refuses this plan", () => expectRefused());
  }

  test("apply refuses a plan that version 0.0.1 saved", async () => {
    reversion("0.0.1");
    await expectRefused();
  });

  async function expectRefused(): Promise<void> {
    const answer = await opened.steward(APPLY);
    expect(answer.code).toBe(1);
    expect(told(answer)).toContain("Nothing was sent. Apply it with that version, or plan again.");
    expect(written()).toEqual([]);
  }
});
