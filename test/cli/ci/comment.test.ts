import { commentOf } from "../../../src/cli/ci/comment";
import type { Report } from "../../../src/cli/document/model";
import { SensitiveTexts } from "../../../src/text";
import { HOSTILE, takenLines } from "../../support/hostile";
import { planned } from "../reports/support/runs";

/** The maximum number of characters of a comment on the platform. */
const MOST = 1_000_000;

const comment = (report: Report): string =>
  commentOf(report, "steward", { job: "https://git.example.com/j/8" }, undefined, new SensitiveTexts());

const people = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}-${at}`);

const place = (at: number, gains: readonly string[], loses: readonly string[]) => ({
  project: `acme/web-${at}`,
  text: `project acme/web-${at}: ${gains.map((name) => `+ ${name}`).join(", ")}${loses.map((name) => `− ${name}`).join(", ")}`,
  gains: gains.length > 0 ? { deploy: [...gains] } : {},
  loses: loses.length > 0 ? { deploy: [...loses] } : {},
  rules: [],
  not_counted: [],
});

describe("the section about access in a comment", () => {
  const uncounted = (what: string) => ({ what, why: "it belongs to another provider, acme" });
  const general = (...notCounted: readonly object[]) => ({
    ...{ gains: {}, loses: {}, rules: [], text: "" },
    not_counted: notCounted,
  });
  const headOf = async (...access: readonly object[]) => {
    const report = { ...(await planned()), access } as unknown as Report;
    return comment(report).split("<details>")[0]!;
  };

  it("the comment lists the changes of another provider's object as `not counted`", async () => {
    const head = await headOf(general(uncounted("acme_owner.root")));
    expect(head).toContain("Access: no total, because not everything is counted.");
    expect(head).toContain("- not counted: `acme_owner.root` (it belongs to another provider, acme)");
  });

  it("if Steward can't count a project's access changes, the comment lists them in its details", async () => {
    const access = [{ ...general(uncounted("members")), project: "acme/web" }];
    const [head, details] = comment({ ...(await planned()), access } as unknown as Report).split("<details>");
    expect(head).toContain("Access: no total, because not everything is counted.");
    expect(head).not.toContain("members");
    expect(details).toContain("not counted: `members` (it belongs");
  });

  it("the comment contains one table per project, first the tables of projects that loosen access", async () => {
    const entry = (project: string, more: object) => ({ ...general(), not_counted: [], project, ...more });
    const head = await headOf(
      entry("acme/a", { loses: { deploy: ["ben"] }, rules: [{ name: "approvals", before: 1, after: 2 }] }),
      entry("acme/b", { rules: [{ name: "approvals", before: 2, after: 1 }], loses: { deploy: ["ada"] } }),
      entry("acme/c", { gains: { deploy: ["cleo", "dan"] } }),
    );
    expect(head.slice(head.indexOf("**Access**")).trimEnd()).toBe(
      [
        "**Access**",
        "",
        "project **`acme/b`**, 🔓 **loosens** and tightens",
        "",
        "| | what | who |",
        "|---|---|---|",
        "| 🔓 loosens | `approvals` | `2 → 1` |",
        "| ➖ loses | `deploy` | `ada` |",
        "",
        "project **`acme/c`**, 🔓 **loosens**",
        "",
        "| | what | who |",
        "|---|---|---|",
        "| ➕ gains | `deploy` | `cleo`, `dan` |",
        "",
        "project **`acme/a`**, 🔒 tightens",
        "",
        "| | what | who |",
        "|---|---|---|",
        "| ➖ loses | `deploy` | `ben` |",
        "| 🔒 tightens | `approvals` | `1 → 2` |",
      ].join("\n"),
    );
  });

  it("in its tables, the comment formats names that contain markup as code", async () => {
    const gains = { deploy: [HOSTILE, "a|b"] };
    const head = await headOf({ ...general(), not_counted: [], project: "acme/a", gains });
    expect(head).toContain("| ➕ gains | `deploy` |");
    expect(head).toContain('`"a\\|b"`');
    expect(takenLines(head)).toEqual([]);
    expect(head.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "")).not.toMatch(/<img|@admin|\[a\]\(http/);
  });

  it("if 40 objects are not counted for the same reason, the comment lists ten of them and writes `30 more`", async () => {
    const many = Array.from({ length: 40 }, (_, at) => uncounted(`acme_owner.a${at}`));
    const head = await headOf(general(...many));
    expect(head.match(/not counted: `acme_owner/g)).toHaveLength(10);
    expect(head).toContain("- not counted: `30 more` (it belongs");
  });

  it("outside of its tables, the comment formats names that contain markup as code", async () => {
    const head = await headOf(general({ what: HOSTILE, why: `because ${HOSTILE}` }));
    expect(head).toContain("not counted: ");
    expect(takenLines(head)).toEqual([]);
    expect(head.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "")).not.toMatch(/<img|@admin|\[a\]\(http/);
  });
});

