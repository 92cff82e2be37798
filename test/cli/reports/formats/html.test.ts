import type { Report, ReportObject } from "../../../../src/cli/document/model";
import { htmlReport } from "../../../../src/cli/reports/formats/html";
import { parsePage, problemsOf, withoutAssets } from "../../support/html";
import { largeReport, leaf } from "../support/large";

const object = (parts: Partial<ReportObject> & Pick<ReportObject, "address">): ReportObject => ({
  type: parts.address.split(".")[0]!,
  status: "planned",
  action: "update",
  attributes: [],
  diagnostics: [],
  ...parts,
});

const stack = (
  objects: readonly ReportObject[],
  more: Partial<Report["stacks"][number]> = {},
): Report["stacks"][number] => ({
  name: "shop",
  objects: [...objects],
  outputs: [],
  unchecked: 0,
  ignored: [],
  known: 0,
  known_fingerprints: [],
  diagnostics: [],
  ...more,
});

const report = (stacks: Report["stacks"], more: Partial<Report> = {}): Report => ({
  ...largeReport(0),
  stacks,
  ...more,
});

/** The page without its styles and script, and without problems. */
function pageOf(one: Report): string {
  const contents = htmlReport(one);
  expect(problemsOf(contents)).toEqual([]);
  return withoutAssets(contents);
}

const rowsOf = (contents: string) =>
  parsePage(contents).elements.filter(({ attributes }) => attributes["data-row"] !== undefined);

