import { describeAccess, mergeAccess } from "../../../src/cli/document/access";
import { describePlan } from "../../../src/cli/document/stack-parts";
import { PLAIN } from "../../../src/cli/printing/text";
import { htmlReport } from "../../../src/cli/reports/formats/html";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { addressesOf } from "../../../src/cli/reports/formats/markdown-text";
import { renderAccess } from "../../../src/cli/views/access";
import { renderPlan } from "../../../src/cli/views/plan";
import { type AccessPlace, type ResourceChange, UNKNOWN, type ValueObject } from "../../../src/engine";
import { createProvider, PROVIDER_SOURCE } from "../../../src/provider";
import { reportOf } from "../reports/support/runs";
import { change, plan } from "../support/models";
import { textOf } from "../support/text-of";

// A review of many equal changes: one entry that names its objects, and nothing that it hides.

const { resources } = createProvider().schema;
const steward = (
  type: string,
  address: string,
  project: string,
  parts: Partial<ResourceChange>,
): ResourceChange => ({
  ...change({ action: "create", before: null, after: {} }),
  type,
  address: `${type}.${address}`,
  name: address,
  provider: PROVIDER_SOURCE,
  attributes: resources[type]!.attributes,
  container: { kind: "project", name: project, url: `https://git.example/${project}` },
  ...parts,
});
const MAINTAINERS = [{ user: null, group: null, access_level: 40, group_inheritance_type: 0 }];
const environment = (name: string, project: string, more: ValueObject = {}): ResourceChange =>
  steward("steward_protected_environment", `${project.split("/").at(-1)}-${name}`, project, {
    after: { id: UNKNOWN, project, name, deploy_access_levels: MAINTAINERS, ...more },
  });
const text = (changes: readonly ResourceChange[]) =>
  textOf(renderPlan(describePlan(plan({ changes })), PLAIN));
const reportOfPlan = (changes: readonly ResourceChange[]) =>
  reportOf("plan", (view) => {
    view.stack(undefined, 1);
    view.plan(plan({ changes }));
  });
const reviews = (count: number) =>
  Array.from({ length: count }, (_, at) => environment(`review-${at + 1}`, "acme/web"));

describe("a folded entry", () => {
  test("a folded entry of one project names its objects, and no value of one of them", async () => {
    const out = text(reviews(8));
    expect(out).toContain("  # 8 environments of acme/web: review-1, review-2, review-3,");
    expect(out).not.toContain("name ");
    const report = await reportOfPlan(reviews(8));
    expect(markdownReport(report)).toContain("  8 environments of `acme/web`: `review-1`, `review-2`");
    expect(htmlReport(report)).toContain("8 × 8 environments of acme/web");
  });

  test("a folded entry names the objects of each project where they differ, or the name that all have", () => {
    const mixed = [1, 2, 3].flatMap((at) => [
      environment("qa", `acme/p${at}`),
      environment(`dev-${at}`, `acme/p${at}`),
    ]);
    expect(text(mixed)).toContain(
      "# 6 environments in 3 projects: acme/p1 (qa, dev-1), acme/p2 (qa, dev-2),",
    );
    const same = [1, 2, 3, 4, 5].map((at) => environment("production", `acme/p${at}`));
    expect(text(same)).toContain("# environment production in 5 projects: acme/p1, acme/p2,");
  });

  test("a folded entry has all addresses in Markdown and HTML", async () => {
    const report = await reportOfPlan(reviews(30));
    for (const page of [markdownReport(report), htmlReport(report)])
      for (const { address } of reviews(30)) expect(page).toContain(address);
  });

  test("an import folds only with imports of equal values, which both show", async () => {
    const imported = (at: number, enabled: boolean) =>
      steward("steward_job_token_scope", `p${at}`, `acme/p${at}`, {
        action: "no-op",
        importing: { id: `${at}` },
        before: { id: `${at}`, project: `acme/p${at}`, inbound_enabled: enabled },
        after: { id: `${at}`, project: `acme/p${at}`, inbound_enabled: enabled },
      });
    const all = [...[1, 2, 3, 4, 5].map((at) => imported(at, true)), imported(6, false)];
    expect(text(all)).toMatch(
      /# 5 objects steward_job_token_scope will be imported[\s\S]*inbound_enabled = true/,
    );
    expect(text(all)).toMatch(/steward_job_token_scope\.p6 will be imported[\s\S]*inbound_enabled = false/);
    expect(markdownReport(await reportOfPlan(all))).toMatch(
      /5 × [\s\S]*inbound_enabled = true[\s\S]*inbound_enabled = false/,
    );
  });

  test("patterns that begin with the path of their own project fold", async () => {
    const rule = (at: number, own = `acme/p${at}`) =>
      steward("steward_container_protection_rule", `p${at}`, `acme/p${at}`, {
        after: {
          id: UNKNOWN,
          project: `acme/p${at}`,
          repository_path_pattern: `${own}/prod*`,
          minimum_access_level_for_push: "maintainer",
        },
      });
    const out = text([...[1, 2, 3, 4, 5].map((at) => rule(at)), rule(6, "acme/p1")]);
    expect(out).toContain("# 5 objects steward_container_protection_rule will be created");
    expect(out).toContain('+ repository_path_pattern       = "{project}/prod*"');
    expect(out).toContain('"acme/p1/prod*"');
  });
});