describe("a comment that would be too long", () => {
  it("the comment shortens long lists of access changes and long errors to stay below the platform's limit", async () => {
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

  it("above its details, the comment lists every project where a person gains access", async () => {
    const report = await planned();
    const access = [
      ...Array.from({ length: 30 }, (_, at) => place(at, [], [`bob-${at}`])),
      ...Array.from({ length: 40 }, (_, at) => place(100 + at, [`ana-${at}`], [])),
    ];
    const [shown] = comment({ ...report, access } as unknown as Report).split("<details>");
    expect(shown!.match(/ana-\d+/g)).toHaveLength(40);
    expect(shown).not.toContain("bob-");
    expect(shown).toContain("- and 30 more, below");
  });

  it("the comment lists warnings about objects that loosen access before other warnings", async () => {
    const report = await planned();
    const [stack] = report.stacks;
    const warning = (summary: string) => ({
      severity: "warning",
      code: "internal_error",
      summary,
      detail: summary,
    });
    const objects = Array.from({ length: 40 }, (_, at) => ({
      ...stack!.objects[0]!,
      address: `a.b${at}`,
      strictness: at < 39 ? "stricter" : "looser",
      diagnostics: [warning(`Warning ${at}`)],
    }));
    const stacks = [{ ...stack!, diagnostics: [], objects }];
    const [shown] = comment({ ...report, stacks } as unknown as Report).split("<details>");
    expect(shown).toMatch(/\*\*Problems\*\*\n\n- ⚠️ Warning 39\n- ⚠️ Warning 0\n/);
    expect(shown).toContain("- and 20 more, below");
  });

  it("above its details, the comment shows the project, file and text of each error", async () => {
    const report = await planned();
    const [stack] = report.stacks;
    const object = (at: number, detail: string) => ({
      ...stack!.objects[0]!,
      address: `a.b${at}`,
      project: `acme/web-${at}`,
      diagnostics: [
        {
          severity: "error",
          code: "reference_not_found",
          summary: "Reference not found",
          detail,
          cause: detail,
          position: `web.ts:${at}`,
        },
      ],
    });
    const objects = [
      object(1, 'The user "ghost" can\'t be found.'),
      ...Array.from({ length: 5 }, (_, at) => object(2 + at, `The group ${HOSTILE} can't be found.`)),
    ];
    const stacks = [{ ...stack!, diagnostics: [], objects }];
    const [shown] = comment({ ...report, stacks } as unknown as Report).split("<details>");
    expect(shown!.split("\n").slice(0, 10)).toContain(
      '- ❌ Reference not found in `acme/web-1` (`web.ts:1`): The user "ghost" can\'t be found.',
    );
    expect(shown).toContain("in `acme/web-2`, `acme/web-3`, `acme/web-4` and 2 more (`web.ts:2`, `web.ts:3`");
    expect(takenLines(shown!)).toEqual([]);
  });

  it("if a person gains access to one of 101 projects, the comment contains this person's name above its details", async () => {
    const report = await planned();
    const access = [
      ...Array.from({ length: 100 }, (_, at) => place(at, [], [`bob-${at}`])),
      place(100, ["mallory"], []),
    ];
    const [shown] = comment({ ...report, access } as unknown as Report).split("<details>");
    expect(shown).toContain("mallory");
  });
});