describe("the page of a report", () => {
  test("shows equal changes once, with all projects to filter by", () => {
    const objects = Array.from({ length: 30 }, (_, at) =>
      object({
        address: `acme_thing.p${at}`,
        project: `acme/p${at}`,
        attributes: [leaf("project", "~", `"acme/p${at}"`), leaf("level", "~", "40")],
      }),
    );
    const contents = pageOf(report([stack(objects)]));
    const [row, other] = rowsOf(contents);
    expect(other).toBeUndefined();
    expect(row!.attributes["data-row"]).toBe("30");
    expect(row!.attributes["data-project"]!.split("\n")).toHaveLength(30);
    expect(row!.text).toContain("30 × in 30 projects");
    expect(contents.match(/level = 30 -&gt; 40/g)).toHaveLength(1);
  });

  test("shows what is equal in several stacks before these", () => {
    const stacks = Array.from({ length: 6 }, (_, at) =>
      stack(
        [
          object({
            address: "acme_thing.limit",
            project: `acme/p${at}`,
            attributes: [leaf("level", "~", "40")],
          }),
        ],
        {
          name: `s-${at}`,
        },
      ),
    );
    const rows = rowsOf(pageOf(report([...stacks, stack([], { name: "clean" })])));
    expect(rows.map(({ attributes }) => attributes["data-stack"])).toEqual(["s-0\ns-1\ns-2\ns-3\ns-4\ns-5"]);
    expect(pageOf(report([...stacks, stack([], { name: "clean" })]))).toContain(
      "No changes in 1 stack: <code>clean</code>",
    );
  });

  test("links to web pages of projects, and shows another address as text", () => {
    const contents = pageOf(
      report([
        stack([
          object({ address: "acme_thing.a", project: "acme/a", url: "https://git.acme.example/acme/a" }),
          object({ address: "acme_thing.b", project: "acme/b", url: "javascript:alert(1)" }),
        ]),
      ]),
    );
    expect(contents).toContain(
      '<a href="https://git.acme.example/acme/a" rel="noopener noreferrer">acme/a</a>',
    );
    expect(contents).not.toContain("javascript:");
  });

  test("shows a cause once with the objects that it concerns, and policies apart", () => {
    const refused = {
      severity: "error",
      code: "forbidden",
      summary: "Not permitted",
      detail: "Ask.",
    } as const;
    const violated = { ...refused, code: "policy_violated", summary: "Policy violated", detail: "No." };
    const objects = ["a", "b"].map((name) =>
      object({ address: `acme_thing.${name}`, status: "failed", diagnostics: [refused] }),
    );
    const contents = pageOf(report([stack(objects, { diagnostics: [violated] })], { result: "failed" }));
    expect(contents.match(/>Ask\.</g)).toHaveLength(1);
    expect(contents).toMatch(/<h2>Errors and warnings<\/h2>[\s\S]*#o1[\s\S]*#o2[\s\S]*<h2>Policies<\/h2>/);
    expect(rowsOf(contents).map(({ attributes }) => attributes["data-outcome"])).toEqual([
      "failed",
      "failed",
    ]);
  });

  test("says of a change that violates a policy that it does, not that it failed", () => {
    const violated = {
      severity: "error",
      code: "policy_violated",
      summary: "Policy violated",
      detail: "No.",
    } as const;
    const objects = [object({ address: "acme_thing.a", status: "failed", diagnostics: [violated] })];
    const contents = pageOf(report([stack(objects)], { result: "failed" }));
    expect(rowsOf(contents)[0]!.attributes["data-outcome"]).toBe("violates a policy");
    expect(contents).toContain('<dt>violates a policy</dt><dd class="error">1</dd>');
    expect(contents).not.toContain("<dt>failed</dt>");
  });

  test("shows who gains and loses access, and what is not counted", () => {
    const access = [
      {
        project: "acme/web",
        environment: "production",
        gains: { deploy: ["maya", "group acme/ops"], approve: [] },
        loses: { deploy: ["carl"], approve: [] },
        notes: [{ name: "maya", note: "through group acme/leads" }],
        rules: [{ name: "approvals", before: 2, after: 1 }],
        not_counted: [{ what: "group 7", why: "hidden" }],
        text: "",
        changes: ["acme_environment.web", "acme_environment.gone"],
      },
    ];
    const objects = [object({ address: "acme_environment.web" })];
    const { elements } = parsePage(pageOf(report([stack(objects)], { access })));
    const card = elements.find(({ attributes }) => attributes["class"] === "card access")!;
    const lines = card.text.split("\n").filter((line) => line.trim() !== "");
    expect(lines).toEqual([
      "acme/web",
      "environment production",
      "+ can deploy maya through group acme/leads, group acme/ops",
      "− can deploy carl",
      "~ approvals 2 → 1",
      "! not counted group 7 (hidden)",
      "by acme_environment.web",
    ]);
    const entry = elements.find(({ attributes }) => attributes["class"] === "change")!;
    const links = elements.filter(({ text, name }) => name === "a" && text === "acme_environment.web");
    expect(links.map(({ attributes }) => attributes["href"])).toContain(`#${entry.attributes["id"]}`);
  });

  test("marks values that were changed outside", () => {
    const attributes = [{ ...leaf("level", "~", "3"), changed_outside: { applied: 1, live: 2 } }];
    const contents = pageOf(report([stack([object({ address: "acme_thing.a", attributes })])]));
    expect(rowsOf(contents)[0]!.attributes["data-outside"]).toBe("changed outside");
    expect(contents).toContain("1 object was changed outside of Steward since the last apply");
  });

  test("shows undeclared objects with their commands, apart from drift", () => {
    const commands = { import: "steward import acme_thing.x 1", adopt: "steward adopt acme/web" };
    const found = object({ address: "acme_thing 1", status: "unmanaged", commands });
    const { action: _, ...undeclared } = found;
    const contents = pageOf(report([stack([undeclared])], { command: "drift", coverage: ["project 1"] }));
    expect(contents).toMatch(
      /<p>No drift\.<\/p>[\s\S]*<h2>Unmanaged<\/h2>[\s\S]*steward import acme_thing\.x 1\nsteward adopt/,
    );
  });

  test("the page of an empty plan says so", () => {
    const contents = pageOf(report([stack([])], { result: "clean" }));
    expect(parsePage(contents).text).toMatch(/Plan ✓ no changes\s+no changes[\s\S]*No object changes\./);
  });

  test("colours a line without a mark as what was added or removed around it", () => {
    const fields = [{ name: "user", difference: { mark: "-", kind: "leaf", before: "1" } }] as const;
    const elements = [{ mark: "-", kind: "fields", fields, unchanged: 0 }] as const;
    const difference = { mark: "~", kind: "elements", elements, unchanged: 1 } as const;
    const attributes = [{ name: "rules", sensitive: false, difference }];
    const contents = pageOf(report([stack([object({ address: "acme_thing.a", attributes })])]));
    const classes = [...contents.matchAll(/<span(?: class="(\w)")?>[ ~]/g)].map(([, one]) => one);
    expect(classes).toEqual(["u", "d", "d", "d", "c", undefined]);
  });
});