const deploy = (project: string, gains: readonly string[], uncounted = 0): AccessPlace => {
  const holders = gains.map((name) => ({ kind: "user", name }));
  return {
    container: { kind: "project", name: project },
    target: { kind: "environment", name: "production" },
    abilities: [{ name: "deploy", before: [], after: holders, gains: holders, loses: [] }],
    rules: [],
    notCounted: Array.from({ length: uncounted }, () => ({
      what: "x@example.com",
      why: "is invited by e-mail",
    })),
  };
};
const access = (places: readonly AccessPlace[]) =>
  mergeAccess(describeAccess({ places, notCounted: [] }, undefined));

describe("access changes of many projects", () => {
  test("equal access changes are one line with the number of projects", () => {
    const people = ["ada", "ben", "maya"];
    const many = Array.from({ length: 412 }, (_, at) => deploy(`acme/p${at}`, people));
    const lines = renderAccess(access([...many, deploy("acme/other", ["ada"])]), PLAIN);
    expect(lines.length).toBeLessThan(20);
    expect(lines.join("\n")).toContain(
      "environment production: +3 can deploy (ada, ben, maya) in 412 projects: acme/p0,",
    );
    expect(lines.at(-1)).toBe("Access: +1237 can deploy.");
  });

  test("what is not counted in one place leaves the total of the others", () => {
    const lines = renderAccess(access([deploy("acme/a", ["ada"]), deploy("acme/b", ["x"], 1)]), PLAIN);
    expect(lines.at(-1)).toBe("Access: +1 can deploy; 1 place is not counted.");
  });
});

test("500 equal changes are at most 60 lines of text and 30 kB of Markdown, with all addresses", async () => {
  const changes = Array.from({ length: 500 }, (_, at) =>
    environment("production", `acme/team-${at % 20}/service-${at}`),
  );
  const places = changes.map(({ container }) => deploy(container!.name, ["ada", "ben"]));
  const report = await reportOf("plan", (view) => {
    view.stack(undefined, 1);
    view.plan(plan({ changes, access: { places, notCounted: [] } }));
  });
  const lines = [
    ...renderPlan(describePlan(plan({ changes })), PLAIN),
    ...renderAccess(access(places), PLAIN),
  ];
  expect(lines.length).toBeLessThanOrEqual(60);
  const markdown = markdownReport(report);
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(30_000);
  expect(markdown).toMatch(/^### Access$[\s\S]*^### Changes$/m);
  const changed = markdown.slice(markdown.indexOf("### Changes"));
  expect(addressesIn(changed)).toEqual(changes.map(({ address }) => address));
  const paths = placesIn(changed);
  expect(paths.sort()).toEqual(changes.map(({ container }) => container!.name).sort());
});

/** The addresses that a comment shortens to what they share and what each has of its own. */
function addressesIn(markdown: string): string[] {
  const [, start, end, keys] = /`([^`]*)…([^`]*)`, where … is `([^`]*)`/.exec(markdown)!;
  return keys!.split(", ").map((key) => `${start}${key}${end}`);
}

/** The places that a comment lists by their groups. */
const placesIn = (markdown: string): string[] =>
  [...markdown.matchAll(/^ *- `([^`]*\/)`: `([^`]*)`$/gm)].flatMap(([, group, names]) =>
    names!.split(", ").map((name) => `${group}${name}`),
  );

describe("many addresses in a comment", () => {
  const many = (of: (at: number) => string) => Array.from({ length: 400 }, (_, at) => of(at));
  const address = (key: string) => `steward_protected_environment.acme_environments_13CCC1EB["${key}"]`;
  test.each<[string, string[], string]>([
    ["share what stands around their keys", many((at) => address(`${at}:production`)), '["…:production"]'],
    ["keep whole keys that begin alike", many((at) => address(`${1000 + at}`)), '["…"]'],
    ["keep whole emoji", many((at) => address(`🚀${String.fromCodePoint(0x1f600 + at)}`)), '["🚀…"]'],
  ])("%s", (_, addresses, ending) => {
    const text = addressesOf(addresses);
    expect(text).toContain(`${ending}\`, where … is`);
    expect(addressesIn(text)).toEqual(addresses);
    expect(text.length).toBeLessThan(4_000);
  });

  test.each<[string, string[]]>([
    ["a key is empty", ["", ...many((at) => `${at}`)].map(address)],
    ["a key contains a comma", many((at) => address(`${at}, ${at}`))],
    ["they are short", many((at) => address(`${at}`)).slice(0, 100)],
  ])("stand in full where %s", (_, addresses) => {
    expect(addressesOf(addresses)).toBe(`\`\`\`text\n${addresses.join("\n")}\n\`\`\``);
  });
});
