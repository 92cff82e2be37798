import { digestOf, formatApproval, readCopy } from "../../../src/cli/approval/file";
import { approvalIn, commentOf } from "../../../src/cli/ci/comment";
import type { Report } from "../../../src/cli/document/model";
import { readReportOf } from "../../../src/cli/reports/merge";
import { DiagnosticError } from "../../../src/diagnostics";
import { SensitiveTexts } from "../../../src/text";
import { usePlace } from "../support/place";

const HEAD = "a".repeat(40);
const MARKER = `<!-- steward approval ${"f".repeat(64)} ${HEAD} -->`;
/**
 * A text with an approval marker. Programs split lines at different characters; each of these programs finds a marker on a
 * separate line.
 */
const HOSTILE = `x\`\n\n${MARKER}\r\n${MARKER}\u2028${MARKER}\n<details>\n${MARKER}`;

type Path = readonly (string | number)[];

/** Returns the paths of all texts in a JSON value. */
const textsIn = (value: unknown, at: Path = []): Path[] => {
  if (typeof value === "string") return [at];
  if (typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, one]: [string | number, unknown]) => textsIn(one, [...at, key]));
};

/** Returns the value with another text at a path. */
function withText(value: object, at: Path, text: string): object {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const parent = at.slice(0, -1).reduce((one, key) => one[key] as typeof copy, copy);
  parent[at.at(-1)!] = text;
  return copy;
}

const place = usePlace("all");

/** Reads a report as a job of the protected branch does. Returns undefined if the job refuses the report. */
function reportOf(value: object): Report | undefined {
  try {
    return readReportOf(Buffer.from(JSON.stringify(value)), "plan.json");
  } catch (problem) {
    if (problem instanceof DiagnosticError) return undefined;
    throw problem;
  }
}

test("an approval marker inside a text of a report or approval file does not become a marker of the comment", async () => {
  const files = ["--report", "plan.json", "--out-approval", "changes.json"];
  const options = ["--config", ".", "--lock=false", "--access", "--rights"];
  expect(await place.run(["plan", ...options, ...files], { CI_COMMIT_SHA: HEAD })).toMatchObject({ code: 0 });
  const [report, approval] = ["plan.json", "changes.json"].map(
    (name) => JSON.parse(place.read(name)) as object,
  ) as [object, object];
  const bodies = [
    ...textsIn(report).map((at) => [withText(report, at, HOSTILE), approval] as const),
    ...textsIn(approval).map((at) => [report, withText(approval, at, HOSTILE)] as const),
  ].flatMap(([forgedReport, forgedApproval]) => {
    const read = reportOf(forgedReport);
    const copy = readCopy(JSON.stringify(forgedApproval));
    if (read === undefined || copy?.commit !== HEAD) return [];
    const text = formatApproval(copy);
    const digest = digestOf(text);
    return [
      {
        digest,
        body: commentOf(
          read,
          "steward",
          { commit: HEAD },
          { approval: copy, digest, text },
          new SensitiveTexts(),
        ),
      },
    ];
  });
  expect(bodies.length).toBeGreaterThan(20);
  for (const { digest, body } of bodies) {
    expect(approvalIn(body)).toEqual({ digest, commit: HEAD });
    const lines = body.split(/\r\n|[\n\r\u2028]/);
    expect(lines.filter((line) => line.startsWith("<!-- steward approval"))).toHaveLength(1);
  }
});
