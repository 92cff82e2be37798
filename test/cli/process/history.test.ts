import { mkdirSync } from "node:fs";
import path from "node:path";
import { problemsOf } from "../support/html";
import { TOKENS, usePlace } from "../support/place";

const place = usePlace("all");
beforeAll(async () => {
  mkdirSync(path.join(place.folder, "runs"));
  await place.run(["apply", "--auto-approve", "--config", "."]);
});

const SCOPE = "/projects/acme%2Fshop/job_token_scope";
const PRODUCTION = "/projects/acme%2Fshop/protected_environments/production";
const loosen = () => place.byHand("PATCH", SCOPE, { enabled: false });
let count = 0;
/** A run whose report is kept, as a scheduled job keeps it. */
const kept = (...args: readonly string[]) =>
  place.run([...args, "--config", ".", "--report", `runs/${++count}.json`]);

interface Summary {
  readonly type: string;
  readonly history: {
    readonly runs: number;
    readonly repaired: number;
    readonly open_drifts: readonly { readonly address: string; readonly age_seconds: number }[];
  };
}
const summaryOf = (out: string): Summary => JSON.parse(out.trim().split("\n").at(-1)!);

test("real runs with changes by hand, a repair and an apply become a history", async () => {
  expect((await kept("drift")).code).toBe(0);
  await loosen();
  expect((await kept("drift")).code).toBe(2);
  await kept("drift", "--since", "runs/2.json");
  await kept("drift", "--repair", "--auto-approve");
  await loosen();
  await place.byHand("DELETE", PRODUCTION);
  await kept("drift", "--coverage");
  await kept("apply", "--auto-approve", "--target", "steward_job_token_scope.limit");
  await kept("drift", "--coverage");

  const { code, out } = await place.run(["history", "runs", "--json"]);
  expect(code).toBe(0);
  expect(summaryOf(out)).toMatchObject({
    type: "history_summary",
    history: {
      file: path.join("runs", "index.html"),
      runs: 6,
      failed_runs: 0,
      applies: 1,
      drifts: 3,
      open: 1,
      repaired: 2,
      projects: [{ project: "acme/shop", drifts: 3, open: 1 }],
      open_drifts: [
        {
          address: "steward_protected_environment.production",
          kind: "vanished",
          project: "acme/shop",
          may_be_older: false,
        },
      ],
      skipped: [],
    },
  });
  const page = place.read("runs/index.html");
  expect(problemsOf(page)).toEqual([]);
  for (const text of [
    "repaired by drift --repair",
    "repaired by an apply",
    "<code>true</code> → <code>false</code>",
  ])
    expect(page).toContain(text);
});

test("a run that can't read a project repairs nothing", async () => {
  const { code } = await place.run(["drift", "--config", ".", "--report", "runs/unread.json"], {
    STEWARD_TOKEN: "expired",
  });
  expect(code).toBe(1);
  const { out } = await place.run(["history", "runs", "--json"]);
  expect(summaryOf(out).history).toMatchObject({ runs: 7, failed_runs: 1, open: 1, repaired: 2 });
});

test("the same folder gives the same page, without the token", async () => {
  const first = place.read("runs/index.html");
  const { code, out } = await place.run(["history", "runs"]);
  expect({ code, page: place.read("runs/index.html") }).toEqual({ code: 0, page: first });
  expect(out).toMatch(
    /^History of 7 drift runs: 1 drift open, 2 repaired \(median 0 min, 90 % within 0 min\)\.\nWritten to runs.index\.html\.\n$/,
  );
  place.write("runs/token.json", place.read("runs/1.json").replaceAll("acme/shop", TOKENS.maintainer));
  await place.run(["history", "runs", "--out", "token.html"]);
  expect(place.read("token.html")).not.toContain(TOKENS.maintainer);
});

test("files that are no reports are named, and the history is made without them", async () => {
  place.write("runs/package.json", "{}");
  place.write("runs/deep/broken.json", place.read("runs/1.json").slice(0, 200));
  const { code, out, err } = await place.run(["history", "runs", "--out", "page.html"]);
  expect(code).toBe(0);
  expect(out).toContain("Written to page.html.");
  const warning = err.replace(/\n│ /g, " ");
  expect(warning).toContain(
    '"deep/broken.json": it ends too early; "package.json": it is not a report of steward',
  );
  expect(place.read("page.html")).toContain("! 2 files are not used");
});

test.each([
  ["a folder that does not exist", ["history", "gone"], 'The folder "gone" can\'t be read (ENOENT'],
  ["a folder without reports", ["history", "empty"], 'The folder "empty" has no drift report. '],
  [
    "a folder with other files alone",
    ["history", "others"],
    'has no drift report: "package.json" can\'t be used, because it is not a report of steward',
  ],
  [
    "a page in a folder that does not exist",
    ["history", "runs", "--out", "gone/page.html"],
    "Create the folder, or choose another place with --out.",
  ],
])("%s is an error that says so", async (_, args, message) => {
  mkdirSync(path.join(place.folder, "empty"), { recursive: true });
  place.write("others/package.json", "{}");
  const { code, err } = await place.run(args);
  expect(code).toBe(1);
  expect(err.replace(/\n│ /g, " ")).toContain(message);
});
