import { commentOf } from "../../../src/cli/ci/comment";
import type { Report } from "../../../src/cli/document/model";
import { planned } from "../reports/support/runs";

/** The platform refuses a longer comment. */
const MOST = 1_000_000;

const comment = (report: Report): string =>
  commentOf(report, "steward", { job: "https://git.example.com/j/8" }, undefined, (text) => text);

const people = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}-${at}`);

const place = (at: number, gains: readonly string[], loses: readonly string[]) => ({
  project: `acme/web-${at}`,
  text: `project acme/web-${at}: ${gains.map((name) => `+ ${name}`).join(", ")}${loses.map((name) => `− ${name}`).join(", ")}`,
  gains: gains.length > 0 ? { deploy: [...gains] } : {},
  loses: loses.length > 0 ? { deploy: [...loses] } : {},
  rules: [],
  not_counted: [],
});

describe("a comment that would be too long", () => {
  it("is shortened below the limit when access and diagnostics are long", async () => {
    const report = await planned();
    const [stack] = report.stacks;
    const problem = {
      severity: "error" as const,
      code: "internal_error",
      summary: "s".repeat(100_000),
      detail: "d".repeat(100_000),
    };
    const access = Array.from({ length: 300 }, (_, at) => place(at, people(500, "ana"), people(500, "bob")));
    const long = {
      ...report,
      access,
      stacks: [
        {
          ...stack!,
          diagnostics: Array.from({ length: 30 }, (_, at) => ({
            ...problem,
            summary: `${at}${problem.summary}`,
          })),
        },
      ],
    } as unknown as Report;
    const text = comment(long);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST);
    expect(text).toContain("Not everything fits into a comment");
  });

  it("shows first the places where people gain access", async () => {
    const report = await planned();
    const access = [
      ...Array.from({ length: 100 }, (_, at) => place(at, [], [`bob-${at}`])),
      place(100, ["mallory"], []),
    ];
    const [shown] = comment({ ...report, access } as unknown as Report).split("<details>");
    expect(shown).toContain("mallory");
  });
});
