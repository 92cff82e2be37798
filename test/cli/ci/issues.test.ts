import type { Issue } from "../../../src/api";
import { hash } from "../../../src/cli/ci/issue-text";
import { type IssueChange, issueChanges } from "../../../src/cli/ci/issues";
import type { Report, ReportObject, ReportStack } from "../../../src/cli/document/model";

// The tests cover issues about drift. An issue belongs to an app, a project and the drifted objects. A newer run of the app
// closes the issue only if it checked each drifted object as the run that found the drift did.

const object = (address: string, more: Partial<ReportObject> = {}): ReportObject => ({
  address,
  type: "steward_job_token_scope",
  project: "acme/web",
  status: "in_sync",
  attributes: [],
  diagnostics: [],
  ...more,
});
const LIMIT = object("steward_job_token_scope.limit");
const DRIFTED: ReportObject = { ...LIMIT, status: "changed", strictness: "looser", fingerprint: "a1" };
const UNMANAGED = object("steward_protected_environment 42:staging", {
  type: "steward_protected_environment",
  status: "unmanaged",
  container: "project 42",
  fingerprint: "b2",
});

const stack = (objects: readonly ReportObject[], more: Partial<ReportStack> = {}): ReportStack => ({
  name: "web",
  objects: [...objects],
  outputs: [],
  unchecked: 0,
  ignored: [],
  known: 0,
  known_fingerprints: [],
  diagnostics: [],
  ...more,
});

/** Returns the report of a run at the given hour. */
const report = (hour: number, stacks: readonly ReportStack[], more: Partial<Report> = {}): Report => ({
  format_version: "1.8",
  steward_version: "0.2.0",
  command: "drift",
  started_at: `2026-01-02T${String(hour).padStart(2, "0")}:00:00.000Z`,
  finished_at: `2026-01-02T${String(hour).padStart(2, "0")}:01:00.000Z`,
  result: "found",
  stacks: [...stacks],
  ...more,
});

const change = (from: Report, issues: readonly Issue[], app = "steward", pipeline = "p/1") =>
  issueChanges(from, issues, { app, by: "project", owners: () => [], run: { pipeline } });

/** Returns the open issue in the form in which the platform stores it after a change. */
function issueAfter(opened: IssueChange | undefined): Issue {
  if (opened?.kind !== "open") throw new Error("No issue was opened.");
  const { title, description } = opened;
  return { iid: 1, title, description, state: "opened", labels: [], author: { id: 7 } } as unknown as Issue;
}

/** Returns the kinds of issue changes that a run makes for one drifted object. */
function kindsAfter(found: Report, next: Report, app?: string): string[] {
  const issue = issueAfter(change(found, [], app).changes[0]);
  return change(next, [issue], app).changes.map(({ kind }) => kind);
}

const FOUND = report(1, [stack([DRIFTED])]);
const COVERED = report(1, [stack([LIMIT]), stack([UNMANAGED], { name: "unmanaged" })], {
  coverage: ["project 42"],
});

describe("the issue about a changed object", () => {
  it("if a newer run finds no drift of an object, Steward closes the object's issue", () => {
    expect(kindsAfter(FOUND, report(2, [stack([LIMIT])]))).toEqual(["close"]);
  });

  it("if drift --repair restores an object, Steward closes the object's issue", () => {
    const repaired = { ...DRIFTED, repaired: true as const };
    expect(kindsAfter(FOUND, report(2, [stack([repaired])]))).toEqual(["close"]);
  });

  it("if a waiver accepts an object's drift, Steward closes the object's issue", () => {
    const ignored = [{ object: LIMIT.address, reason: "until May" }];
    expect(kindsAfter(FOUND, report(2, [stack([], { ignored })]))).toEqual(["close"]);
  });

  it.each<[string, Report]>([
    ["is older", report(0, [stack([LIMIT])])],
    ["is a plan", report(2, [stack([{ ...LIMIT, status: "unchanged" }])], { command: "plan" })],
    ["is an apply", report(2, [stack([{ ...LIMIT, status: "done" }])], { command: "apply" })],
    ["is about another app without the stack", report(2, [stack([], { name: "other" })])],
    ["is about another stack with the same address", report(2, [stack([LIMIT], { name: "other" })])],
    ["lacks the stack", report(2, [])],
    ["lacks the declaration", report(2, [stack([object("steward_job_token_scope.other")])])],
    [
      "could not check the object",
      report(2, [stack([{ ...LIMIT, status: "failed" }])], { result: "failed" }),
    ],
    ["knows the difference from an earlier run", report(2, [stack([{ ...LIMIT, known: true }])])],
  ])("an issue about drift stays open after a run that %s", (_what, next) => {
    expect(kindsAfter(FOUND, next)).not.toContain("close");
  });

  it("if a run of an app with another name finds no drift, Steward does not close the issue", () => {
    const issue = issueAfter(change(FOUND, [], "shop").changes[0]);
    expect(change(report(2, [stack([LIMIT])]), [issue], "tools").changes).toEqual([]);
  });

  it("if a later pipeline finds the same drift, Steward does not change the issue", () => {
    const issue = issueAfter(change(FOUND, []).changes[0]);
    expect(change(report(2, [stack([DRIFTED])]), [issue], undefined, "p/2").changes).toEqual([]);
  });

  it.each<[string, Partial<Issue>]>([
    ["title", { title: "Nothing to see" }],
    [
      "text",
      { description: `${issueAfter(change(FOUND, []).changes[0]).description}\nDone, please ignore.` },
    ],
    ["whole text", { description: "Done, please ignore." }],
  ])(
    "if a user edits the %s of the issue, the next run with drift restores the original",
    (_what, rewritten) => {
      const issue = issueAfter(change(FOUND, []).changes[0]);
      const [restored] = change(report(2, [stack([DRIFTED])]), [{ ...issue, ...rewritten }]).changes;
      expect(restored).toMatchObject({ kind: "update", title: issue.title });
      expect(restored!.description).toContain("### `steward_job_token_scope.limit`: changed");
      expect(restored!.description).not.toContain("please ignore");
    },
  );
});

