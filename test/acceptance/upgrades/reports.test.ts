import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { linkPackages } from "../support/own-project";
import { folderOf, Opened, SETS } from "./opened";

// The tests read reports of earlier releases with each command that reads reports: drift --since, history and report merge.

let opened: Opened;
afterEach(() => opened.close());

interface Report {
  readonly result: string;
  readonly totals: Readonly<Record<string, number>>;
  readonly stacks: readonly { readonly name: string }[];
}
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const reportIn = (name: string) => JSON.parse(opened.read(name)) as Report;

describe.each(SETS.filter((set) => existsSync(folderOf(set, "estate"))))(
  "reports of the release %s",
  (set) => {
    beforeEach(async () => {
      opened = await Opened.open(set, "estate");
      for (const name of readdirSync(opened.folder, { recursive: true, encoding: "utf8" })) {
        const file = path.join(opened.folder, name);
        if (!/\.json$/.test(name)) continue;
        const text = readFileSync(file, "utf8");
        writeFileSync(file, text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, opened.service.url));
      }
      linkPackages(opened.folder);
    });

    test("drift --since omits drift that a report of an earlier release contains", async () => {
      const drift = ["drift", "--stack", "fleet"];
      const { code, out } = await opened.steward([...drift, "--report", "now.json"]);
      expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining("estate_environments") });
      const again = await opened.steward([...drift, "--since", "runs/2.json", "--report", "later.json"]);
      expect({ code: again.code, text: again.code === 0 ? "" : again.out + again.err }).toEqual({
        code: 0,
        text: "",
      });
    });

    test("history reads all drift reports of an earlier release", async () => {
      const { out } = await opened.succeed(["history", "runs", "--json"]);
      const summary = out
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { readonly type: string; readonly history?: object })
        .find(({ type }) => type === "history_summary");
      expect(summary!.history).toMatchObject({ runs: 2, failed_runs: 0, repaired: 1, skipped: [] });
      expect(opened.has("runs/index.html")).toBe(true);
    });

    test("report merge combines the reports of two shards that an earlier release wrote", async () => {
      const { code } = await opened.steward([
        ...["report", "merge", "shards/1.json", "shards/2.json"],
        ...["--report", "all.json", "--report", "all.html"],
      ]);
      expect(code).toBe(2);
      const stacks = reportIn("all.json").stacks.map(({ name }) => name);
      expect(stacks.sort()).toEqual(["fleet", "groups", "shop"]);
    });

    test.each(["plan.json", "apply.json"])(
      "report merge converts %s of an earlier release to a Markdown page",
      async (name) => {
        const { code } = await opened.steward(["report", "merge", name, "--report", "page.md"]);
        expect(code).toBe(0);
        expect(opened.read("page.md")).toContain("acme/p1");
      },
    );

    test("apply refuses an approval file of an earlier release", async () => {
      const approved = ["--approved", "approved.json", "--digest", digestOf(opened.read("approved.json"))];
      opened.service.requests.reset();
      const refused = await opened.steward(["apply", ...approved, "--stack", "fleet"]);
      expect(refused.code).toBe(1);
      expect(refused.err.replaceAll(/\s+│?\s*/g, " ")).toContain(
        "has the file format 1.0, but this release of Steward reads only 2.0. Nothing was sent. Create a new file",
      );
      expect(opened.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
    });
  },
);