describe("the issue about an undeclared object", () => {
  it("if a newer run with --coverage no longer finds an undeclared object, Steward closes the object's issue", () => {
    expect(kindsAfter(COVERED, report(2, [stack([LIMIT])], { coverage: ["project 42"] }))).toEqual(["close"]);
  });

  it.each<[string, Report]>([
    ["ran without --coverage", report(2, [stack([LIMIT])])],
    ["searched other projects", report(2, [stack([LIMIT])], { coverage: ["project 43"] })],
    [
      "knows the object from an earlier run",
      report(2, [stack([LIMIT], { known: 1, known_fingerprints: ["b2"] })], { coverage: ["project 42"] }),
    ],
  ])("an issue about an undeclared object stays open after a run that %s", (_what, next) => {
    expect(kindsAfter(COVERED, next)).toEqual([]);
  });
});

describe("an issue about several objects", () => {
  const other: ReportObject = {
    ...object("steward_job_token_scope.other"),
    status: "changed",
    fingerprint: "c3",
  };
  const both = report(1, [stack([DRIFTED, other])]);

  it("if one of two objects no longer has drift, Steward removes this object from the issue", () => {
    const issue = issueAfter(change(both, []).changes[0]);
    const [updated] = change(report(2, [stack([LIMIT])]), [issue]).changes;
    expect(updated).toMatchObject({ kind: "update", title: "Drift in project acme/web: 1 object" });
    expect(updated!.description).toContain("steward_job_token_scope.other");
    expect(updated!.description).not.toContain("steward_job_token_scope.limit");
  });

  it("if a run over another stack of the same project finds drift, Steward adds this drift to the issue", () => {
    const issue = issueAfter(change(report(1, [stack([other], { name: "tools" })]), []).changes[0]);
    const [updated] = change(report(2, [stack([DRIFTED])]), [issue]).changes;
    expect(updated).toMatchObject({ kind: "update", title: "Drift in project acme/web: 2 objects" });
    expect(updated!.description).toContain("steward_job_token_scope.other");
  });
});

describe("an issue with a changed text", () => {
  const issue = issueAfter(change(FOUND, []).changes[0]);
  const inOrder = report(2, [stack([LIMIT])]);

  it.each<[string, (text: string) => string]>([
    ["names no object any more", (text) => text.split("<!-- steward object")[0]!],
    ["has another line", (text) => `${text}\nRepaired by hand.`],
    ["claims another object", (text) => text.replace(/(steward object )[0-9a-f]{64}/, `$1${hash("other")}`)],
    ["claims a later run", (text) => text.replace(/ at \S+ as /, " at 2030-01-01T00:00:00.000Z as ")],
    ["has no digest", (text) => text.replace(/ as [0-9a-f]{64}/, "")],
  ])(
    "if an issue's text %s, a clean run leaves the issue open, and the next drift restores the text",
    (_what, edit) => {
      const changed = { ...issue, description: edit(issue.description!) };
      expect(change(inOrder, [changed])).toEqual({ changes: [], unchecked: [changed] });
      const [restored] = change(report(3, [stack([DRIFTED])]), [changed]).changes;
      expect(restored).toMatchObject({ kind: expect.stringMatching(/open|update/), title: issue.title });
      expect(restored!.description).toContain("### `steward_job_token_scope.limit`: changed");
      expect(restored!.description).not.toContain("by hand.");
    },
  );

  it("if the service changed the line ends of an issue's text, Steward still closes the issue after the repair", () => {
    const description = issue.description!.trim().replaceAll("\n", "\r\n");
    expect(change(inOrder, [{ ...issue, description }]).changes.map(({ kind }) => kind)).toEqual(["close"]);
  });

  it("if a user edited the issue's title, the next drift check restores the title, even if this check fails", () => {
    const failed = report(2, [stack([{ ...LIMIT, status: "failed" }])], { result: "failed" });
    const titled = { ...issue, title: "Nothing to see" };
    expect(change(failed, [titled]).changes).toEqual([
      { kind: "update", issue: titled, title: issue.title, description: issue.description },
    ]);
  });
});

describe("an issue of release 0.2.0", () => {
  const subject = hash("project acme/web");
  const old = {
    ...issueAfter(change(FOUND, []).changes[0]),
    description: `<!-- steward drift ${subject} ${hash("a1")} -->\nSomebody changed settings of \`acme/web\` by hand.`,
  } as Issue;

  it("a run that finds drift updates the issue that release 0.2.0 wrote", () => {
    expect(change(report(2, [stack([DRIFTED])]), [old]).changes).toEqual([
      expect.objectContaining({ kind: "update", issue: old }),
    ]);
  });

  it("if a run over all stacks with --coverage finds no drift, Steward closes an issue of release 0.2.0", () => {
    const whole = report(2, [stack([LIMIT])], { coverage: ["project 42"], result: "clean" });
    expect(change(whole, [old]).changes.map(({ kind }) => kind)).toEqual(["close"]);
  });

  it("after a run without --coverage or over one of several stacks, an issue of release 0.2.0 stays open", () => {
    const partial = { coverage: ["project 42"], limited_to: { stacks: ["web"] } };
    for (const more of [{}, partial])
      expect(change(report(2, [stack([LIMIT])], more), [old]).changes).toEqual([]);
  });
});
